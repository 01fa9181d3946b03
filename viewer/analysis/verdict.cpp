#include "viewer/analysis/verdict.h"

#include "viewer/analysis/chunk_walk.h"
#include "viewer/analysis/lane_checks.h"
#include "viewer/analysis/number_check.h"
#include "viewer/analysis/share_check.h"
#include "viewer/analysis/statistics.h"

#include <algorithm>
#include <iterator>
#include <memory>
#include <utility>

namespace sla::analysis {

namespace {

using Lanes = std::vector<const store::Lane*>;

// One limit about one channel or pair, and where its finding goes.
struct Job {
    const Limit* limit = nullptr;
    const store::Lane* lane = nullptr;
    const store::Lane* end = nullptr;  // of a pair
    std::size_t finding = 0;

    [[nodiscard]] std::string channel() const {
        const std::string& name = lane->channel().name;
        return end == nullptr ? name : name + "->" + end->channel().name;
    }
    // Of so many intervals one place matters, or none of them does.
    [[nodiscard]] bool has_one_place() const {
        return limit->share == Share::kEvery || limit->share == Share::kMin || limit->share == Share::kMax;
    }
};

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

// From the lane's last event to the end of what is known.
template <typename Check>
void take_last_gap(const store::Session& session, const store::Lane& lane, const Selection& range, Check& check) {
    const std::uint64_t behind = range.until == store::kNever ? lane.size() : lane.lower_bound(range.until);
    const std::uint64_t end = stretch_of(session, range).until;
    const bool any = behind > 0 && lane.tick(behind - 1) >= range.from && end > lane.tick(behind - 1);
    if (any) check.take({lane.tick(behind - 1), end, true, IntervalState::kUnfinished});
}

// Row by row; of two lanes also where the rows stay in a file.
template <typename Check>
Finding walk(const store::Session& session, const Job& job, const Selection& range) {
    Check check(session, *job.limit, job.channel());
    const auto take = [&](const Interval& interval) { check.take(interval); };
    switch (job.limit->measure) {
        case Measure::kPair: each_pair_interval(*job.lane, *job.end, range, take); break;
        case Measure::kWidth: each_span(*job.lane, range, take); break;
        default: each_channel_interval(*job.lane, range, take); take_last_gap(session, *job.lane, range, check);
    }
    return check.result();
}

// All limits together, so that a file is read once; in order of the limits.
class Judge {
public:
    Judge(const store::Session& session, const Selection& range, const CheckProgress& progress, Reading reading)
        : session_(session), range_(range), progress_(progress), reading_(reading) {}

    // Fails when no channel is called so.
    Result<void> add(const Limit& limit);
    void add(Finding finding) { findings_.push_back(std::move(finding)); }
    [[nodiscard]] std::size_t size() const { return findings_.size(); }
    std::vector<Finding> findings() &&;

private:
    void add_job(const Limit& limit, const store::Lane& lane, const store::Lane* end);
    void walk_rows();
    void walk_pages();
    // Gives those that the rows can tell better.
    std::vector<Job> judge_shares(const std::vector<Job>& jobs, bool from_sums);
    [[nodiscard]] bool goes_on(double share) { return stopped_ ? false : !(stopped_ = progress_ && !progress_(share)); }

    const store::Session& session_;
    const Selection& range_;
    const CheckProgress& progress_;
    const Reading reading_;
    std::vector<Finding> findings_;
    std::vector<Job> by_row_;   // what is in memory, and pairs
    std::vector<Job> by_page_;  // rows stay in a file: one place matters
    std::vector<Job> shares_;   // and: percentiles, means
    bool stopped_ = false;
};

Error no_such(const std::string& glob) {
    return not_found("no channel is called '" + glob + "'; `sla channels` lists the names");
}

// Nothing is about it; the other limits are judged all the same.
Finding about_nothing(const Limit& limit, const std::string& why) {
    Finding finding;
    finding.limit = limit.text;
    finding.channel = limit.measure == Measure::kPair ? limit.channel + "->" + limit.end : limit.channel;
    finding.is_time = limit.is_time();
    finding.verdict = Verdict::kCannotTell;
    finding.why = why;
    return finding;
}

// Of channels that a pattern matches, those that have spans, or nothing at all: it was not meant for the others.
Lanes with_spans(Lanes lanes) {
    const auto has_spans = [](const store::Lane* lane) { return !lane->spans().empty(); };
    if (std::any_of(lanes.begin(), lanes.end(), has_spans))
        std::erase_if(lanes, [&](const store::Lane* lane) { return !has_spans(lane) && !lane->empty(); });
    return lanes;
}

Result<void> Judge::add(const Limit& limit) {
    if (limit.measure == Measure::kLost && limit.channel.empty()) {
        findings_.push_back(check_number(session_, limit, range_, matching_lanes(session_, "*")));
        findings_.back().channel.clear();
        return {};
    }
    Lanes lanes = matching_lanes(session_, limit.channel);
    if (lanes.empty()) return no_such(limit.channel);
    if (limit.measure == Measure::kWidth) lanes = with_spans(std::move(lanes));
    const Lanes ends = limit.measure == Measure::kPair ? matching_lanes(session_, limit.end) : Lanes{nullptr};
    if (ends.empty()) return no_such(limit.end);
    for (const store::Lane* lane : lanes) {
        if (limit.is_time()) {
            for (const store::Lane* end : ends) add_job(limit, *lane, end);
        } else {
            findings_.push_back(check_number(session_, limit, range_, {lane}));
        }
    }
    return {};
}

void Judge::add_job(const Limit& limit, const store::Lane& lane, const store::Lane* end) {
    const Job job{&limit, &lane, end, findings_.size()};
    findings_.emplace_back();
    if (end != nullptr || lane.pages() == nullptr) {
        by_row_.push_back(job);
    } else {
        (job.has_one_place() ? by_page_ : shares_).push_back(job);
    }
}

std::vector<Finding> Judge::findings() && {
    walk_rows();
    walk_pages();
    judge_shares(reading_ == Reading::kAsNeeded ? judge_shares(shares_, true) : shares_, false);
    return std::move(findings_);
}

void Judge::walk_rows() {
    for (std::size_t i = 0; i < by_row_.size(); ++i) {
        const Job& job = by_row_[i];
        if (!goes_on(static_cast<double>(i) / static_cast<double>(by_row_.size()))) return;
        const Selection lanes = with_lanes(range_, job.end == nullptr ? Lanes{job.lane} : Lanes{job.lane, job.end});
        const ChunkPlan only_these(session_, lanes, false);
        findings_[job.finding] =
            job.has_one_place() ? walk<IntervalCheck>(session_, job, range_) : walk<ShareCheck>(session_, job, range_);
    }
}

void Judge::walk_pages() {
    if (by_page_.empty()) return;
    const Selection lanes = selection_of(by_page_, range_);
    const ChunkPlan plan(session_, lanes, true);
    std::vector<LaneChecks> walkers;
    walkers.reserve(lanes.lanes.size());
    for (const store::Lane* lane : lanes.lanes) walkers.emplace_back(*lane, lanes);
    std::vector<std::unique_ptr<IntervalCheck>> checks;
    for (const Job& job : by_page_) {
        checks.push_back(std::make_unique<IntervalCheck>(session_, *job.limit, job.channel()));
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
        if (job.limit->measure == Measure::kGap) take_last_gap(session_, *job.lane, lanes, *checks[i]);
        findings_[job.finding] = checks[i]->result();
    }
}

// What hides behind the width of a bin is told by the rows.
std::vector<Job> Judge::judge_shares(const std::vector<Job>& jobs, bool from_sums) {
    if (jobs.empty()) return {};
    StatisticsOptions options;
    options.from_sums = from_sums;
    options.progress = [this](double share) { return goes_on(share); };
    const Selection lanes = selection_of(jobs, range_);
    const std::vector<LaneIntervals> all = lane_intervals(session_, lanes, options);
    std::vector<Job> unclear;
    for (const Job& job : jobs) {
        const LaneIntervals& found = all[place_of(job, lanes)];
        const Intervals& intervals = job.limit->measure == Measure::kWidth ? found.of_spans : found.of_channel;
        const Finding finding = check_share(session_, *job.limit, job.channel(), intervals);
        if (finding.verdict == Verdict::kCannotTell && !intervals.binned.empty() && finding.unknown == 0)
            unclear.push_back(job);
        findings_[job.finding] = finding;
    }
    return unclear;
}

// Of a capture that is damaged or was cut off: what is missing may break what all the rest keeps.
void doubt(Finding& finding, const Limit& limit) {
    const bool at_least =
        limit.measure == Measure::kCount && (limit.compare == Compare::kGreater || limit.compare == Compare::kGreaterEqual);
    if (finding.verdict != Verdict::kPass || limit.measure == Measure::kLost || at_least) return;
    finding.verdict = Verdict::kCannotTell;
    finding.why = "the capture is damaged or has no end: what is missing may break it; --until judges a part of it";
}

}  // namespace

const char* verdict_name(Verdict verdict) {
    switch (verdict) {
        case Verdict::kPass: return "pass";
        case Verdict::kFail: return "fail";
        case Verdict::kCannotTell: break;
    }
    return "cannot tell";
}

std::vector<Finding> check_limits(const store::Session& session, const std::vector<Limit>& limits, const Selection& range,
                                  const CheckProgress& progress, Reading reading) {
    Judge judge(session, range, progress, reading);
    std::vector<std::size_t> ends;
    for (const Limit& limit : limits) {
        if (const Result<void> added = judge.add(limit); !added) judge.add(about_nothing(limit, added.error().message));
        ends.push_back(judge.size());
    }
    std::vector<Finding> findings = std::move(judge).findings();
    const bool whole = range.until != store::kNever || session.damage_count() == 0;
    for (std::size_t limit = 0, at = 0; !whole && limit < limits.size(); ++limit) {
        for (; at < ends[limit]; ++at) doubt(findings[at], limits[limit]);
    }
    return findings;
}

std::vector<std::vector<Finding>> check_each(const store::Session& session, const std::vector<Limit>& limits,
                                             const Selection& range, const CheckProgress& progress, Reading reading) {
    Judge judge(session, range, progress, reading);
    std::vector<std::size_t> ends;
    for (const Limit& limit : limits) {
        static_cast<void>(judge.add(limit).ok());  // else there is no such channel, and none of its findings
        ends.push_back(judge.size());
    }
    std::vector<Finding> all = std::move(judge).findings();
    std::vector<std::vector<Finding>> each;
    auto begin = std::make_move_iterator(all.begin());
    for (const std::size_t end : ends) {
        const auto behind = std::make_move_iterator(all.begin() + static_cast<std::ptrdiff_t>(end));
        each.emplace_back(begin, behind);
        begin = behind;
    }
    return each;
}

std::vector<Finding> check_limit(const store::Session& session, const Limit& limit, const Selection& range) {
    return check_limits(session, {limit}, range);
}

}  // namespace sla::analysis
