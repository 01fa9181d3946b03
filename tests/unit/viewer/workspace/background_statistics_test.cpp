#include "viewer/workspace/jobs/background_statistics.h"

#include "tests/support/temporary_path.h"
#include "tests/unit/viewer/ingest/random_capture.h"
#include "viewer/ingest/file_source.h"

#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <thread>

namespace sla::workspace {
namespace {

class BackgroundStatisticsTest : public ::testing::Test {
protected:
    BackgroundStatisticsTest() { ingest::write_random_capture(path_, 5, 60); }
    [[nodiscard]] DataSource::Loader loader() const {
        return [path = path_](store::Session& session) {
            ingest::FileOptions options;
            options.rows_in_memory = 0;
            ASSERT_TRUE(ingest::load_file(path, session, {}, options).ok());
        };
    }
    const Counted* wait(BackgroundStatistics& far, const StatisticsQuestion& wanted) const {
        for (;;) {  // ends: what is asked again and again is counted
            if (const Counted* found = far.ask([&] { return loader(); }, wanted)) return found;
            std::this_thread::yield();
        }
    }

    const support::TemporaryPath temporary_{"background_statistics.sla"};
    const std::filesystem::path& path_ = temporary_.path;
};

TEST_F(BackgroundStatisticsTest, CountsWhatAWalkOverTheRowsCounts) {
    store::Session whole;
    ASSERT_TRUE(ingest::load_file(path_, whole).ok());
    BackgroundStatistics far;
    const std::uint64_t end = whole.last_tick();
    for (const timeline::TickRange range : {timeline::TickRange{0, end}, timeline::TickRange{end / 3, end / 2}}) {
        const Counted* found = wait(far, {ChannelId{1}, range, {}});
        analysis::Selection where;
        where.from = range.first;
        where.until = range.last + 1;
        const store::Lane& lane = *whole.lane(ChannelId{1});
        const analysis::Intervals spans = analysis::span_intervals(lane, where);
        EXPECT_EQ(found->numbers.count, spans.count());
        EXPECT_EQ(found->least, spans.least());
        EXPECT_EQ(found->greatest, spans.greatest());
        EXPECT_EQ(found->numbers.lost, spans.lost_intervals);
        EXPECT_EQ(found->events, lane.summarize(where.from, where.until).events);
        EXPECT_EQ(far.ask([&] { return loader(); }, {ChannelId{1}, range, {}}), found);
    }
}

TEST_F(BackgroundStatisticsTest, BeginsOnlyWhenTheSameIsAskedTwice) {
    BackgroundStatistics far;
    int begun = 0;
    const DataSource::Loader counted = [&](store::Session&) { ++begun; };
    for (std::uint64_t at = 0; at < 50; ++at) {
        EXPECT_EQ(far.ask([&] { return counted; }, {ChannelId{1}, {at, at + 10}, {}}), nullptr);
    }
    EXPECT_EQ(begun, 0);
}

TEST_F(BackgroundStatisticsTest, KnowsNothingOfAChannelThatIsNotThere) {
    BackgroundStatistics far;
    std::atomic<int> loaded = 0;
    const DataSource::Loader counted = [&, load = loader()](store::Session& session) {
        load(session);
        ++loaded;
    };
    const StatisticsQuestion unknown{ChannelId{99}, {0, 10}, {}};
    while (loaded == 0)
        EXPECT_EQ(far.ask([&] { return counted; }, unknown), nullptr);  // ends: what is asked again and again is looked for
    for (int i = 0; i < 200; ++i) {
        EXPECT_EQ(far.ask([&] { return counted; }, unknown), nullptr);
        std::this_thread::yield();
    }
    EXPECT_EQ(loaded, 1) << "that there is no answer is an answer";
}

}  // namespace
}  // namespace sla::workspace
