// LaneEdge: what holds at a moment on one channel. It asks for chunks from that moment on back, and for none once it knows all: the
// one at the moment for the spans that are open, then as far as there are levels, values or texts, and losses that do not say until
// when.
//
//   while (edge.wanted())   take() what was open where that chunk begins and its batches, in order; end_chunk()
//   edge.rows()
//
// Private to the room. One owner, one thread; the lane outlives it.
#pragma once

#include "proto/capture/capture_index.h"
#include "proto/capture/summary/open_spans.h"
#include "proto/wire/event.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <unordered_set>
#include <vector>

namespace sla::capture_tools {

class LaneEdge {
public:
    LaneEdge(std::uint64_t tick, const capture::CaptureIndex::Lane& lane);

    [[nodiscard]] const capture::CaptureIndex::Lane& lane() const { return *lane_; }
    // The next chunk, by number.
    [[nodiscard]] std::optional<std::uint32_t> wanted() const;
    // That chunk is the one at the moment: what was open where it begins counts.
    [[nodiscard]] bool wants_open_spans() const { return is_first_ && at_ > 0; }
    void take(const capture::OpenSpan& span) { open_.begin(span); }
    void take(const wire::EventBatch& batch);
    // False: the chunk is damaged, and nobody knows what was in it.
    void end_chunk(bool is_sound);

    // In order of time, all before the moment.
    [[nodiscard]] wire::EventBatch rows() const;
    // There may have been a level before the moment, and nobody knows which: it was lost, or is in no row that is here.
    [[nodiscard]] bool is_level_unknown() const;

private:
    // Which threads rows were of, looking back from the moment.
    class HeardThreads {
    public:
        void add(std::uint32_t thread) { threads_.insert(thread); }
        // A loss of that thread (0: of any) that does not say until when is over by then.
        [[nodiscard]] bool is_over(std::uint32_t thread) const {
            return thread == 0 ? !threads_.empty() : threads_.contains(thread);
        }

    private:
        std::unordered_set<std::uint32_t> threads_;
    };

    void find_losses();
    [[nodiscard]] bool may_hold(std::size_t place) const;
    [[nodiscard]] bool may_lose(std::size_t place) const;
    void take_span(const wire::EventBatch& batch, std::size_t row);
    void forget_holding();
    void look_for_losses();
    void step_back();

    const capture::CaptureIndex::Lane* lane_;
    std::uint64_t tick_;
    std::size_t at_ = 0;  // behind the summary whose chunk is wanted; 0: none is
    bool is_first_ = true;
    capture::OpenSpans open_;  // in the first chunk
    std::vector<capture::OpenSpan> spans_;
    unsigned looks_for_;    // kinds that hold until the next of the kind, of which no row was found
    bool is_lost_ = false;  // what held before that chunk, and is not known by rows behind the loss
    std::map<wire::Kind, wire::EventBatch> holding_;  // the newest row of each such kind
    std::vector<wire::EventBatch> across_;            // losses that say they last beyond the moment
    std::vector<const capture::GapRow*> endless_;     // losses that may
    HeardThreads heard_;
    std::vector<wire::EventBatch> batches_;  // of this chunk, while such losses are looked for
    std::vector<wire::EventBatch> lost_;     // those that do, the newest first
};

}  // namespace sla::capture_tools
