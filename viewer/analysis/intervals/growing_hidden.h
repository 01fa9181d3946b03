// What losses may have swallowed (hidden.h) of a lane that grows, and whose rows are gone once they were walked over.
// Private to the room. Value type; bounded: of more than kMost losses that are not over, the longest is taken to be endless.
// Of spans, which may last from a loss to the end, a number and a tick is all that is kept.
#pragma once

#include "viewer/analysis/intervals/hidden.h"
#include "viewer/analysis/intervals/orphan_ends.h"
#include "viewer/analysis/intervals/pair_walk.h"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace sla::analysis {

class GrowingHidden {
public:
    // Of the spans of that lane, of the pairs from it to another one, or of the times between its events. From that row on; losses
    // of before may last.
    GrowingHidden(const store::Lane& lane, std::uint64_t row, Measure measure);

    // The lane's rows up to that one.
    void go_on(const store::Lane& lane, std::uint64_t end);
    // And the other one's, which this walk has not come by yet. Behind go_on() of the same rows.
    void go_on_ends(const StartsWalk& ends, std::uint64_t end);
    // None lasts longer than `known`.
    [[nodiscard]] Hidden found(std::uint64_t known) const;

    // Goes on at that row of the same lane in another session.
    void move_to(std::uint64_t row) { row_ = row; }

private:
    static constexpr std::size_t kMost = 1000;

    struct Loss {
        std::uint64_t tick = 0;
        std::uint64_t until = store::kNever;  // when the loss itself was over, as far as that is known
        std::uint64_t last_row = 0;           // there it is, at the latest
        std::uint32_t thread = 0;
        bool is_over = false;  // no more of it can hide: it ended, and of levels one was said since
    };
    // Neither a span nor a level has said yet which of both the lane has.
    [[nodiscard]] bool is_kind_open(const store::Lane& lane) const;
    void begin_tracking_early(const store::Lane& lane, std::uint64_t row);
    void add(const store::Lane& lane, const store::Gap& gap, std::uint64_t from, std::uint64_t row);
    void track(const store::Lane& lane, const store::Gap& gap, std::uint32_t thread, std::uint64_t row);
    void find_end(Loss& loss, const store::Lane& lane, std::uint64_t from, std::uint64_t end) const;
    void settle(const Loss& loss, std::uint64_t tick);

    Measure measure_;
    std::uint64_t row_;
    Hidden hidden_;                                            // levels, pairs or times between events
    Hidden orphaned_;                                          // spans whose ends are there
    OrphanEnds orphans_;                                       // of spans
    LostSpans spans_;                                          // of a lane that has them, or neither them nor levels
    bool are_spans_;                                           // it is one
    std::vector<std::pair<store::Gap, std::uint32_t>> early_;  // with their threads: before the first span or level
    bool are_early_too_many_ = false;                          // there are more
    std::vector<Loss> open_;                                   // of which it is not known how long what they hide can be
    std::uint64_t first_endless_ = store::kNever;              // tick of the first of those that were too many for open_
};

}  // namespace sla::analysis
