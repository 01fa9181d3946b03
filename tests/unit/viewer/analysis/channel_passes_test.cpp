// Channels in several passes, some at a time, have the statistics that they have from all their widths at once.
#include "viewer/analysis/intervals/channel_passes.h"

#include "tests/support/capture_builder.h"
#include "tests/support/temporary_path.h"
#include "tests/unit/viewer/analysis/random_sums.h"
#include "tests/unit/viewer/analysis/same_statistics.h"

#include <algorithm>
#include <string>

namespace sla::analysis {
namespace {

using ChannelPasses = RandomSums;

void expect_same_rows(const std::vector<StatisticsRow>& told, const std::vector<StatisticsRow>& is) {
    ASSERT_EQ(told.size(), is.size());
    for (std::size_t i = 0; i < is.size(); ++i) {
        EXPECT_EQ(told[i].channel + told[i].pair, is[i].channel + is[i].pair);
        expect_same_statistics(told[i].numbers, is[i].numbers, 1);
    }
}

TEST_F(ChannelPasses, HaveTheNumbersOfAllWidths) {
    for (std::uint64_t seed = 1; seed <= 12 && !HasFailure(); ++seed) {
        write(seed, 12, seed % 2 == 0);
        store::Session paged;
        store::Session whole;
        open(paged, whole);
        StatisticsOptions options;
        options.cull = seed % 3 == 0;
        options.subtract_overhead = seed % 4 == 0;
        const std::uint64_t until = seed % 2 == 0 ? store::kNever : whole.last_tick() / 2;
        const Selection in_memory = range_of(whole, whole.last_tick() / 5, until);
        std::vector<LaneIntervals> all = lane_intervals(whole, in_memory, options);
        const auto is = statistics_of(all, whole, options.cull);
        const Selection in_file = range_of(paged, in_memory.from, until);
        for (const std::size_t bytes : {std::size_t{1}, std::size_t{100'000}, std::size_t{1} << 30}) {
            expect_same_rows(statistics_of_rows(paged, in_file, options, {0, bytes}), is);
            expect_same_rows(statistics_of_rows(whole, in_memory, options, {1'000, bytes}), is);
        }
    }
}

TEST(ManyChannels, LeaveNoPageInMemoryBehindAWalk) {
    constexpr int kMany = 300;
    support::CaptureBuilder capture(0);
    for (int i = 0; i < kMany; ++i) {
        const std::uint32_t channel = capture.channel("c" + std::to_string(i));
        for (std::uint64_t tick = 1; tick < 20; ++tick) capture.tick(channel, 1'000 * tick + static_cast<std::uint64_t>(i));
    }
    const support::TemporaryPath file{"many.sla"};
    capture.write(file.path);
    ingest::FileOptions in_file;
    in_file.rows_in_memory = 0;
    store::Session session;
    ASSERT_TRUE(ingest::load_file(file.path, session, {}, in_file).ok());
    Selection all;
    all.lanes.assign(session.lanes().begin(), session.lanes().end());
    EXPECT_EQ(channel_statistics(session, all).size(), static_cast<std::size_t>(kMany));
    const auto held = std::count_if(session.lanes().begin(), session.lanes().end(),
                                    [](const store::Lane* lane) { return lane->hot_page() != nullptr; });
    EXPECT_EQ(held, 0);
}

}  // namespace
}  // namespace sla::analysis
