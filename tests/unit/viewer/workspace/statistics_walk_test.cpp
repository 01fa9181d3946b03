// What is counted in the steps of many frames is what is counted at once.
#include "viewer/workspace/jobs/statistics_walk.h"

#include "tests/support/capture_builder.h"
#include "viewer/workspace/jobs/pair_finder.h"

#include <gtest/gtest.h>

#include <thread>

namespace sla::workspace {
namespace {

using std::chrono::microseconds;

class StepwiseWork : public ::testing::Test {
protected:
    StepwiseWork() {
        const auto a = capture_.channel("a");
        const auto b = capture_.channel("b");
        const auto few = capture_.channel("few");
        for (std::uint64_t i = 1; i <= 50'000; ++i) {
            capture_.tick(a, 100 * i + i % 37);
            if (i % 2 == 0) capture_.tick(b, 100 * i + 60);
            if (i % 100 == 0) capture_.span(few, 100 * i, 100 * i + i % 77);
        }
        capture_.fill(session_);
    }
    [[nodiscard]] const store::Lane& lane(const char* name) const { return *session_.lane_named(name); }
    // With a budget of nothing each call is one step.
    Counted walked(const char* name, timeline::TickRange range, int& frames) {
        StatisticsWalk walk(session_, lane(name), range, {});
        for (frames = 1;; ++frames) {
            if (const Counted* found = walk.step(microseconds(0))) return *found;
            std::this_thread::yield();
        }
    }
    void expect_same(const char* name, timeline::TickRange range, const Counted& found) {
        analysis::Selection where;
        where.from = range.first;
        where.until = range.last + 1;
        analysis::Intervals all = lane(name).spans().empty() ? analysis::channel_intervals(lane(name), where)
                                                             : analysis::span_intervals(lane(name), where);
        const analysis::Statistics numbers = analysis::statistics_of(all, session_);
        EXPECT_EQ(found.numbers.count, numbers.count);
        EXPECT_EQ(found.numbers.p99_ps, numbers.p99_ps);
        EXPECT_EQ(found.numbers.mean_ps, numbers.mean_ps);
        EXPECT_EQ(found.least, all.least());
        EXPECT_EQ(found.greatest, all.greatest());
        EXPECT_FALSE(found.bins.empty());
    }

    support::CaptureBuilder capture_{0};
    store::Session session_;
};

TEST_F(StepwiseWork, CountsALaneOverManyFrames) {
    int frames = 0;
    const timeline::TickRange all{0, session_.last_tick()};
    expect_same("a", all, walked("a", all, frames));
    EXPECT_GT(frames, 10) << "no frame counts all of it";
    const timeline::TickRange part{1'000'000, 1'200'000};
    expect_same("a", part, walked("a", part, frames));
    expect_same("few", all, walked("few", all, frames));
    EXPECT_EQ(frames, 1) << "what is little is there at once";
}

TEST_F(StepwiseWork, FindsPairsOverManyFrames) {
    const auto limit = analysis::parse_limit("width pair < 60ns");
    ASSERT_TRUE(limit.ok());
    PairFinder finder(session_, lane("a"), lane("b"), {0, session_.last_tick()}, *limit);
    std::shared_ptr<const FoundPairs> found;
    int frames = 0;
    for (; found == nullptr; ++frames) found = finder.step(microseconds(0));
    EXPECT_GT(frames, 10);
    std::vector<analysis::Interval> all;
    analysis::each_pair_interval(lane("a"), lane("b"), {}, [&](const auto& pair) { all.push_back(pair); });
    ASSERT_EQ(found->pairs.size(), all.size());
    for (std::size_t i = 0; i < all.size(); ++i) EXPECT_EQ(found->pairs[i].end_tick, all[i].end_tick);
    const auto of = [&](PairVerdict verdict) { return found->counts[static_cast<std::size_t>(verdict)]; };
    EXPECT_GT(of(PairVerdict::kPass), 0u);
    EXPECT_EQ(of(PairVerdict::kNone) + of(PairVerdict::kPass) + of(PairVerdict::kFail) + of(PairVerdict::kCannotTell),
              all.size());
}

}  // namespace
}  // namespace sla::workspace
