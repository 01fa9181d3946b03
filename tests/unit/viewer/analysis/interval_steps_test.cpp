// Intervals looked at in steps are those looked at all at once, whatever the size of the steps.
#include "viewer/analysis/intervals/interval_steps.h"

#include "tests/support/capture_builder.h"
#include "viewer/store/session.h"

#include <gtest/gtest.h>

#include <tuple>

namespace sla::analysis {
namespace {

using Seen = std::vector<std::tuple<std::uint64_t, std::uint64_t, IntervalState>>;

class IntervalStepsTest : public ::testing::Test {
protected:
    IntervalStepsTest() {
        const auto a = capture_.channel("a");
        const auto b = capture_.channel("b");
        for (std::uint64_t i = 1; i < 3000; ++i) {
            if (i % 97 == 0) {
                capture_.gap(a, 10 * i, 3);
            } else if (i % 5 == 0) {
                capture_.span(a, 10 * i, 10 * i + 7 + i % 3);
            } else {
                capture_.tick(a, 10 * i);
            }
            if (i % 2 == 0) capture_.tick(b, 10 * i + i % 11);
        }
        capture_.fill(session_);
    }
    [[nodiscard]] const store::Lane& lane(const char* name) const { return *session_.lane_named(name); }
    static IntervalVisitor into(Seen& seen) {
        return [&seen](const Interval& one) { seen.emplace_back(one.begin_tick, one.end_tick, one.state); };
    }
    // All steps, each so large; how many they were.
    static std::size_t run(IntervalSteps& steps, std::uint64_t rows) {
        std::size_t count = 1;
        while (steps.step(rows)) ++count;
        return count;
    }
    static Selection between(std::uint64_t from, std::uint64_t until) {
        Selection range;
        range.from = from;
        range.until = until;
        return range;
    }

    support::CaptureBuilder capture_{0};
    store::Session session_;
};

TEST_F(IntervalStepsTest, FindWhatIsFoundAtOnce) {
    for (const Selection& range : {Selection{}, between(5000, 20'000), between(1, 5)}) {
        Seen pairs;
        Seen own;
        each_pair_interval(lane("a"), lane("b"), range, into(pairs));
        each_pair_interval(lane("b"), lane("b"), range, into(own));
        for (const std::uint64_t rows : {1, 7, 1000, 100'000}) {
            Seen seen;
            run(*pair_steps(lane("a"), lane("b"), range, into(seen)), rows);
            EXPECT_EQ(seen, pairs);
            seen.clear();
            run(*pair_steps(lane("b"), lane("b"), range, into(seen)), rows);
            EXPECT_EQ(seen, own);
        }
    }
}

TEST_F(IntervalStepsTest, GoOverSoManyRowsAtATime) {
    Seen seen;
    EXPECT_GE(run(*pair_steps(lane("a"), lane("b"), {}, into(seen)), 100), lane("b").size() / 100);
}

}  // namespace
}  // namespace sla::analysis
