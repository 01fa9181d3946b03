#include "agent/daemon/pipeline/notice_limit.h"

#include <gtest/gtest.h>

namespace sla::daemon {
namespace {

constexpr double kHz = 1000;
constexpr std::uint64_t kMinute = 60'000;

std::uint64_t admitted(NoticeLimit& limit, SourceId source, int notices, std::uint64_t now) {
    std::uint64_t said = 0;
    for (int i = 0; i < notices; i++) said += limit.admit(source, now, kHz) ? 1 : 0;
    return said;
}

TEST(NoticeLimit, ANoisySourceIsCutShortAndTheOthersAreReported) {
    NoticeLimit limit;
    EXPECT_EQ(admitted(limit, SourceId{7}, 5000, 1), 50u);
    EXPECT_EQ(admitted(limit, SourceId{8}, 3, 1), 3u);
    EXPECT_EQ(admitted(limit, SourceId{}, 3, 1), 3u) << "the agent's own";
}

TEST(NoticeLimit, HowManyWereLeftOutIsReportedAMinuteLaterAndOnlyOnce) {
    NoticeLimit limit;
    admitted(limit, SourceId{7}, 60, 1);
    EXPECT_TRUE(limit.due(kMinute / 2, kHz, false).empty());
    const auto due = limit.due(1 + kMinute, kHz, false);
    ASSERT_EQ(due.size(), 1u);
    EXPECT_EQ(due[0].source, SourceId{7});
    EXPECT_EQ(due[0].notices, 10u);
    EXPECT_TRUE(limit.due(10 * kMinute, kHz, false).empty());
    EXPECT_EQ(admitted(limit, SourceId{7}, 60, 100 * kMinute), 50u) << "it was quiet for long";
}

TEST(NoticeLimit, ASourceThatNeverStopsHasOneWordAMinute) {
    NoticeLimit limit;
    std::uint64_t said = 0;
    std::uint64_t words = 0;
    std::uint64_t left_out = 0;
    for (std::uint64_t second = 1; second <= 3600; second++) {
        said += admitted(limit, SourceId{7}, 10, second * 1000);
        for (const auto& due : limit.due(second * 1000, kHz, false)) {
            words++;
            left_out += due.notices;
        }
    }
    for (const auto& due : limit.due(3601 * 1000, kHz, true)) left_out += due.notices;
    EXPECT_EQ(said, 50u);
    EXPECT_NEAR(static_cast<double>(words), 59, 2);
    EXPECT_EQ(said + left_out, 36'000u) << "every one is told or counted";
}

TEST(NoticeLimit, VeryManySourcesTogetherAreBoundedToo) {
    NoticeLimit limit;
    std::uint64_t said = 0;
    for (std::uint32_t source = 1; source <= 100'000; source++) said += admitted(limit, SourceId{source}, 2, 1);
    EXPECT_EQ(said, 1000u);
    const auto due = limit.due(2, kHz, true);
    ASSERT_EQ(due.size(), 1u);
    EXPECT_TRUE(due[0].is_all);
    EXPECT_EQ(due[0].notices, 199'000u);
}

}  // namespace
}  // namespace sla::daemon
