#include "viewer/analysis/limits/judge.h"

#include <algorithm>
#include <cmath>

namespace sla::analysis {

Verdict judge(Bar bar, Compare compare, double bound) {
    const auto decide = [](bool all, bool none) {
        return all ? Verdict::kPass : (none ? Verdict::kFail : Verdict::kCannotTell);
    };
    switch (compare) {
        case Compare::kLess: return decide(bar.high < bound, bar.low >= bound);
        case Compare::kLessEqual: return decide(bar.high <= bound, bar.low > bound);
        case Compare::kGreater: return decide(bar.low > bound, bar.high <= bound);
        case Compare::kGreaterEqual: return decide(bar.low >= bound, bar.high < bound);
        case Compare::kEqual: return decide(bar.low == bound && bar.high == bound, bar.low > bound || bar.high < bound);
        case Compare::kNotEqual: return decide(bar.low > bound || bar.high < bound, bar.low == bound && bar.high == bound);
    }
    return Verdict::kCannotTell;
}

double badness(double value, Compare compare, double bound) {
    switch (compare) {
        case Compare::kLess:
        case Compare::kLessEqual: return value - bound;
        case Compare::kGreater:
        case Compare::kGreaterEqual: return bound - value;
        case Compare::kEqual: return std::abs(value - bound);
        case Compare::kNotEqual: return -std::abs(value - bound);
    }
    return 0;
}

Finding judged(Finding finding, Bar bar, const Limit& limit) {
    finding.least = bar.low;
    finding.most = bar.high;
    finding.verdict = judge(bar, limit.compare, limit.bound);
    if (finding.verdict == Verdict::kFail) finding.why = "beyond the bound";
    if (finding.verdict == Verdict::kCannotTell) {
        finding.why = finding.unknown > 0 ? "lost events lie inside " + std::to_string(finding.unknown) + " more"
                                          : "the bound lies within the error";
    }
    return finding;
}

}  // namespace sla::analysis
