#include "viewer/analysis/limits/doubts.h"

#include <algorithm>

namespace sla::analysis {

Finding about_nothing(const Limit& limit, const std::string& why) {
    Finding finding;
    finding.limit = limit.text;
    finding.channel = limit.measure == Measure::kPair ? limit.channel + "->" + limit.end : limit.channel;
    finding.is_time = limit.is_time();
    finding.verdict = Verdict::kCannotTell;
    finding.why = why;
    return finding;
}

void doubt_damaged(Finding& finding, const Limit& limit) {
    const bool at_least =
        limit.measure == Measure::kCount && (limit.compare == Compare::kGreater || limit.compare == Compare::kGreaterEqual);
    if (finding.verdict != Verdict::kPass || limit.measure == Measure::kLost || at_least) return;
    finding.verdict = Verdict::kCannotTell;
    finding.why = "the capture is damaged or has no end: what is missing may break it; --until judges what lies before it";
}

void doubt_hidden(Finding& finding, const Limit& limit, const Hidden& hidden, const time::ClockMap& clock) {
    if (!finding.measured_any || !hidden.any()) return;
    if (limit.share == Share::kMin) finding.least = 0;
    if (limit.share == Share::kMax) finding.most = std::max(finding.most, most_of(hidden, clock, limit.measure));
    if (finding.verdict != Verdict::kPass || !may_break(hidden, limit, clock)) return;
    finding.verdict = Verdict::kCannotTell;
    finding.why = "others may be among the events that were lost";
}

}  // namespace sla::analysis
