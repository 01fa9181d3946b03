#include "viewer/analysis/verdict.h"

#include "viewer/analysis/intervals.h"
#include "viewer/analysis/judge.h"
#include "viewer/analysis/number_check.h"

#include <algorithm>
#include <cmath>

namespace sla::analysis {

namespace {

struct Measured {
    double ps = 0;
    double error = 0;
    std::uint64_t begin_tick = 0;
};

// All intervals that one limit is about, and what becomes of them.
class TimeCheck {
public:
    TimeCheck(const store::Session& session, const Limit& limit, std::string channel)
        : clock_(session.clock()), limit_(limit) {
        finding_.limit = limit.text;
        finding_.channel = std::move(channel);
        finding_.is_time = true;
    }

    void take(const Interval& interval) {
        const auto stamps = interval.one_thread ? time::Stamps::kOneThread : time::Stamps::kTwoThreads;
        const Measured measured{static_cast<double>(clock_.ticks_to_ps(static_cast<std::int64_t>(interval.width()))),
                                static_cast<double>(clock_.error_between(interval.begin_tick, interval.end_tick, stamps)),
                                interval.begin_tick};
        const Bar bar = bar_of(interval, measured);
        if (interval.state == IntervalState::kUnfinished && limit_.measure != Measure::kGap) ++unfinished_;
        if (interval.state == IntervalState::kLossy) ++finding_.unknown;
        if (limit_.share != Share::kEvery) {
            if (interval.state == IntervalState::kWhole) all_.push_back(measured);
            return;
        }
        // Of what has no end only this can be said: it lasted too long already.
        const Verdict one = judge(bar, limit_.compare, limit_.bound);
        if (interval.state == IntervalState::kUnfinished && one != Verdict::kFail) return;
        ++finding_.checked;
        book(one, measured, interval.state == IntervalState::kWhole || one == Verdict::kFail);
    }

    Finding result() {
        if (limit_.share != Share::kEvery) return share_result();
        if (finding_.checked == 0) return nothing();
        finding_.verdict = finding_.broken > 0 ? Verdict::kFail : (undecided_ > 0 ? Verdict::kCannotTell : Verdict::kPass);
        if (finding_.verdict == Verdict::kFail) {
            finding_.why = std::to_string(finding_.broken) + " of " + std::to_string(finding_.checked) + " break it";
        } else if (finding_.verdict == Verdict::kCannotTell) {
            finding_.why = std::to_string(undecided_) + " of " + std::to_string(finding_.checked) +
                           " lie within the error of the bound, or lost events lie inside";
        }
        finding_.unknown = undecided_;
        return finding_;
    }

private:
    [[nodiscard]] Bar bar_of(const Interval& interval, const Measured& measured) const {
        const double low = std::max(0.0, measured.ps - measured.error);
        const double high = measured.ps + measured.error;
        switch (interval.state) {
            case IntervalState::kWhole: return {low, high};
            // Events that were lost inside can only have made a gap shorter; of a pair or a span nothing is known.
            case IntervalState::kLossy: return {0, limit_.measure == Measure::kGap ? high : kInfinite};
            case IntervalState::kUnfinished: return {low, kInfinite};
        }
        return {};
    }

    void book(Verdict verdict, const Measured& measured, bool is_known) {
        if (verdict == Verdict::kFail) ++finding_.broken;
        if (verdict == Verdict::kCannotTell) ++undecided_;
        if (!is_known && finding_.measured_any) return;
        const bool worse = !finding_.measured_any || badness(measured.ps, limit_.compare, limit_.bound) >
                                                         badness(finding_.measured, limit_.compare, limit_.bound);
        if (worse) point_at(measured);
    }
    void point_at(const Measured& measured) {
        finding_.measured_any = true;
        finding_.measured = measured.ps;
        finding_.error = measured.error;
        finding_.at_tick = measured.begin_tick;
    }

    Finding nothing() {
        finding_.verdict = Verdict::kCannotTell;
        finding_.why = "there is nothing to measure";
        if (unfinished_ > 0) finding_.why += " but " + std::to_string(unfinished_) + " without an end";
        return finding_;
    }

    // The measured value of that rank, when `unknown` more values were all shorter (or all longer) than these.
    [[nodiscard]] Bar rank_bar(std::size_t per_mille) {
        const std::size_t all = all_.size() + finding_.unknown;
        const std::size_t rank = std::max<std::size_t>((all * per_mille + 999) / 1000, 1);
        Bar bar{0, kInfinite};
        if (rank > finding_.unknown)
            bar.low = all_[rank - finding_.unknown - 1].ps - all_[rank - finding_.unknown - 1].error;
        if (rank <= all_.size()) bar.high = all_[rank - 1].ps + all_[rank - 1].error;
        point_at(all_[std::min(rank, all_.size()) - 1]);
        return bar;
    }
    [[nodiscard]] Bar mean_bar() {
        Measured mean;
        for (const Measured& one : all_) {
            mean.ps += one.ps / static_cast<double>(all_.size());
            mean.error = std::max(mean.error, one.error);
        }
        point_at(mean);
        return finding_.unknown > 0 ? Bar{0, kInfinite} : Bar{mean.ps - mean.error, mean.ps + mean.error};
    }
    [[nodiscard]] Bar share_bar() {
        switch (limit_.share) {
            case Share::kMean: return mean_bar();
            case Share::kMin: return rank_bar(0);
            case Share::kP50: return rank_bar(500);
            case Share::kP90: return rank_bar(900);
            case Share::kP99: return rank_bar(990);
            case Share::kP999: return rank_bar(999);
            case Share::kEvery:
            case Share::kMax: break;
        }
        return rank_bar(1000);
    }

    Finding share_result() {
        if (all_.empty()) return nothing();
        std::sort(all_.begin(), all_.end(), [](const Measured& a, const Measured& b) { return a.ps < b.ps; });
        finding_.checked = all_.size();
        finding_.verdict = judge(share_bar(), limit_.compare, limit_.bound);
        if (finding_.verdict == Verdict::kFail) finding_.why = "beyond the bound";
        if (finding_.verdict == Verdict::kCannotTell) {
            finding_.why = finding_.unknown > 0 ? "lost events lie inside " + std::to_string(finding_.unknown) + " more"
                                                : "the bound lies within the error";
        }
        return finding_;
    }

    time::ClockMap clock_;
    const Limit& limit_;
    Finding finding_;
    std::vector<Measured> all_;
    std::uint64_t undecided_ = 0;
    std::uint64_t unfinished_ = 0;
};

Finding check_time(const store::Session& session, const Limit& limit, const Selection& range, const store::Lane& a,
                   const store::Lane* b) {
    const std::string& name = a.channel().name;
    TimeCheck check(session, limit, b != nullptr ? name + "->" + b->channel().name : name);
    const auto take = [&](const Interval& interval) { check.take(interval); };
    if (limit.measure == Measure::kPair) {
        each_pair_interval(a, *b, range, take);
    } else if (limit.measure == Measure::kWidth) {
        each_span(a, range, take);
    } else {
        each_channel_interval(a, range, take);
        const std::uint64_t behind = range.until == store::kNever ? a.size() : a.lower_bound(range.until);
        const std::uint64_t end = stretch_of(session, range).until;
        const bool any = behind > 0 && a.tick(behind - 1) >= range.from && end > a.tick(behind - 1);
        if (any) check.take({a.tick(behind - 1), end, true, IntervalState::kUnfinished});
    }
    return check.result();
}

Error no_such(const std::string& glob) {
    return not_found("no channel is called '" + glob + "'; `sla channels` lists the names");
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

Result<std::vector<Finding>> check_limit(const store::Session& session, const Limit& limit, const Selection& range) {
    const bool all = limit.measure == Measure::kLost && limit.channel.empty();
    const auto lanes = matching_lanes(session, all ? "*" : limit.channel);
    std::vector<Finding> findings;
    if (all) {
        findings.push_back(check_number(session, limit, range, lanes));
        findings.front().channel.clear();
        return findings;
    }
    if (lanes.empty()) return no_such(limit.channel);
    for (const store::Lane* lane : lanes) {
        if (limit.measure == Measure::kPair) {
            const auto ends = matching_lanes(session, limit.end);
            if (ends.empty()) return no_such(limit.end);
            for (const store::Lane* end : ends) findings.push_back(check_time(session, limit, range, *lane, end));
        } else if (limit.is_time()) {
            findings.push_back(check_time(session, limit, range, *lane, nullptr));
        } else {
            findings.push_back(check_number(session, limit, range, {lane}));
        }
    }
    return findings;
}

}  // namespace sla::analysis
