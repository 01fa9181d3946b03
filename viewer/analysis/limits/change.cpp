#include "viewer/analysis/limits/change.h"

#include "viewer/analysis/counterparts.h"
#include "viewer/analysis/damage.h"
#include "viewer/analysis/limits/doubts.h"
#include "viewer/analysis/limits/judge.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>
#include <utility>

namespace sla::analysis {

namespace {

// The figure itself is wanted: any is as good as another.
Limit any_of(Limit figure) {
    figure.compare = Compare::kGreaterEqual;
    figure.bound = -kInfinite;
    return figure;
}

// How far the new figure is from what the old one allows.
Bar difference(const Change& change, Bar before, Bar after) {
    const double low = change.factor * before.low + change.amount;
    const double high = std::isinf(before.high) ? kInfinite : change.factor * before.high + change.amount;
    return {after.low - high, after.high - low};
}

void judge_change(const Change& change, Changed& changed) {
    const Finding& a = changed.before;
    const Finding& b = changed.after;
    if (!a.measured_any || !b.measured_any) {
        changed.verdict = Verdict::kCannotTell;
        changed.why = std::string("there is nothing to measure in the ") + (a.measured_any ? "new" : "old") + " capture";
        return;
    }
    const Bar far = difference(change, {a.least, a.most}, {b.least, b.most});
    changed.verdict = judge(far, change.figure.compare, 0);
    changed.why.clear();
    if (changed.verdict == Verdict::kFail) changed.why = "beyond the bound";
    if (changed.verdict != Verdict::kCannotTell) return;
    changed.why = a.unknown + b.unknown > 0 ? "lost events leave it open" : "the bound lies within the errors";
}

std::vector<RowName> names_of(const store::Session& session, const std::vector<Finding>& findings) {
    std::vector<RowName> names;
    for (const Finding& finding : findings) {
        const std::string end = program_of(session, session.lane(finding.end));
        names.push_back({finding.channel, program_of(session, session.lane(finding.lane)) + "\n" + end});
    }
    return names;
}

// Both of one change side by side; in the order of the old one, then what only the new one has.
std::vector<Changed> side_by_side(const Change& change, const Side& old_side, const std::vector<Finding>& before,
                                  const Side& new_side, const std::vector<Finding>& after) {
    std::vector<Changed> all;
    const auto add = [&](const Finding& finding) -> Changed& {
        Changed& made = all.emplace_back();
        made.limit = change.figure.text;
        made.channel = finding.channel;
        return made;
    };
    for (const Finding& finding : before) add(finding).before = finding;
    const auto found = counterparts(names_of(old_side.session, before), names_of(new_side.session, after));
    for (std::size_t i = 0; i < after.size(); ++i) (found[i] ? all[*found[i]] : add(after[i])).after = after[i];
    for (Changed& changed : all) judge_change(change, changed);
    return all;
}

// Of a figure that bins give within some share, the rows give more.
bool may_be_clearer(const Change& change, const Changed& changed, const Side& before, const Side& after) {
    const bool paged = before.session.page_source() != nullptr || after.session.page_source() != nullptr;
    const bool both = changed.before.measured_any && changed.after.measured_any;
    return paged && both && change.figure.is_time() && changed.verdict == Verdict::kCannotTell &&
           changed.before.unknown + changed.after.unknown == 0;
}

// A list for each change; both captures are walked once for all of them.
using Lists = std::vector<std::vector<Changed>>;
Lists look(const std::vector<Change>& changes, const Side& before, const Side& after, const CheckProgress& progress,
           Reading reading) {
    std::vector<Limit> figures;
    for (const Change& change : changes) figures.push_back(any_of(change.figure));
    const auto a = check_each(before.session, figures, before.range, progress, reading);
    const auto b = check_each(after.session, figures, after.range, progress, reading);
    Lists lists;
    for (std::size_t i = 0; i < changes.size(); ++i) lists.push_back(side_by_side(changes[i], before, a[i], after, b[i]));
    return lists;
}

// The others are judged all the same.
Changed about_nothing(const Change& change) {
    Changed changed;
    changed.limit = change.figure.text;
    changed.channel = change.figure.channel;
    changed.verdict = Verdict::kCannotTell;
    changed.why = "neither capture has such a channel; `sla channels` lists the names";
    return changed;
}

// What a capture that is damaged or was cut off leaves sure; nothing: it is whole.
using DamagedPart = std::optional<Damaged>;

Bar bar_of(const Finding& finding, const Change& change, const Side& side, const DamagedPart& damaged) {
    if (!damaged) return {finding.least, finding.most};
    return bar_of_whole(finding, change.figure, *damaged, side.session.clock());
}

// What is missing may break what the rest keeps, and mend what it breaks: sure is what holds whatever that is.
void doubt(const Change& change, Bar before, Bar after, Changed& changed) {
    if (changed.verdict == Verdict::kCannotTell) return;
    if (judge(difference(change, before, after), change.figure.compare, 0) == changed.verdict) return;
    changed.why = std::string("a capture is damaged or has no end: what is missing may ") +
                  (changed.verdict == Verdict::kFail ? "mend" : "break") + " it; --until judges what lies before it";
    changed.verdict = Verdict::kCannotTell;
}

}  // namespace

std::vector<Changed> check_changes(const std::vector<Change>& changes, const Side& before, const Side& after,
                                   const CheckProgress& progress, Reading reading) {
    Lists lists = look(changes, before, after, progress, reading);
    std::vector<Change> again;
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < changes.size(); ++i) {
        if (lists[i].empty()) lists[i].push_back(about_nothing(changes[i]));
        const bool unclear = std::any_of(lists[i].begin(), lists[i].end(),
                                         [&](const Changed& one) { return may_be_clearer(changes[i], one, before, after); });
        if (!unclear || reading == Reading::kEveryRow) continue;
        again.push_back(changes[i]);
        places.push_back(i);
    }
    Lists exact = look(again, before, after, progress, Reading::kEveryRow);
    for (std::size_t i = 0; i < places.size(); ++i) lists[places[i]] = std::move(exact[i]);
    const DamagedPart old_damage = damaged_part(before.session, before.range);
    const DamagedPart new_damage = damaged_part(after.session, after.range);
    std::vector<Changed> all;
    for (std::size_t i = 0; i < lists.size(); ++i) {
        for (Changed& changed : lists[i]) {
            doubt(changes[i], bar_of(changed.before, changes[i], before, old_damage),
                  bar_of(changed.after, changes[i], after, new_damage), changed);
            all.push_back(std::move(changed));
        }
    }
    return all;
}

}  // namespace sla::analysis
