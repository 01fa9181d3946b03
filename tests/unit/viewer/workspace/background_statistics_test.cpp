#include "viewer/workspace/jobs/background_statistics.h"

#include "tests/support/capture_builder.h"
#include "tests/support/lane_intervals.h"
#include "tests/support/temporary_path.h"
#include "tests/unit/viewer/ingest/random_capture.h"
#include "viewer/ingest/file_source.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <thread>

namespace sla::workspace {
namespace {

class BackgroundStatisticsTest : public ::testing::Test {
protected:
    BackgroundStatisticsTest() {
        ingest::write_random_capture(path_, 5, 60);
        ingest::FileOptions options;
        options.rows_in_memory = 0;
        EXPECT_TRUE(ingest::load_file(path_, paged_, {}, options).ok());
    }
    const BackgroundStatistics::Answered* wait(BackgroundStatistics& far, const StatisticsQuestion& wanted) const {
        for (;;) {  // ends: what is asked again and again is counted
            const auto* const found = far.ask(paged_, wanted);
            if (found != nullptr && found->question == wanted) return found;
            std::this_thread::yield();
        }
    }

    const support::TemporaryPath temporary_{"background_statistics.sla"};
    const std::filesystem::path& path_ = temporary_.path;
    store::Session paged_;
};

TEST_F(BackgroundStatisticsTest, OfALevelItCountsWhatIsHighAndTellsPeriodAndDuty) {
    support::CaptureBuilder capture(0, 1e9);
    const auto line = capture.channel("line");
    for (std::uint64_t i = 0; i < 10; ++i) {
        capture.event(line, 1000 + i * 1000, SLA_CODE_LEVEL, 1);
        capture.event(line, 1250 + i * 1000, SLA_CODE_LEVEL, 0);
    }
    store::Session session;
    capture.fill(session);
    const store::Lane& lane = *session.lanes().front();
    EXPECT_EQ(counted_thing(lane), CountedThing::kHigh);
    JobRunner runner(1);
    std::optional<Counted> found;
    const JobRunner::Job done = runner.finish("a test", [&](JobRunner::Control& control) {
        found = count_widths(session, {lane.channel().id, {0, 20'000}, {}}, control);
    });
    ASSERT_TRUE(found);
    EXPECT_EQ(found->numbers.count, 10u);
    EXPECT_EQ(found->numbers.mean_ps, 250'000);
    ASSERT_TRUE(found->cycle);
    EXPECT_EQ(found->cycle->low_ps, 750'000);
    EXPECT_EQ(found->cycle->period_ps, 1'000'000);
    EXPECT_DOUBLE_EQ(found->cycle->duty, 0.25);
}

TEST_F(BackgroundStatisticsTest, CountsWhatAWalkOverTheRowsCounts) {
    store::Session whole;
    ASSERT_TRUE(ingest::load_file(path_, whole).ok());
    BackgroundStatistics far;
    const std::uint64_t end = whole.last_tick();
    for (const timeline::TickRange range : {timeline::TickRange{0, end}, timeline::TickRange{end / 3, end / 2}}) {
        const auto* const answered = wait(far, {ChannelId{1}, range, {}});
        ASSERT_TRUE(answered->answer);
        const Counted* const found = &*answered->answer;
        analysis::Selection where;
        where.from = range.first;
        where.until = range.last + 1;
        const store::Lane& lane = *whole.lane(ChannelId{1});
        const analysis::Intervals spans = support::span_intervals(lane, where);
        EXPECT_EQ(found->numbers.count, spans.count());
        EXPECT_EQ(found->least, spans.least());
        EXPECT_EQ(found->greatest, spans.greatest());
        EXPECT_EQ(found->numbers.lost, spans.lost_intervals);
        EXPECT_EQ(found->events, lane.summarize(where.from, where.until).events);
        EXPECT_EQ(far.ask(paged_, {ChannelId{1}, range, {}}), answered);
    }
}

// A range that moves on is counted where it was when the counting began: numbers come while the newest is followed.
TEST_F(BackgroundStatisticsTest, ComesWhileTheRangeMovesOn) {
    BackgroundStatistics far;
    const std::uint64_t end = paged_.last_tick();
    for (std::uint64_t at = 0;; ++at) {  // ends: what is begun is counted
        const std::uint64_t first = std::min(at, end / 4);
        const auto* const found = far.ask(paged_, {ChannelId{1}, {first, first + end / 2}, {}});
        std::this_thread::yield();
        if (found == nullptr) continue;
        EXPECT_LE(found->question.range.first, at);
        EXPECT_GT(found->answer->numbers.count, 0u);
        break;
    }
}

TEST_F(BackgroundStatisticsTest, SaysNothingOfOnePlaceAtAnother) {
    BackgroundStatistics far;
    const std::uint64_t end = paged_.last_tick();
    wait(far, {ChannelId{1}, {0, end / 3}, {}});
    EXPECT_EQ(far.ask(paged_, {ChannelId{1}, {end / 2, end}, {}}), nullptr);
    StatisticsOptions culled;
    culled.cull = true;
    EXPECT_EQ(far.ask(paged_, {ChannelId{1}, {0, end / 3}, culled}), nullptr);
    EXPECT_NE(far.ask(paged_, {ChannelId{1}, {1, end / 3}, {}}), nullptr) << "until there is more, it is the newest";
}

TEST_F(BackgroundStatisticsTest, KnowsNothingOfAChannelThatIsNotThere) {
    BackgroundStatistics far;
    EXPECT_FALSE(wait(far, {ChannelId{99}, {0, 10}, {}})->answer) << "that there is no answer is an answer";
}

}  // namespace
}  // namespace sla::workspace
