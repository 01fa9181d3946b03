// Intervals that losses may have swallowed whole: nobody saw them, so no walk finds them. What is known is that each began in a
// loss; that of a span may have ended in another one, or nowhere.
//
//   rows      e   G   e   e   G   e   e    two losses of a thread
//   lost          ├b─┤        ├e─┤         a span may reach from the one to the other, or be open still
#pragma once

#include "viewer/analysis/limits/limit.h"
#include "viewer/analysis/selection.h"

#include <cstdint>

namespace sla::analysis {

struct Hidden {
    std::uint64_t most = 0;     // so many at most that have ended; of an uncounted loss store::kNever
    std::uint64_t longest = 0;  // ticks that one of them can have lasted at most
    bool may_be_open = false;   // one may not have ended

    [[nodiscard]] bool any() const { return most > 0 || may_be_open; }
    void join(const Hidden& others);
};

// Of the spans and levels of a lane; of the pairs from it to `end`, when that is not null. An interval that a loss merely lies in
// is none of them: that one is known to be lossy. None lasts longer than `known`, where what is known of their ends is over.
Hidden hidden_by_losses(const store::Lane& lane, const store::Lane* end, const Selection& range, std::uint64_t known);
// So many times more there may be between events as events are missing; none longer than what is known.
Hidden hidden_gaps(const store::Lane& lane, const Selection& range);
// One loss more, and what may have begun in it.
void add_lost(Hidden& hidden, const store::Gap& gap);

// The events of a lane of spans that are missing: the first of them from that tick on, none behind `until`.
struct LostSpans {
    Hidden events;
    std::uint64_t first_tick = store::kNever;
    std::uint64_t until = 0;

    void add(const store::Gap& gap, std::uint64_t from);
    // The spans that they may have been; `orphans`: of those whose ends are there (OrphanEnds). `is_any_open`: one may not have ended.
    [[nodiscard]] Hidden with(const Hidden& orphans, bool is_any_open, std::uint64_t known) const;
};

// How long the longest of them may have been, with its error; picoseconds.
double most_of(const Hidden& hidden, const time::ClockMap& clock, Measure measure);
// More intervals, of which only that is known: may they break what all others keep?
bool may_break(const Hidden& hidden, const Limit& limit, const time::ClockMap& clock);

}  // namespace sla::analysis
