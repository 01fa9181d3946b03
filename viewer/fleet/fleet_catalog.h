// FleetCatalog: what the messages of a capture in a fleet say is in it, without its rows.
//
//   index messages     │ 256 chunks │ 256 chunks │
//   summary messages                             │ 1 │ 1 │ 1 │      of what no index lists yet
//
// Messages come from outside, may come twice and in any order, and may be gone: each chunk is taken once, by piece and sequence,
// and what does not make sense is left out and said. Memory: what the capture's index takes.
#pragma once

#include "proto/base/result.h"
#include "proto/capture/capture_index.h"
#include "proto/capture/summary/chunk_summary.h"
#include "viewer/fleet/chunk_order.h"
#include "viewer/fleet/message_store.h"

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
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
};

class FleetCatalog {
public:
    // `first`: the stream's first message (MessageStore::first_sequence). `progress` (may be empty) receives the number
    // of chunks; false stops.
    static Result<FleetCatalog> read(const MessageStore& store, const CaptureName& name, std::uint64_t first,
                                     const std::function<bool(std::size_t)>& progress = {});

    // For who follows what comes: cuts off what may not be whole yet, and says where that goes on. Before take_index().
    TailStart cut_for_tail();
    // In it, ChunkPlace::offset is the frames' sequence in the stream. Once.
    Result<capture::CaptureIndex> take_index();
    // Of all chunks of the index that are in the stream, rising by frames_at.
    [[nodiscard]] const std::vector<ChunkAddress>& addresses() const { return addresses_; }
    // The frames that named what is in it have expired; the index knows them still.
    [[nodiscard]] bool has_lost_names() const { return has_lost_names_; }

private:
    struct Entry {
        capture::ChunkDetail detail;
        std::uint64_t frames_at = 0;
        std::uint64_t summary_at = 0;
    };

    explicit FleetCatalog(CaptureName name) : name_(std::move(name)) {}
    Result<void> read_kind(const MessageStore& store, Kind kind, std::uint64_t from,
                           const std::function<bool(std::size_t)>& progress);
    // False: it does not make sense.
    bool take_index_message(const StoredMessage& message);
    bool take_summary(const StoredMessage& message);
    void add(std::uint64_t piece, Entry entry);
    [[nodiscard]] bool ends_piece(std::map<ChunkKey, Entry>::const_iterator chunk) const;
    void note_missing_chunks();
    [[nodiscard]] std::uint64_t first_uncovered() const;

    CaptureName name_;
    std::map<ChunkKey, Entry> chunks_;
    std::set<std::uint64_t> complete_pieces_;
    ChunkKey newest_index_;                // its own sequence
    std::uint64_t newest_index_from_ = 0;  // the least place of a chunk that it lists
    bool is_index_damaged_ = false;
    bool has_lost_names_ = false;
    std::uint64_t first_sequence_ = 0;  // of the stream
    std::vector<capture::Damage> damage_;
    std::vector<ChunkAddress> addresses_;
};

}  // namespace sla::fleet
