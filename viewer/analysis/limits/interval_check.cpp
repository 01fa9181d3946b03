#include "viewer/analysis/limits/interval_check.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace sla::analysis {

namespace {

// What its time is known to lie between.
Bar bar_of(const Interval& interval, const Measured& measured, Measure measure) {
    const double low = std::max(0.0, measured.ps - measured.error);
    const double high = measured.ps + measured.error;
    switch (interval.state) {
        case IntervalState::kWhole: return {low, high};
        // Events that were lost inside can only have made a gap shorter; of a pair or a span nothing is known.
        case IntervalState::kLossy: return {0, measure == Measure::kGap ? high : kInfinite};
        case IntervalState::kUnfinished: return {low, kInfinite};
    }
    return {};
}

}  // namespace

Measured measured(const time::ClockMap& clock, const Interval& interval) {
    const auto stamps = interval.one_thread ? time::Stamps::kOneThread : time::Stamps::kTwoThreads;
    return {static_cast<double>(clock.ticks_to_ps(static_cast<std::int64_t>(interval.width()))),
            static_cast<double>(clock.error_between(interval.begin_tick, interval.end_tick, stamps)), interval.begin_tick};
}

std::optional<Verdict> verdict_of(const Interval& interval, const Measured& measured, const Limit& limit) {
    const Verdict verdict = judge(bar_of(interval, measured, limit.measure), limit.compare, limit.bound);
    if (interval.state == IntervalState::kUnfinished && verdict != Verdict::kFail) return std::nullopt;
    return verdict;
}

double greatest_error(const time::ClockMap& clock, std::uint64_t width, Measure measure) {
    const auto stamps = measure == Measure::kWidth ? time::Stamps::kOneThread : time::Stamps::kTwoThreads;
    auto error = static_cast<double>(clock.delta_error_ps(width, stamps));
    for (const time::ClockBreak& one : clock.breaks()) error += static_cast<double>(one.ps);
    return error;
}

void point_at(Finding& finding, const Measured& measured) {
    finding.measured_any = true;
    finding.measured = measured.ps;
    finding.error = measured.error;
    finding.at_tick = measured.begin_tick;
}

Finding time_finding(const Limit& limit, const std::string& channel) {
    Finding finding;
    finding.limit = limit.text;
    finding.channel = channel;
    finding.is_time = true;
    return finding;
}

Finding nothing_to_measure(Finding finding, std::uint64_t unfinished) {
    finding.verdict = Verdict::kCannotTell;
    finding.why = "there is nothing to measure";
    if (unfinished > 0) finding.why += " but " + std::to_string(unfinished) + " without an end";
    return finding;
}

IntervalCheck::IntervalCheck(const time::ClockMap& clock, const Limit& limit, const std::string& channel)
    : clock_(clock),
      limit_(limit),
      worse_(worse_of(limit)),
      kept_until_(find_kept_until()),
      finding_(time_finding(limit, channel)) {}

IntervalCheck::Worse IntervalCheck::worse_of(const Limit& limit) {
    if (limit.share == Share::kMax) return Worse::kLonger;
    if (limit.share == Share::kMin) return Worse::kShorter;
    switch (limit.compare) {
        case Compare::kLess:
        case Compare::kLessEqual: return Worse::kLonger;
        case Compare::kGreater:
        case Compare::kGreaterEqual: return Worse::kShorter;
        case Compare::kEqual:
        case Compare::kNotEqual: break;
    }
    return Worse::kNeither;
}

bool IntervalCheck::is_surely_kept(std::uint64_t rank) const {
    constexpr double kRounding = 2;  // of picoseconds that are given as whole numbers
    const std::uint64_t width = worse_ == Worse::kShorter ? ~rank : rank;
    const auto ps = static_cast<double>(clock_.ticks_to_ps(static_cast<std::int64_t>(width)));
    const double error = greatest_error(clock_, width, limit_.measure) + kRounding;
    return judge({std::max(0.0, ps - error), ps + error}, limit_.compare, limit_.bound) == Verdict::kPass;
}

// The longer, the worse, or the shorter: halved down to the last width that is kept.
std::optional<std::uint64_t> IntervalCheck::find_kept_until() const {
    if (worse_ == Worse::kNeither) return std::nullopt;
    if (limit_.share != Share::kEvery) return store::kNever;  // the longest or the shortest is judged alone
    constexpr std::uint64_t kLongest = std::uint64_t{1} << 62;
    std::uint64_t kept = worse_ == Worse::kShorter ? ~kLongest : 0;
    std::uint64_t beyond = worse_ == Worse::kShorter ? store::kNever : kLongest;
    if (!is_surely_kept(kept)) return std::nullopt;
    while (beyond - kept > 1) {
        const std::uint64_t middle = kept + (beyond - kept) / 2;
        (is_surely_kept(middle) ? kept : beyond) = middle;
    }
    return kept;
}

void IntervalCheck::expect(const WidthSums& sums) {
    if (sums.count > 0) expected_ = std::max(expected_, worst_rank(sums));
}

bool IntervalCheck::can_take(const WidthSums& sums) const {
    if (sums.count == 0) return true;
    const std::uint64_t rank = worst_rank(sums);
    return kept_until_ && rank <= *kept_until_ && (rank < expected_ || (worst_ && rank <= *worst_));
}

void IntervalCheck::look_at(const Interval& interval) {
    const bool is_whole = interval.state == IntervalState::kWhole;
    if (interval.state == IntervalState::kUnfinished && limit_.measure != Measure::kGap) ++unfinished_;
    if (interval.state == IntervalState::kLossy) ++finding_.unknown;
    const Measured found = measured(clock_, interval);
    if (interval.state == IntervalState::kLossy)
        longest_lossy_ = std::max(longest_lossy_, bar_of(interval, found, limit_.measure).high);
    if (limit_.share != Share::kEvery) {
        const bool is_longest = !longest_unfinished_ || found.ps > longest_unfinished_->ps;
        if (interval.state == IntervalState::kUnfinished && is_longest) longest_unfinished_ = found;
        if (!is_whole) return;
        ++finding_.checked;
        if (worst_ && rank_of(interval.width()) <= *worst_) return;
        point_at(found, interval.width());
        if (is_lasting() && verdict_of(interval, found, limit_) == Verdict::kFail) ++breaks_;
        return;
    }
    const std::optional<Verdict> one = verdict_of(interval, found, limit_);
    if (!one) return;
    ++finding_.checked;
    if (one == Verdict::kFail) {
        ++finding_.broken;
        ++breaks_;
        if (interval.state == IntervalState::kUnfinished) ++open_breaks_;
    }
    if (one == Verdict::kCannotTell) ++undecided_;
    const bool is_known = is_whole || one == Verdict::kFail;
    if (!is_known && finding_.measured_any) return;
    const bool is_worse = !finding_.measured_any || badness(found.ps, limit_.compare, limit_.bound) >
                                                        badness(finding_.measured, limit_.compare, limit_.bound);
    if (is_worse) point_at(found, interval.width());
}

void IntervalCheck::take_possible(const Interval& interval) {
    const Measured found = measured(clock_, interval);
    ++finding_.unknown;
    longest_lossy_ = std::max(longest_lossy_, bar_of(interval, found, limit_.measure).high);
    if (limit_.share != Share::kEvery || verdict_of(interval, found, limit_) == Verdict::kPass) return;
    ++finding_.checked;
    ++undecided_;
    if (!finding_.measured_any) point_at(found, interval.width());
}

void IntervalCheck::point_at(const Measured& measured, std::uint64_t width) {
    analysis::point_at(finding_, measured);
    worst_ = rank_of(width);
    find_harmless();
}

void IntervalCheck::find_harmless() {
    harmless_until_.reset();
    if (kept_until_ && worst_) harmless_until_ = std::min(*kept_until_, *worst_);
}

bool IntervalCheck::is_lasting() const {
    const bool upper = limit_.compare == Compare::kLess || limit_.compare == Compare::kLessEqual;
    const bool lower = limit_.compare == Compare::kGreater || limit_.compare == Compare::kGreaterEqual;
    switch (limit_.share) {
        case Share::kEvery: return true;
        case Share::kMax: return upper;
        case Share::kMin: return lower;
        default: return false;
    }
}

bool IntervalCheck::is_broken_by(const Interval& interval) const {
    if (!is_lasting() || (limit_.share == Share::kEvery && is_harmless(interval.width()))) return false;
    return verdict_of(interval, measured(clock_, interval), limit_) == Verdict::kFail;
}

void IntervalCheck::set_clock(const time::ClockMap& clock) {
    clock_ = clock;
    kept_until_ = find_kept_until();
    find_harmless();
}

Finding IntervalCheck::result() const {
    if (finding_.checked == 0 && !is_decided_by_unfinished()) return nothing_to_measure(finding_, unfinished_);
    return limit_.share == Share::kEvery ? every_result() : extreme_result();
}

Finding IntervalCheck::every_result() const {
    Finding finding = finding_;
    finding.unknown = undecided_;
    if (finding.broken > 0) {
        finding.verdict = Verdict::kFail;
        finding.is_open = open_breaks_ == finding.broken;
        finding.why = std::to_string(finding.broken) + " of " + std::to_string(finding.checked) + " break it";
    } else if (undecided_ > 0) {
        finding.verdict = Verdict::kCannotTell;
        finding.why = std::to_string(undecided_) + " of " + std::to_string(finding.checked) +
                      " lie within the error of the bound, or lost events lie inside";
    } else if (unfinished_ > 0) {
        finding.why = std::to_string(unfinished_) + " more had no end of their own";
    }
    return finding;
}

// The longest is at least as long as one that has no end; of figures that are compared (a bound beyond all) it is none.
bool IntervalCheck::is_decided_by_unfinished() const {
    if (limit_.share != Share::kMax || !longest_unfinished_ || !std::isfinite(limit_.bound)) return false;
    if (finding_.checked > 0 && longest_unfinished_->ps <= finding_.measured) return false;
    const double least = longest_unfinished_->ps - longest_unfinished_->error;
    return judge({least, kInfinite}, limit_.compare, limit_.bound) != Verdict::kCannotTell;
}

// What is not known may be longer than the longest, and shorter than the shortest.
Finding IntervalCheck::extreme_result() const {
    if (is_decided_by_unfinished()) {
        Finding finding = finding_;
        analysis::point_at(finding, *longest_unfinished_);
        ++finding.checked;
        finding.is_open = true;
        return judged(finding, {finding.measured - finding.error, kInfinite}, limit_);
    }
    Bar bar{finding_.measured - finding_.error, finding_.measured + finding_.error};
    if (finding_.unknown > 0 && limit_.share == Share::kMin) bar.low = 0;
    if (limit_.share == Share::kMax) bar.high = std::max(bar.high, longest_lossy_);
    return judged(finding_, bar, limit_);
}

}  // namespace sla::analysis
