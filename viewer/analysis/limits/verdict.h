// Verdicts: a capture held against a limit. Error bars and losses count: what lies so near the bound that the error
// straddles it, or was hidden by lost events, is neither kept nor broken but undecided.
//
//   times          each interval is its width ± the clock's error between its two stamps. An interval with a loss inside
//                  is not known, but a `gap` with one was at most as wide as it looks; an interval without an end of its
//                  own was at least as wide as it is known to be
//   gap            events may have been lost before the first one and behind the last too, up to where losses reach: each makes a
//                  time more, none of them longer than what is known. A loss that does not say until when parts whatever comes
//                  before its thread is heard of again
//   width          an end whose begin was lost ends a span that began in the loss. Of one whose begin was lost and that has no
//                  end here nobody knows, and it counts for nothing
//   min max p..    the intervals that are not known are taken as shorter than all others, then as longer: what holds both
//                  times is decided. A mean with such intervals is not. The longest is no shorter than one without an end
//   rate count     the events that were lost are taken as none, then as all of the channel's own
//   lost           by the gap rows of the channels, and by pages of a file that cannot be read, which is looked for; of a loss
//                  that nobody counted more is not decided
//
// The whole of a capture that is damaged or was cut off keeps no limit that what is missing may break, and breaks none that it
// may mend: it cannot be decided.
#pragma once

#include "viewer/analysis/limits/limit.h"
#include "viewer/analysis/selection.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace sla::analysis {

enum class Verdict { kPass, kFail, kCannotTell };
const char* verdict_name(Verdict verdict);  // "pass", "fail", "cannot tell"

// One limit, for one channel or pair that it is about.
struct Finding {
    std::string limit;
    std::string channel;  // or "A->B"; "" for all together
    ChannelId lane;       // the channel, or A: several may have its name; 0: of several, or none
    ChannelId end;        // B
    Verdict verdict = Verdict::kPass;
    bool is_time = false;  // measured and error are picoseconds; else events, or events a second
    bool measured_any = false;
    double measured = 0;  // of the worst place, or the number itself
    double error = 0;     // ±
    double least = 0;     // of one number: what it is known to lie between
    double most = 0;
    std::uint64_t at_tick = 0;  // where the worst begins; 0: nowhere
    std::uint64_t checked = 0;  // intervals, or events
    std::uint64_t broken = 0;   // intervals beyond the bound
    std::uint64_t unknown = 0;  // intervals of which it is not decided, or events lost
    bool is_open = false;       // what breaks it has no end of its own, so that it was measured up to the capture's
    std::string why;            // for people, when the verdict is not pass
};

// Receives 0..1; false stops, and what is found so far is of no use. May be empty.
using CheckProgress = std::function<bool(double)>;

// For each limit every channel or pair that its patterns match (of widths: that has spans, where some have); where there is
// none one finding that says so. Where rows stay in a file that
// keeps sums, only pages in which something matters are read; a percentile is then known within its bin, and read exactly
// when that does not suffice. 100 M events in tenths of a second; pairs are walked row by row.
enum class Reading { kAsNeeded, kEveryRow };
std::vector<Finding> check_limits(const store::Session& session, const std::vector<Limit>& limits, const Selection& range,
                                  const CheckProgress& progress = {}, Reading reading = Reading::kAsNeeded);
// The same apart for each limit; none where its patterns match nothing.
std::vector<std::vector<Finding>> check_each(const store::Session& session, const std::vector<Limit>& limits,
                                             const Selection& range, const CheckProgress& progress, Reading reading);
// `check_limits` of one; findings do not point to it.
std::vector<Finding> check_limit(const store::Session& session, const Limit& limit, const Selection& range);

}  // namespace sla::analysis
