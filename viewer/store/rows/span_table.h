// SpanTable: the begin..end pairs of one run of a lane's rows, matched as events arrive.
//
// Spans nest per thread: an end closes the newest open begin of its thread. `depth` is that nesting (0: outermost); `row` is
// the lowest row of the lane that no other open span held when this one began, so spans drawn by row never overlap, whatever
// thread they are of. A gap may have swallowed ends: every open span of the gap's thread (thread 0: of all) is CUT there.
// Its end is not known, and an end that finds nothing open is an unmatched end. Neither is ever guessed.
//
// Ids are given in order of begin over the whole lane and never change; spans are in order of begin_tick. A run that does
// not begin with the lane is given which spans were open there: it closes them, and counts its own from `first_id` on.
// Owner: the run's.
#pragma once

#include "viewer/store/rows/row_types.h"
#include "viewer/store/rows/segment_forest.h"
#include "viewer/store/rows/stable_vector.h"

#include <array>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

namespace sla::store {

enum class SpanState : std::uint8_t { kOpen, kClosed, kCut };

struct Span {
    std::uint64_t begin_index = 0;     // of the lane's event
    std::uint64_t end_index = kNever;  // of the end event when closed, of the gap when cut
    std::uint64_t begin_tick = 0;
    std::uint64_t end_tick = kNever;  // kNever while open; of the gap when cut
    std::uint32_t thread = 0;
    std::uint16_t depth = 0;
    std::uint16_t row = 0;
    SpanState state = SpanState::kOpen;
};

struct NumberedSpan {
    std::uint64_t id = 0;
    Span span;
};

// When a span ends and how wide it is; of many, the latest and the widest.
struct SpanReach {
    std::uint64_t end = 0;
    std::uint64_t width = 0;
    void absorb(const SpanReach& other) {
        end = std::max(end, other.end);
        width = std::max(width, other.width);
    }
};

inline SpanReach reach_of(const Span& span) {
    if (span.state == SpanState::kOpen) return {kNever, kNever};
    return {span.end_tick, span.end_tick - span.begin_tick};
}

class SpanTable {
public:
    // kOnce: nothing is asked before settle(), which then makes the index in one go.
    enum class Filling { kGrowing, kOnce };

    SpanTable() = default;
    // `open`: in order of id, all below first_id.
    SpanTable(std::uint64_t first_id, const std::vector<NumberedSpan>& open, Filling filling = Filling::kGrowing);
    void settle();

    void begin(std::uint64_t index, std::uint64_t tick, std::uint32_t thread);
    void end(std::uint64_t index, std::uint64_t tick, std::uint32_t thread);
    void gap(std::uint64_t index, std::uint64_t tick, std::uint32_t thread);

    // Its own spans: ids [first_id, first_id + size).
    [[nodiscard]] std::uint64_t first_id() const { return first_id_; }
    [[nodiscard]] std::uint64_t end_id() const { return first_id_ + spans_.size(); }
    [[nodiscard]] std::size_t size() const { return spans_.size(); }
    [[nodiscard]] bool empty() const { return spans_.empty(); }
    // Of its own, or of one that was open where it begins.
    [[nodiscard]] const Span& operator[](std::uint64_t id) const {
        return id >= first_id_ ? spans_[id - first_id_] : before_of(id)->span;
    }
    // Those that were open where it begins, as they are now.
    [[nodiscard]] const std::vector<NumberedSpan>& before() const { return before_; }
    // All that are open now, in order of id.
    [[nodiscard]] std::vector<NumberedSpan> still_open() const;
    [[nodiscard]] std::size_t unmatched_ends() const { return unmatched_ends_; }
    [[nodiscard]] std::size_t open() const { return open_; }
    // Most spans open at a time, those from before too.
    [[nodiscard]] std::size_t deepest() const { return deepest_; }
    // Ticks within at least one span, between the run's first and last tick.
    [[nodiscard]] std::uint64_t busy_ticks(std::uint64_t first_tick, std::uint64_t last_tick) const;
    // Takes the ids of those that were open where it begins and have ended since the last call.
    [[nodiscard]] std::vector<std::uint64_t> take_ended_before() { return std::exchange(ended_before_, {}); }
    // Rows ever needed side by side: the lane's height in rows.
    [[nodiscard]] std::uint16_t rows() const { return rows_; }

    // The span that begins or ends with this event of the lane, if any.
    [[nodiscard]] std::optional<std::uint64_t> span_of_begin(std::uint64_t index) const;
    [[nodiscard]] std::optional<std::uint64_t> span_of_end(std::uint64_t index) const;
    // First of its own whose begin_tick >= tick; end_id() when none. Starts looking at `from`, one of its own: sweeps over
    // pixels find the next one near the last.
    [[nodiscard]] std::uint64_t lower_bound(std::uint64_t tick) const { return lower_bound(tick, first_id_); }
    [[nodiscard]] std::uint64_t lower_bound(std::uint64_t tick, std::uint64_t from) const;

    // visit(id) -> bool for every one of its own that touches [from, until) and is at least min_ticks wide (open ones
    // always), in order of begin; false stops. O(hits * log n), so a picture asks for those wider than a pixel and paints
    // density for the rest.
    template <typename Visit>
    void visit_overlapping(std::uint64_t from, std::uint64_t until, std::uint64_t min_ticks, Visit visit) const {
        const auto end = static_cast<std::size_t>(lower_bound(until) - first_id_);
        const auto is_wanted = [=](const SpanReach& reach) { return reach.end >= from && reach.width >= min_ticks; };
        bool going = true;
        const auto visit_each = [&](std::size_t at, std::size_t last) {
            for (; going && at < std::min(last, end); ++at) {
                if (is_wanted(reach_of(spans_[at]))) going = visit(first_id_ + at);
            }
            return going;
        };
        forest_.visit_where(0, (end + kLeaf - 1) / kLeaf, is_wanted,
                            [&](std::size_t leaf) { return visit_each(leaf * kLeaf, (leaf + 1) * kLeaf); });
        visit_each(forest_.size() * kLeaf, end);
    }

    [[nodiscard]] std::uint64_t memory_bytes() const;
    // Of one with so many from before and of its own, all of which have ended.
    [[nodiscard]] static std::uint64_t bytes_for(std::size_t before, std::size_t own);

private:
    void close(std::uint64_t id, std::uint64_t index, std::uint64_t tick, SpanState state);
    void index_ended();
    [[nodiscard]] SpanReach reach_of_leaf(std::size_t leaf) const;
    // Null when no span of that thread has begun.
    std::vector<std::uint64_t>* find_stack(std::uint32_t thread);
    std::uint16_t take_row();
    [[nodiscard]] const NumberedSpan* before_of(std::uint64_t id) const;

    std::uint64_t first_id_ = 0;
    std::vector<NumberedSpan> before_;
    StableVector<Span> spans_;
    // Of the oldest spans, kLeaf to a leaf; the newest, some kUnindexed at most, are looked at one by one: most of those end
    // soon, and then join it for good, while a leaf that changes later costs much more.
    static constexpr std::size_t kLeaf = 8;
    static constexpr std::size_t kUnindexed = 64;
    SegmentForest<SpanReach> forest_;
    std::unordered_map<std::uint32_t, std::vector<std::uint64_t>> stacks_;  // open spans by thread, outermost first
    std::uint32_t found_thread_ = 0;                                        // looked up last,
    std::vector<std::uint64_t>* found_stack_ = nullptr;                     // and its stack
    struct End {
        std::uint64_t index;  // of the event
        std::uint64_t span;
    };
    StableVector<End> ends_;  // in order of event
    // A lane whose begins never end would grow without bound; beyond this many rows spans share the last one.
    static constexpr std::size_t kMaxRows = 256;
    std::array<std::uint64_t, kMaxRows / 64> rows_taken_{};  // a bit a row
    static std::uint64_t row_bit(std::uint16_t row) { return std::uint64_t{1} << row % 64; }
    std::uint16_t rows_ = 0;
    bool has_forest_ = true;
    std::size_t open_ = 0;
    std::size_t deepest_ = 0;
    std::size_t unmatched_ends_ = 0;
    std::uint64_t busy_ = 0;        // intervals that are over, but for the one the run began in
    std::uint64_t busy_since_ = 0;  // of the interval that goes on: its begin; kNever: it is the one the run began in
    std::uint64_t first_idle_ = 0;  // where the interval the run began in was over; 0: there was none, or it goes on
    std::vector<std::uint64_t> ended_before_;
};

}  // namespace sla::store
