#include "viewer/analysis/limits/doubts.h"

#include "viewer/analysis/limits/judge.h"

#include <algorithm>

namespace sla::analysis {

namespace {

// However many events more there were.
bool stays_kept(const Limit& limit) {
    return limit.measure == Measure::kCount &&
           (limit.compare == Compare::kGreater || limit.compare == Compare::kGreaterEqual);
}

bool stays_broken(const Finding& finding, const Limit& limit, const Damaged& damaged, const time::ClockMap& clock) {
    if (limit.is_time() && limit.share == Share::kEvery && !finding.is_open) return true;
    return judge(bar_of_whole(finding, limit, damaged, clock), limit.compare, limit.bound) == Verdict::kFail;
}

}  // namespace

Finding about_nothing(const Limit& limit, const std::string& why) {
    Finding finding;
    finding.limit = limit.text;
    finding.channel = limit.measure == Measure::kPair ? limit.channel + "->" + limit.end : limit.channel;
    finding.is_time = limit.is_time();
    finding.verdict = Verdict::kCannotTell;
    finding.why = why;
    return finding;
}

Bar bar_of_whole(const Finding& finding, const Limit& limit, const Damaged& damaged, const time::ClockMap& clock) {
    if (limit.measure == Measure::kLost) return {finding.least, finding.most};
    if (limit.measure == Measure::kCount) return {finding.least, kInfinite};
    // It is of more time, too, where nobody knows when the capture ended.
    if (limit.measure == Measure::kRate) return {damaged.is_end_known ? finding.least : 0, kInfinite};
    if (finding.is_open) {
        if (damaged.from <= finding.at_tick) return {0, kInfinite};
        const auto lasted = clock.ticks_to_ps(static_cast<std::int64_t>(damaged.from - finding.at_tick));
        return {static_cast<double>(lasted) - finding.error, kInfinite};
    }
    switch (limit.share) {
        case Share::kMax: return {finding.least, kInfinite};
        case Share::kMin: return {0, finding.most};
        default: return {0, kInfinite};
    }
}

void doubt_damaged(Finding& finding, const Limit& limit, const Damaged& damaged, const time::ClockMap& clock) {
    const bool may_break = finding.verdict == Verdict::kPass && !stays_kept(limit);
    const bool may_mend = finding.verdict == Verdict::kFail && !stays_broken(finding, limit, damaged, clock);
    if (limit.measure == Measure::kLost || (!may_break && !may_mend)) return;
    finding.verdict = Verdict::kCannotTell;
    finding.why = std::string("the capture is damaged or has no end: what is missing may ") + (may_mend ? "mend" : "break") +
                  " it; --until judges what lies before it";
}

void doubt_hidden(Finding& finding, const Limit& limit, const Hidden& hidden, const time::ClockMap& clock) {
    if (!finding.measured_any || !hidden.any()) return;
    if (limit.share == Share::kMin) finding.least = 0;
    if (limit.share == Share::kMax) finding.most = std::max(finding.most, most_of(hidden, clock, limit.measure));
    const bool is_extreme = limit.share == Share::kMin || limit.share == Share::kMax;
    const bool may_mend = finding.verdict == Verdict::kFail && is_extreme && !finding.is_open &&
                          judge({finding.least, finding.most}, limit.compare, limit.bound) != Verdict::kFail;
    const bool may_be_broken = finding.verdict == Verdict::kPass && may_break(hidden, limit, clock);
    if (!may_mend && !may_be_broken) return;
    finding.verdict = Verdict::kCannotTell;
    finding.why = "others may be among the events that were lost";
}

}  // namespace sla::analysis
