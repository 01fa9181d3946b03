// Whose stamps a time lies between says how sure it is: one thread's, two threads', or a time that a simulator makes up.
#include "tests/support/capture_builder.h"
#include "viewer/analysis/delta_tracker.h"
#include "viewer/analysis/intervals/statistics.h"
#include "viewer/analysis/limits/share_check.h"
#include "viewer/analysis/limits/verdict.h"

#include <gtest/gtest.h>

namespace sla::analysis {
namespace {

// One tick a nanosecond; a stamp costs 20 ticks, and cores may be 300 apart. On `work` spans of 1,000 ticks.
class StampErrors : public ::testing::Test {
protected:
    StampErrors() {
        for (std::uint64_t i = 1; i <= 20; ++i) capture_.span(work_, i * 10'000, i * 10'000 + 1000);
        capture_.fill(session_);
        store::Health health;
        health.known = health.clock.known = true;
        health.clock.cores = 2;
        health.clock.skew = {300, true};
        session_.set_health(health);
    }
    void make_time_up() {
        store::Source source = *session_.source_of(*session_.lanes().front());
        source.clock_domain = 1;
        session_.add_source(source);
    }
    Finding check(const std::string& limit) { return check_limit(session_, *parse_limit(limit), {}).front(); }

    support::CaptureBuilder capture_{0, 1e9, 20};
    const std::uint32_t work_ = capture_.channel("work");
    store::Session session_;
};

TEST_F(StampErrors, ASpanIsOfOneThreadHoweverManyThereAre) {
    for (const char* const measure : {"p50", "p99", "mean", "max"}) {
        const Finding finding = check(std::string("width work ") + measure + " < 1050ns");
        EXPECT_EQ(finding.verdict, Verdict::kPass) << measure;
        EXPECT_LT(finding.error, 25'000) << measure;
    }
    // So many that only their widths are kept, not whose they are.
    Intervals widths;
    for (int i = 0; i < 20; ++i) widths.widths.push_back(1000);
    const auto of_widths = [&](const char* limit) {
        return check_share(session_.clock(), *parse_limit(limit), "work", widths, 0);
    };
    EXPECT_EQ(of_widths("width work p99 < 1050ns").verdict, Verdict::kPass);
    EXPECT_LT(of_widths("width work mean < 1050ns").error, 25'000);
    EXPECT_GT(of_widths("gap work p99 < 20us").error, 300'000) << "of a gap's ends each may be of another thread";
}

TEST_F(StampErrors, AMadeUpTimeIsExactToATick) {
    EXPECT_EQ(check("width work < 1010ns").verdict, Verdict::kCannotTell) << "a stamp of the machine's costs 20 ns";
    make_time_up();
    EXPECT_EQ(check("width work < 1010ns").verdict, Verdict::kPass);
    EXPECT_EQ(check("width work p99 < 1010ns").verdict, Verdict::kPass);
    EXPECT_LT(check("gap work max < 20us").error, 3'000);
    const store::Lane& lane = *session_.lanes().front();
    const auto deltas =
        DeltaTracker::at(session_, {&lane, 1, lane.tick(1)}, std::nullopt, store::RowRef{&lane, 0, lane.tick(0)});
    EXPECT_EQ(deltas.channel_ps, 1'000'000);
    EXPECT_LT(*deltas.error_ps, 3'000);
    DeltaTracker tracker(session_);
    DeltaTracker::Stamp last;
    last.host = session_.errors_of(lane);
    tracker.next(last, lane.tick(0), 1);
    EXPECT_LT(tracker.next(last, lane.tick(1), 2).error_ps, 3'000) << "skew of cores is none of its";
}

TEST_F(StampErrors, MarkersTakeNothingOfAMadeUpTime) {
    StatisticsOptions options;
    options.subtract_overhead = true;
    const auto width = [&] {
        const auto rows = channel_statistics(session_, *select(session_, {}), options);
        return rows.back().numbers;
    };
    EXPECT_EQ(width().overhead_ps, 20'000);
    EXPECT_EQ(width().p50_ps, 980'000);
    make_time_up();
    EXPECT_EQ(width().overhead_ps, 0);
    EXPECT_EQ(width().p50_ps, 1'000'000);
}

}  // namespace
}  // namespace sla::analysis
