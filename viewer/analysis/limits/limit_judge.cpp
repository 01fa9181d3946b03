#include "viewer/analysis/limits/limit_judge.h"

#include "viewer/analysis/chunk_walk.h"
#include "viewer/analysis/intervals/statistics.h"
#include "viewer/analysis/limits/doubts.h"
#include "viewer/analysis/limits/job_walk.h"
#include "viewer/analysis/limits/lane_checks.h"
#include "viewer/analysis/limits/number_check.h"
#include "viewer/analysis/limits/share_check.h"
#include "viewer/store/unreadable_pages.h"

#include <algorithm>
#include <memory>
#include <utility>

namespace sla::analysis {

namespace {

using Lanes = std::vector<const store::Lane*>;
using Job = LimitJob;

Selection selection_of(const std::vector<Job>& jobs, const Selection& range) {
    Lanes lanes;
    for (const Job& job : jobs) lanes.push_back(job.lane);
    return with_lanes(range, std::move(lanes));
}

// A job's lane in such a selection.
std::size_t place_of(const Job& job, const Selection& selection) {
    const auto at = std::find(selection.lanes.begin(), selection.lanes.end(), job.lane);
    return static_cast<std::size_t>(at - selection.lanes.begin());
}

}  // namespace

std::vector<const store::Lane*> with_widths(std::vector<const store::Lane*> lanes) {
    const auto has_widths = [](const store::Lane* lane) { return !lane->spans().empty() || lane->has_levels(); };
    if (std::any_of(lanes.begin(), lanes.end(), has_widths))
        std::erase_if(lanes, [&](const store::Lane* lane) { return !has_widths(lane) && !lane->empty(); });
    return lanes;
}

// Who asks for losses wants to know of rows that cannot be read too, which nobody knows of before.
void LimitJudge::look_for_unreadable(const Lanes& lanes) {
    for (std::size_t i = 0; i < lanes.size(); ++i) {
        const double share = static_cast<double>(i) / static_cast<double>(lanes.size());
        store::each_page_looked_at(*lanes[i], range_.from, range_.until, store::PageSource::Look::kCheck,
                                   [&](const auto&, const auto&) { return goes_on(share); });
    }
}

Result<void> LimitJudge::add(const Limit& limit) {
    if (limit.measure == Measure::kLost && limit.channel.empty()) {
        const Lanes all = matching_lanes(session_, "*");
        look_for_unreadable(all);
        findings_.push_back(check_number(session_, limit, range_, all, extents()));
        findings_.back().channel.clear();
        return {};
    }
    if (!limit.filter.empty()) return add_filtered(limit);
    Lanes lanes = matching_lanes(session_, limit.channel);
    if (lanes.empty()) return unknown_channel(session_, limit.channel);
    if (limit.measure == Measure::kWidth) lanes = with_widths(std::move(lanes));
    if (limit.measure == Measure::kLost) look_for_unreadable(lanes);
    const bool is_pair = limit.measure == Measure::kPair;
    const Lanes ends = is_pair ? matching_lanes(session_, limit.end) : Lanes();
    if (is_pair && ends.empty()) return unknown_channel(session_, limit.end);
    const Partners partners(ends);
    for (const store::Lane* lane : lanes) {
        if (is_pair) {
            for (const store::Lane* end : ends) {
                if (partners.are(*lane, *end)) add_job(limit, *lane, end);
            }
        } else if (limit.is_time()) {
            add_job(limit, *lane, nullptr);
        } else {
            findings_.push_back(check_number(session_, limit, range_, {lane}, extents()));
            findings_.back().lane = lane->channel().id;
        }
    }
    return {};
}

// Of all channels together: which ones are meant, the filter says.
Result<void> LimitJudge::add_filtered(const Limit& limit) {
    const auto filter = EventFilter::parse(limit.filter);
    if (!filter.ok()) return filter.error();
    if (const auto known = check_channels(session_, *filter); !known.ok()) return known;
    Lanes lanes;
    for (const store::Lane* lane : session_.lanes()) {
        if (filter->may_match(session_, *lane)) lanes.push_back(lane);
    }
    findings_.push_back(check_number(session_, limit, range_, lanes, extents()));
    findings_.back().channel.clear();
    return {};
}

void LimitJudge::add_job(const Limit& limit, const store::Lane& lane, const store::Lane* end) {
    const Job job{&limit, &lane, end, findings_.size()};
    findings_.emplace_back();
    const bool are_highs = limit.measure == Measure::kWidth && lane.has_levels();  // sums know of none
    if (end != nullptr || lane.pages() == nullptr || are_highs) {
        by_row_.push_back(job);
    } else {
        (job.has_one_place() ? by_page_ : shares_).push_back(job);
    }
}

std::vector<Finding> LimitJudge::findings() && {
    walk_rows();
    walk_pages();
    judge_shares(reading_ == Reading::kAsNeeded ? judge_shares(shares_, true) : shares_, false);
    for (const Job& job : by_row_) count_hidden(job);
    for (const Job& job : by_page_) count_hidden(job);
    for (const std::vector<Job>* jobs : {&by_row_, &by_page_, &shares_}) {
        for (const Job& job : *jobs) {
            findings_[job.finding].lane = job.lane->channel().id;
            if (job.end != nullptr) findings_[job.finding].end = job.end->channel().id;
        }
    }
    return std::move(findings_);
}

void LimitJudge::count_hidden(const Job& job) {
    Finding& finding = findings_[job.finding];
    // Of the times between events a loss makes none that is longer, and those it lies in are known to be lossy.
    if (!job.has_one_place() || !finding.measured_any || job.limit->measure == Measure::kGap) return;
    doubt_hidden(finding, *job.limit, hidden_of(job, range_, extents()), job.clock(session_));
}

const KnownExtents& LimitJudge::extents() {
    if (!extents_) extents_.emplace(session_, range_);
    return *extents_;
}

void LimitJudge::walk_rows() {
    if (by_row_.empty()) return;
    for (std::size_t i = 0; i < by_row_.size(); ++i) {
        const Job& job = by_row_[i];
        if (!goes_on(static_cast<double>(i) / static_cast<double>(by_row_.size()))) return;
        const Selection lanes = with_lanes(range_, job.end == nullptr ? Lanes{job.lane} : Lanes{job.lane, job.end});
        const ChunkPlan only_these(session_, lanes, false);
        findings_[job.finding] = walk_rows_of(session_, extents(), job, range_);
    }
}

void LimitJudge::walk_pages() {
    if (by_page_.empty()) return;
    const Selection lanes = selection_of(by_page_, range_);
    const ChunkPlan plan(session_, lanes, true);
    std::vector<LaneChecks> walkers;
    walkers.reserve(lanes.lanes.size());
    const Selection counted = from_begin(session_, lanes);
    for (const store::Lane* lane : lanes.lanes) walkers.emplace_back(*lane, lanes, counted, extents().open_until(*lane));
    std::vector<std::unique_ptr<IntervalCheck>> checks;
    for (const Job& job : by_page_) {
        checks.push_back(std::make_unique<IntervalCheck>(job.clock(session_), *job.limit, job.channel()));
        LaneChecks& walker = walkers[place_of(job, lanes)];
        job.limit->measure == Measure::kWidth ? walker.add_widths(*checks.back()) : walker.add_gaps(*checks.back());
    }
    plan.each_chunk([&](std::span<const Rest> rests) {
        plan.visit_sums(rests,
                        [&](std::size_t lane, const store::Page&, const IntervalSums& sums) { walkers[lane].expect(sums); });
        return true;
    });
    walk_chunks(plan, walkers, [this](double share) { return goes_on(share); });
    for (std::size_t i = 0; i < by_page_.size(); ++i) {
        const Job& job = by_page_[i];
        if (job.limit->measure == Measure::kGap)
            take_outer_gaps(walkers[place_of(job, lanes)].channel(), job, lanes, extents(), *checks[i]);
        findings_[job.finding] = checks[i]->result();
    }
}

// What hides behind the width of a bin is decided by the rows.
std::vector<Job> LimitJudge::judge_shares(const std::vector<Job>& jobs, bool from_sums) {
    if (jobs.empty()) return {};
    StatisticsOptions options;
    options.from_sums = from_sums;
    options.follows_threads = true;
    options.progress = [this](double share) { return goes_on(share); };
    const Selection lanes = selection_of(jobs, range_);
    const std::vector<LaneIntervals> all = lane_intervals(session_, lanes, options);
    std::vector<Job> unclear;
    for (const Job& job : jobs) {
        const LaneIntervals& found = all[place_of(job, lanes)];
        const Intervals& intervals = job.limit->measure == Measure::kWidth ? found.of_spans : found.of_channel;
        // Rows that cannot be read are in no table of losses.
        const std::uint64_t unreadable = intervals.lost_events - lost_in(*job.lane, range_);
        const std::uint64_t hidden = hidden_of(job, range_, extents()).most;
        Finding finding = check_share(job.clock(session_), *job.limit, job.channel(), intervals,
                                      hidden + std::min(unreadable, store::kNever - hidden));
        note_silence(session_, extents(), job, range_, finding);
        if (finding.verdict == Verdict::kCannotTell && !intervals.binned.empty() && finding.unknown == 0)
            unclear.push_back(job);
        findings_[job.finding] = finding;
    }
    return unclear;
}

}  // namespace sla::analysis
