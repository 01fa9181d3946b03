// FleetCatalog: what the messages of a capture in a fleet say is in it, without its rows.
//
//   index messages     │ 256 chunks │ 256 chunks │
//   summary messages                             │ 1 │ 1 │ 1 │      of what no index lists yet, or any more
//
// Messages come from outside, may come twice and in any order, and may be gone: each chunk is taken once, by piece and sequence,
// and what does not make sense is left out and said. What the stream has lost of the capture is told by where it is missing:
//
//   chunks    x x │ 3 4 5 │ x │ 7 8 │ x x         x: expired, or deleted by somebody
//             history, no loss │ within       at the end: the fleet's registry says that it was published
//
// Memory: what the capture's index takes.
#pragma once

#include "proto/base/result.h"
#include "proto/capture/capture_index.h"
#include "proto/capture/pieces/index_join.h"
#include "proto/capture/summary/chunk_summary.h"
#include "proto/fleet/registry.h"
#include "viewer/fleet/chunk_order.h"
#include "viewer/fleet/message_store.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

namespace sla::fleet {

// Which capture, as it stands in subjects and ids.
struct CaptureName {
    std::string fleet;
    std::uint32_t shard = 0;
    std::string host;
    std::string capture;
};

// Where a chunk of frames and its summary are in the stream; 0: they are not.
struct ChunkAddress {
    std::uint64_t frames_at = 0;
    std::uint64_t summary_at = 0;
    std::uint64_t piece = 0;
    std::uint64_t sequence = 0;  // of the frames, in the piece
    bool is_gone = false;        // the frames, when it was opened
};

// What the fleet's registry says of a capture, to hold against what is there. Of one whose agent runs, or left something in its
// spool, only `so_far` is known, since more comes.
struct Published {
    std::uint64_t events = 0;
    std::uint64_t last_tick = 0;    // of the host, when it said so
    std::uint64_t lost_at_end = 0;  // dropped by the agent as it ended, behind all that it published
    std::uint64_t so_far = 0;       // events, when the registry was asked
};
Published published_of(const RunEntry& run);

// Events that were published and are not in the stream (any more).
struct Missing {
    std::uint64_t before = 0;  // the first one that is there: history that was given up, no loss
    std::uint64_t within = 0;
    std::uint64_t at_end = 0;
    bool lacks_end = false;  // even where nobody knows how many those are
};

class FleetCatalog {
public:
    // Of each of these captures of one stream, in their order. `state`: of the stream, as of before anything is read. `goes_on`
    // (may be empty) stops it, all are errors then.
    static std::vector<Result<FleetCatalog>> read(const MessageStore& store, std::vector<CaptureName> names,
                                                  const std::shared_ptr<const StreamState>& state,
                                                  const std::function<bool()>& goes_on = {});

    // No chunk is told of. Before take_index().
    [[nodiscard]] bool is_empty() const { return chunks_.empty(); }
    // For who follows what comes: cuts off what may not be whole yet, and says where that goes on. Before take_index().
    TailStart cut_for_tail();
    // In it, ChunkPlace::offset is the frames' sequence in the stream. Chunks that are gone and of which an index or a summary
    // tells are in it, and each is a Damage of no bytes that says what was in it. Once.
    Result<capture::CaptureIndex> take_index(const Published& published = {});
    // Of all chunks of the index that are in the stream, rising by frames_at.
    [[nodiscard]] const std::vector<ChunkAddress>& addresses() const { return addresses_; }
    // Frames are gone that may have named what is in it; the index knows them still.
    [[nodiscard]] bool has_lost_names() const { return has_lost_names_; }
    // After take_index(). A frame that says how much came before what is there; empty: nothing.
    [[nodiscard]] std::string head() const;
    [[nodiscard]] const Missing& missing() const { return missing_; }

private:
    friend class CatalogReading;
    // Messages of a kind to be read, by their places in the stream.
    struct Stretch {
        Kind kind;
        std::uint64_t from;
        std::uint64_t until;
    };
    enum class Fate {
        kHere,
        kNeverCame,  // its agent dropped it
        kHistory,    // gone, and nothing before it is there
        kGone
    };
    struct Entry {
        capture::ChunkDetail detail;
        std::uint64_t frames_at = 0;
        std::uint64_t summary_at = 0;
    };
    using Chunks = std::map<ChunkKey, Entry>;
    struct Extent {
        std::uint64_t next = 0;  // ordinal behind the last row
        std::uint64_t last_tick = 0;
    };
    // What take_index() puts together.
    struct Making {
        capture::IndexJoin join;
        std::unordered_set<std::uint64_t> places;
        std::map<ChannelId, Extent> lanes;
        std::uint64_t events = 0;  // of chunks that are there
        std::uint64_t bytes = 0;
        std::uint64_t newest_piece = 0;
        bool is_first_gone = false;  // the capture's first chunk: nothing tells of it
    };

    FleetCatalog(CaptureName name, std::shared_ptr<const StreamState> state)
        : name_(std::move(name)), state_(std::move(state)) {}
    void take(Kind kind, const StoredMessage& message);
    // Where summaries may be of an index that is gone.
    [[nodiscard]] std::vector<Stretch> unlisted() const;
    // False: it does not make sense.
    bool take_index_message(const StoredMessage& message);
    bool take_summary(const StoredMessage& message);
    void add(std::uint64_t piece, Entry entry);
    [[nodiscard]] bool ends_piece(Chunks::const_iterator chunk) const;
    [[nodiscard]] bool ends_capture() const;
    [[nodiscard]] std::uint64_t first_uncovered() const;

    [[nodiscard]] Fate fate_of(const ChunkKey& key, const Entry& entry) const;
    void find_history();
    // `harmless`: as of Damage.
    void note_damage(std::uint64_t at, std::string what, bool harmless = false);
    void note_gone(const ChunkKey& key, const Entry& entry, capture::IndexJoin& join) const;
    void note_missing_chunks();
    // From `at` to behind the piece's last chunk.
    Result<void> add_piece(Chunks::iterator& at, Making& making);
    // `are_gone`: by chunk of the piece.
    void count_piece(const capture::CaptureIndex& piece, const std::vector<bool>& are_gone, Making& making);
    void count_missing(const Making& making, const Published& published, bool has_end);
    [[nodiscard]] static Error nothing_there(const Published& published, bool has_chunks);
    [[nodiscard]] capture::Damage missing_end(const Making& making, const Published& published) const;

    CaptureName name_;
    std::shared_ptr<const StreamState> state_;
    Chunks chunks_;
    std::set<std::uint64_t> complete_pieces_;
    ChunkKey newest_index_;                // its own sequence
    std::uint64_t newest_index_from_ = 0;  // the least place of a chunk that it lists
    bool is_index_damaged_ = false;
    bool is_cut_ = false;  // for a tail
    ChunkKey first_here_;  // that has rows
    bool has_lost_names_ = false;
    bool has_history_ = false;
    Missing missing_;
    std::vector<capture::Damage> damage_;
    std::vector<ChunkAddress> addresses_;
};

}  // namespace sla::fleet
