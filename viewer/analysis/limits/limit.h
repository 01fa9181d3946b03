// Limits: what a capture must hold to, for `sla check`.
//
//   LIMIT    := MEASURE CMP BOUND                       CMP := < <= > >= == !=
//   MEASURE  := CH '->' CH [SHARE]                      time from each start of the first to the next start of the second
//             | 'width' CH [SHARE]                      of spans; one that is open has lasted until the capture's end
//             | 'gap' CH [SHARE]                        from each event to the next, and from the last one to the end (of
//                                                       a source that makes up its time: its newest event); that is not over,
//                                                       so that means and percentiles leave it out, as statistics do
//             | 'rate' CH | 'count' CH | 'lost' [CH]    events a second, events, events lost
//             | 'rate' EXPR | 'count' EXPR              the same of the events of all channels that a filter lets through
//   SHARE    := min | max | mean | p50 | p90 | p95 | p99 | p999   without one, every single interval must hold to it
//   BOUND    := a time with its unit (50us, 2ms); for rates N or N/s; for counts N
//   CH       := a name or a pattern (irq.*), in quotes when it has blanks or signs in it; or channel ~ PATTERN, as in filters
//
// A word that is no keyword is a channel; "width" in quotes is a channel named so. EXPR is what filters take (event_filter.h), as
// in `count net.rx > 5 == 0`: the last comparison is the bound.
#pragma once

#include "proto/base/result.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace sla::analysis {

enum class Measure { kPair, kWidth, kGap, kRate, kCount, kLost };
enum class Share { kEvery, kMin, kMax, kMean, kP50, kP90, kP95, kP99, kP999 };
enum class Compare { kLess, kLessEqual, kGreater, kGreaterEqual, kEqual, kNotEqual };

struct Limit {
    std::string text;  // as typed
    Measure measure = Measure::kCount;
    std::string channel;  // a glob; of kLost it may be empty: all
    std::string end;      // of kPair
    std::string filter;   // of kCount and kRate, in place of the channel: which events
    Share share = Share::kEvery;
    Compare compare = Compare::kLess;
    double bound = 0;  // picoseconds, events a second, events

    [[nodiscard]] bool is_time() const {
        return measure == Measure::kPair || measure == Measure::kWidth || measure == Measure::kGap;
    }
};

// The error names the column (from 1) and shows it under the text.
Result<Limit> parse_limit(std::string_view text);

// How a figure may differ from the same figure of another capture, for `sla compare`: a limit whose bound is
//
//   +N% | -N% | N%               of the other's figure: so much more, so much less, such a share
//   +TIME | -TIME | +N | -N      more or less than it
//
// Times need a SHARE: which figure of all intervals is meant.
struct Change {
    Limit figure;  // without a bound
    // The figure is held against factor * the other's + amount.
    double factor = 1;
    double amount = 0;
};
Result<Change> parse_change(std::string_view text);

}  // namespace sla::analysis
