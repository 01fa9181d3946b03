#include "viewer/analysis/change.h"

#include "viewer/analysis/judge.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace sla::analysis {

namespace {

// The figure itself is wanted: any is as good as another.
Limit any_of(Limit figure) {
    figure.compare = Compare::kGreaterEqual;
    figure.bound = -kInfinite;
    return figure;
}

// Those of one change; none when the capture has no such channel.
Result<std::vector<Finding>> figures_of(const Change& change, const Side& side, const CheckProgress& progress,
                                        Reading reading) {
    auto found = check_limits(side.session, {any_of(change.figure)}, side.range, progress, reading);
    if (!found && found.error().code == ErrorCode::kNotFound) return std::vector<Finding>();
    return found;
}

void judge_change(const Change& change, Changed& changed) {
    const Finding& a = changed.before;
    const Finding& b = changed.after;
    if (!a.measured_any || !b.measured_any) {
        changed.verdict = Verdict::kCannotTell;
        changed.why = std::string("there is nothing to measure in the ") + (a.measured_any ? "new" : "old") + " capture";
        return;
    }
    const double low = change.factor * a.least + change.amount;
    const double high = std::isinf(a.most) ? kInfinite : change.factor * a.most + change.amount;
    changed.verdict = judge({b.least - high, b.most - low}, change.figure.compare, 0);
    changed.why.clear();
    if (changed.verdict == Verdict::kFail) changed.why = "beyond the bound";
    if (changed.verdict != Verdict::kCannotTell) return;
    changed.why = a.unknown + b.unknown > 0 ? "lost events leave it open" : "the bound lies within the errors";
}

// Both of one change side by side; in the order of the old one, then what only the new one has.
std::vector<Changed> side_by_side(const Change& change, const std::vector<Finding>& before,
                                  const std::vector<Finding>& after) {
    std::vector<Changed> all;
    const auto of = [&](const std::string& channel) -> Changed& {
        const auto at = std::find_if(all.begin(), all.end(), [&](const Changed& one) { return one.channel == channel; });
        if (at != all.end()) return *at;
        Changed& made = all.emplace_back();
        made.limit = change.figure.text;
        made.channel = channel;
        return made;
    };
    for (const Finding& finding : before) of(finding.channel).before = finding;
    for (const Finding& finding : after) of(finding.channel).after = finding;
    for (Changed& changed : all) judge_change(change, changed);
    return all;
}

// Of a figure that bins tell within some share, the rows tell more.
bool may_be_clearer(const Change& change, const Changed& changed, const Side& before, const Side& after) {
    const bool paged = before.session.page_source() != nullptr || after.session.page_source() != nullptr;
    const bool both = changed.before.measured_any && changed.after.measured_any;
    return paged && both && change.figure.is_time() && changed.verdict == Verdict::kCannotTell &&
           changed.before.unknown + changed.after.unknown == 0;
}

}  // namespace

Result<std::vector<Changed>> check_changes(const std::vector<Change>& changes, const Side& before, const Side& after,
                                           const CheckProgress& progress, Reading reading) {
    std::vector<Changed> all;
    for (const Change& change : changes) {
        const auto look = [&](Reading how) -> Result<std::vector<Changed>> {
            auto a = figures_of(change, before, progress, how);
            if (!a) return a.error();
            auto b = figures_of(change, after, progress, how);
            if (!b) return b.error();
            return side_by_side(change, *a, *b);
        };
        auto found = look(reading);
        if (!found) return found.error();
        if (found->empty()) return not_found("'" + change.figure.text + "': neither capture has such a channel");
        const bool again = std::any_of(found->begin(), found->end(),
                                       [&](const Changed& one) { return may_be_clearer(change, one, before, after); });
        if (again && reading == Reading::kAsNeeded) found = look(Reading::kEveryRow);
        if (!found) return found.error();
        std::move(found->begin(), found->end(), std::back_inserter(all));
    }
    return all;
}

}  // namespace sla::analysis
