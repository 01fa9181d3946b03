#include "viewer/workspace/jobs/pair_finder.h"

#include "tests/support/temporary_path.h"
#include "tests/unit/viewer/ingest/random_capture.h"
#include "viewer/ingest/file_source.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <thread>

namespace sla::workspace {
namespace {

class BackgroundPairsTest : public ::testing::Test {
protected:
    BackgroundPairsTest() { ingest::write_random_capture(path_, 11, 60); }
    [[nodiscard]] DataSource::Loader loader() const {
        return [path = path_](store::Session& session) {
            ingest::FileOptions options;
            options.rows_in_memory = 0;
            ASSERT_TRUE(ingest::load_file(path, session, {}, options).ok());
        };
    }
    std::shared_ptr<const FoundPairs> wait(const PairQuestion& question) {
        for (;;) {  // ends: what is asked again and again is looked for
            if (const auto* const found = pairs_.ask([&] { return loader(); }, question)) return *found;
            std::this_thread::yield();
        }
    }

    const support::TemporaryPath temporary_{"background_pairs.sla"};
    const std::filesystem::path& path_ = temporary_.path;
    BackgroundPairs pairs_;
};

TEST_F(BackgroundPairsTest, FindsWhatAFinderFindsInRowsThatAreInMemory) {
    store::Session whole;
    ASSERT_TRUE(ingest::load_file(path_, whole).ok());
    const auto limit = parse_pair_limit("< 50us");
    ASSERT_TRUE(limit.ok());
    const std::uint64_t end = whole.last_tick();
    for (const timeline::TickRange range : {timeline::TickRange{0, end}, timeline::TickRange{end / 3, end / 2}}) {
        PairFinder finder(whole, *whole.lane(ChannelId{1}), *whole.lane(ChannelId{2}), range, *limit);
        const auto expected = finder.step(std::chrono::hours(1));
        const auto found = wait({ChannelId{1}, ChannelId{2}, range, "< 50us"});
        ASSERT_GT(expected->pairs.size(), 0U);
        ASSERT_EQ(found->pairs.size(), expected->pairs.size());
        EXPECT_EQ(found->events, expected->events);
        EXPECT_EQ(found->counts, expected->counts);
        for (std::size_t i = 0; i < expected->pairs.size(); ++i) {
            EXPECT_EQ(found->pairs[i].begin_tick, expected->pairs[i].begin_tick);
            EXPECT_EQ(found->pairs[i].end_tick, expected->pairs[i].end_tick);
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
