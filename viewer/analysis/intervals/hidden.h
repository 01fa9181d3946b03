// Intervals that losses may have swallowed whole: nobody saw them, so no walk finds them. What is known is that each
// lay where the loss did.
#pragma once

#include "viewer/analysis/limits/limit.h"
#include "viewer/analysis/selection.h"

#include <cstdint>

namespace sla::analysis {

struct Hidden {
    std::uint64_t most = 0;     // so many at most; of an uncounted loss store::kNever
    std::uint64_t longest = 0;  // ticks that one of them can have lasted at most

    [[nodiscard]] bool any() const { return most > 0; }
};

// Of the spans and levels of a lane; of the pairs from it to `end`, when that is not null. An interval that a loss merely lies in
// is none of them: that one is known to be lossy.
Hidden hidden_by_losses(const store::Lane& lane, const store::Lane* end, const Selection& range);
// So many times more there may be between events as events are missing; none longer than what is known.
Hidden hidden_gaps(const store::Lane& lane, const Selection& range);
// One loss more.
void add_lost(Hidden& hidden, const store::Gap& gap, std::uint64_t lost);

// How long the longest of them may have been, with its error; picoseconds.
double most_of(const Hidden& hidden, const time::ClockMap& clock, Measure measure);
// More intervals, of which only that is known: may they break what all others keep?
bool may_break(const Hidden& hidden, const Limit& limit, const time::ClockMap& clock);

}  // namespace sla::analysis
