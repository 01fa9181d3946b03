#include "viewer/analysis/limits/share_check.h"

#include <algorithm>

namespace sla::analysis {

namespace {

std::uint64_t per_mille_of(Share share) {
    switch (share) {
        case Share::kP50: return 500;
        case Share::kP90: return 900;
        case Share::kP95: return 950;
        case Share::kP99: return 990;
        case Share::kP999: return 999;
        case Share::kEvery:
        case Share::kMin:
        case Share::kMax:
        case Share::kMean: break;
    }
    return 1000;
}

// Of so many, known and unknown, that nothing overflows.
std::uint64_t bounded(std::uint64_t unknown, std::uint64_t hidden) {
    constexpr std::uint64_t kMax = std::uint64_t{1} << 50;
    return std::min(std::min(unknown, kMax) + std::min(hidden, kMax), kMax);
}

// `ranked(n)` is the n-th of `known` times, from 1 on; `mean` that of all of them.
template <typename Ranked>
Finding judge_share(Finding finding, const Limit& limit, std::uint64_t known, const Measured& mean, const Ranked& ranked) {
    finding.checked = known;
    Bar bar{0, kInfinite};
    if (limit.share == Share::kMean) {
        point_at(finding, mean);
        if (finding.unknown == 0) bar = {mean.ps - mean.error, mean.ps + mean.error};
        return judged(finding, bar, limit);
    }
    const std::uint64_t all = known + finding.unknown;
    const std::uint64_t rank = std::max<std::uint64_t>((all * per_mille_of(limit.share) + 999) / 1000, 1);
    if (rank > finding.unknown) {
        const Measured low = ranked(rank - finding.unknown);
        bar.low = low.ps - low.error;
    }
    const Measured high = ranked(std::min(rank, known));
    if (rank <= known) bar.high = high.ps + high.error;
    point_at(finding, high);
    return judged(finding, bar, limit);
}

}  // namespace

ShareCheck::ShareCheck(const time::ClockMap& clock, const Limit& limit, const std::string& channel)
    : clock_(clock), limit_(limit), finding_(time_finding(limit, channel)) {}

void ShareCheck::take(const Interval& interval) {
    switch (interval.state) {
        case IntervalState::kLossy: ++finding_.unknown; return;
        case IntervalState::kUnfinished: unfinished_ += limit_.measure == Measure::kGap ? 0 : 1; return;
        case IntervalState::kWhole: break;
    }
    all_.push_back(measured(clock_, interval));
}

Finding ShareCheck::result() {
    finding_.unknown = bounded(finding_.unknown, hidden_);
    if (all_.empty()) return nothing_to_measure(finding_, unfinished_);
    std::sort(all_.begin(), all_.end(), [](const Measured& a, const Measured& b) { return a.ps < b.ps; });
    Measured mean;
    for (const Measured& one : all_) {
        mean.ps += one.ps / static_cast<double>(all_.size());
        mean.error = std::max(mean.error, one.error);
    }
    return judge_share(finding_, limit_, all_.size(), mean, [this](std::uint64_t rank) { return all_[rank - 1]; });
}

Finding check_share(const time::ClockMap& clock, const Limit& limit, const std::string& channel, const Intervals& intervals,
                    std::uint64_t hidden) {
    Finding finding = time_finding(limit, channel);
    finding.unknown = bounded(intervals.lost_intervals, hidden);
    if (intervals.count() == 0) return nothing_to_measure(finding, intervals.unfinished);
    const auto ps_of = [&](std::uint64_t ticks) {
        return static_cast<double>(clock.ticks_to_ps(static_cast<std::int64_t>(ticks)));
    };
    const double ps_per_tick = 1e12 / clock.ticks_per_second();
    const Measured mean{static_cast<double>(intervals.mean()) * ps_per_tick,
                        greatest_error(clock, intervals.greatest(), limit.measure), 0};
    return judge_share(finding, limit, intervals.count(), mean, [&](std::uint64_t rank) {
        const auto [least, most] = intervals.within(rank);
        const double half = (ps_of(most) - ps_of(least)) / 2;
        return Measured{ps_of(least) + half, greatest_error(clock, most, limit.measure) + half, 0};
    });
}

}  // namespace sla::analysis
