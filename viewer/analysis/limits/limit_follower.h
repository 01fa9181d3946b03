// LimitFollower: limits held against a session that grows, row by row as rows become final, by the same checks as check_limits:
// a limit that breaks is said at once, so is what has lasted too long and not ended, and at the end there are the findings that
// check_limits has of the same rows.
//
//   rows become final ─► go_on() ─► BreakListener        finish() ─► findings
//
// What only many intervals together decide (a mean, a percentile, a rate, a count that must be reached) is decided at the end;
// of more than a million widths percentiles are known within 0.8 %, which counts as error.
//
// Memory: a kilobyte a channel and limit, and what is open; of a percentile up to 9 MB. It does not grow with the rows.
// One owner, one thread. A channel that comes later is judged from its first row on; of a program that ended before the first
// row it is not judged. Of a limit with more than a thousand pairs, those of programs that had ended when the other began are
// not judged: it cannot be told then. Nor can it of pairs of which rows come out of the order of their times, as of a program
// with a time of its own and one by the machine's; of these nothing is said before the end.
#pragma once

#include "viewer/analysis/followed_lanes.h"
#include "viewer/analysis/limits/break_listener.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace sla::analysis {

class LimitFollower {
public:
    explicit LimitFollower(std::vector<Limit> limits);
    ~LimitFollower();
    LimitFollower(const LimitFollower&) = delete;
    LimitFollower& operator=(const LimitFollower&) = delete;

    // All rows of a step, before any of them is gone.
    void go_on(const FinalRows& rows, BreakListener& to);
    // Nothing comes any more: what is open lasted to the range's end. Once.
    std::vector<Finding> finish(const store::Session& session, const Selection& range);
    // Whatever comes, it can only be judged at the end.
    static bool is_judged_at_end(const Limit& limit);

private:
    class State;
    std::unique_ptr<State> state_;
};

}  // namespace sla::analysis
