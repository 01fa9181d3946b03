#include "viewer/workspace/jobs/pair_finder.h"

#include "tests/support/temporary_path.h"
#include "tests/unit/viewer/ingest/random_capture.h"
#include "viewer/ingest/file_source.h"

#include <gtest/gtest.h>

#include <array>
#include <filesystem>
#include <thread>
#include <vector>

namespace sla::workspace {
namespace {

class BackgroundPairsTest : public ::testing::Test {
protected:
    BackgroundPairsTest() {
        ingest::write_random_capture(path_, 11, 60);
        ingest::FileOptions options;
        options.rows_in_memory = 0;
        EXPECT_TRUE(ingest::load_file(path_, paged_, {}, options).ok());
    }
    std::shared_ptr<const FoundPairs> wait(const PairQuestion& question) {
        for (;;) {  // ends: what is asked again and again is looked for
            const auto* const found = pairs_.ask(paged_, question);
            if (found != nullptr && found->question == question) return *found->answer;
            std::this_thread::yield();
        }
    }

    const support::TemporaryPath temporary_{"background_pairs.sla"};
    const std::filesystem::path& path_ = temporary_.path;
    store::Session paged_;
    BackgroundPairs pairs_;
};

TEST_F(BackgroundPairsTest, FindsEveryPairOfRowsThatStayInAFile) {
    store::Session whole;
    ASSERT_TRUE(ingest::load_file(path_, whole).ok());
    const auto limit = parse_pair_limit("< 50us");
    ASSERT_TRUE(limit.ok());
    const std::uint64_t end = whole.last_tick();
    for (const timeline::TickRange range : {timeline::TickRange{0, end}, timeline::TickRange{end / 3, end / 2}}) {
        analysis::Selection where;
        where.from = range.first;
        where.until = range.last + 1;
        std::vector<analysis::Interval> expected;
        std::array<std::size_t, 4> counts{};
        const store::Lane& from = *whole.lane(ChannelId{1});
        const store::Lane& to = *whole.lane(ChannelId{2});
        analysis::each_pair_interval(from, to, where, [&](const analysis::Interval& pair) {
            expected.push_back(pair);
            ++counts[static_cast<std::size_t>(pair_verdict(pair, **limit, whole.clock_between(from, to)))];
        });
        const auto found = wait({ChannelId{1}, ChannelId{2}, range, "< 50us"});
        ASSERT_GT(expected.size(), 0U);
        ASSERT_EQ(found->pairs.size(), expected.size());
        EXPECT_EQ(found->counts, counts);
        for (std::size_t i = 0; i < expected.size(); ++i) {
            EXPECT_EQ(found->pairs[i].begin_tick, expected[i].begin_tick);
            EXPECT_EQ(found->pairs[i].end_tick, expected[i].end_tick);
        }
    }
}

TEST_F(BackgroundPairsTest, HoldsNothingAgainstALimitThatCannotBeRead) {
    EXPECT_FALSE(parse_pair_limit("quick").ok());
    EXPECT_FALSE(parse_pair_limit("> 3").ok()) << "no unit";
    const auto found = wait({ChannelId{1}, ChannelId{2}, {0, ~std::uint64_t{0} - 1}, "quick"});
    EXPECT_EQ(found->counts[static_cast<std::size_t>(PairVerdict::kNone)], found->pairs.size());
}

}  // namespace
}  // namespace sla::workspace
