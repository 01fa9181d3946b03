// Share checks: the mean or a percentile of many intervals, held against a limit. Those that are not known are taken as
// shorter than all others, then as longer: what holds both times is decided. A mean with such intervals is not.
#pragma once

#include "viewer/analysis/limits/interval_check.h"

#include <cstdint>
#include <string>
#include <vector>

namespace sla::analysis {

// Of intervals one by one: each with its own error, and reported with its place. 24 bytes an interval.
class ShareCheck {
public:
    // `limit` outlives it; its share is the mean or a percentile.
    ShareCheck(const time::ClockMap& clock, const Limit& limit, const std::string& channel);
    // Besides those that are taken there may be so many more, of which nothing is known.
    void take_hidden(std::uint64_t most) { hidden_ = most; }
    void take(const Interval& interval);
    [[nodiscard]] Finding result();

private:
    time::ClockMap clock_;
    const Limit& limit_;
    Finding finding_;
    std::vector<Measured> all_;
    std::uint64_t unfinished_ = 0;
    std::uint64_t hidden_ = 0;
};

// Of widths that were collected: with the greatest error there may be; where only bins are known, a rank is within its bin.
Finding check_share(const time::ClockMap& clock, const Limit& limit, const std::string& channel, const Intervals& intervals,
                    std::uint64_t hidden);

}  // namespace sla::analysis
