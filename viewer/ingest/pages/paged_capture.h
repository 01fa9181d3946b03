// PagedCapture: a capture too large to be held, as lanes whose rows stay in its store. Opened from the store's index, whatever
// its length; rows are read chunk by chunk by a PageReader when they are asked for.
//
// Immutable once open; any number of threads, sessions and readers may use one.
#pragma once

#include "proto/base/result.h"
#include "proto/capture/capture_store.h"
#include "viewer/ingest/pages/chunk_ledger.h"
#include "viewer/store/session.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace sla::ingest {

class FrameApplier;
class PageReader;

// What people are told of a file's damage, whichever way it is read.
// `tick`: from there on something may be missing; 0: not known.
store::Note skipped_note(const std::string& name, const capture::Damage& damage, std::uint64_t tick);
store::Note unfinished_note(const std::string& name, std::uint64_t tick);

class PagedCapture final : public ChunkLedger, public std::enable_shared_from_this<PagedCapture> {
public:
    // kUnavailable: this capture cannot be paged and must be read in order; the message says why. `progress` (may be empty)
    // receives 0..1 while an index is made anew; false stops.
    static Result<std::shared_ptr<const PagedCapture>> open(std::shared_ptr<const capture::CaptureStore> store,
                                                            const std::function<bool(double)>& progress = {});
    // Looks also for what is open where it ends, so that go_on() can be called. One chunk is read for each lane with such spans.
    static Result<std::shared_ptr<const PagedCapture>> open_to_go_on(std::shared_ptr<const capture::CaptureStore> store,
                                                                     const std::function<bool(double)>& progress = {});

    [[nodiscard]] std::uint64_t rows() const { return rows_; }
    [[nodiscard]] const std::string& path() const override { return store_->name(); }
    [[nodiscard]] std::size_t chunk_count() const override { return chunks_.size(); }
    [[nodiscard]] capture::ChunkPlace place_of(std::size_t chunk) const override { return chunks_[chunk]; }
    [[nodiscard]] std::vector<ChunkPart> parts_of(std::size_t chunk) const override;
    [[nodiscard]] std::vector<LossRow> losses_of(const ChunkPart& part) const override;
    [[nodiscard]] bool has_intervals() const override { return true; }
    [[nodiscard]] bool is_gone(std::size_t chunk) const override { return chunk < are_gone_.size() && are_gone_[chunk]; }
    [[nodiscard]] Result<capture::ChunkReader> open_chunks() const override { return store_->open_chunks(); }
    // Everything but rows goes to the applier's session, which must be new; the lanes get their pages from a reader of their
    // own, held by the session, that keeps at most about so many bytes.
    std::shared_ptr<PageReader> fill(FrameApplier& applier, std::size_t cache_bytes) const;
    // Afterwards: what the applier takes from now on stands behind it.
    void go_on(FrameApplier& applier) const;

private:
    struct Part {
        std::uint32_t lane = 0;  // in the order of channels
        std::uint32_t page = 0;
    };
    struct Lane {
        std::shared_ptr<store::PageTable> table;
        store::GapTable gaps;
        std::vector<std::uint32_t> loss_threads;  // of gaps, in their order
        bool begins_late = false;                 // rows before its first one are not here
        std::uint64_t next_ordinal = 0;           // behind its last row
        std::vector<store::NumberedSpan> open;    // at its end; of captures that were opened to go on
        bool ends_in_spans = false;
    };
    PagedCapture() = default;
    Result<void> take(capture::CaptureIndex& index);
    Result<void> take_lanes(std::vector<capture::CaptureIndex::Lane> lanes);
    [[nodiscard]] Result<Lane> make_lane(const capture::CaptureIndex::Lane& from) const;
    Result<void> find_open();
    // Of that kind which pages can show.
    static Result<void> check_damage(const capture::CaptureIndex& index);
    void note_damage(const capture::CaptureIndex& index);
    Result<void> check_stream(const capture::CaptureIndex& index);
    Result<void> sort_parts();
    // Up to where its last chunks have all rows; 0: they do not say.
    [[nodiscard]] std::uint64_t newest_watermark() const;

    std::shared_ptr<const capture::CaptureStore> store_;
    std::vector<capture::ChunkPlace> chunks_;
    std::vector<bool> are_gone_;                // by chunk; as many as it takes
    std::vector<capture::LostRows> lost_ends_;  // behind all that is there
    std::map<ChannelId, Lane> lanes_;
    std::vector<std::pair<ChannelId, const store::PageTable*>> tables_;  // of lanes_
    std::vector<Part> parts_;
    std::vector<std::size_t> first_part_;
    std::vector<std::string> lasting_;
    std::vector<store::Note> notes_;
    bool has_own_times_ = false;   // some source makes up its time
    std::uint64_t watermark_ = 0;  // looked for where the end does not say it; 0: nobody knows
    std::uint64_t rows_ = 0;
};

}  // namespace sla::ingest
