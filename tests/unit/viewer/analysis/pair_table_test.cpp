// All pairs together have the statistics that each has alone, whatever was lost and however many events share a tick.
#include "tests/support/capture_builder.h"
#include "tests/unit/viewer/analysis/random_sums.h"
#include "tests/unit/viewer/analysis/same_statistics.h"
#include "viewer/analysis/intervals/statistics.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <string>
#include <utility>

namespace sla::analysis {
namespace {

using PairsOfAFile = RandomSums;

// How many intervals there were, whole and lossy.
std::pair<std::uint64_t, std::uint64_t> compare_all(const store::Session& session, const std::string& pairs,
                                                    const Selection& range, const StatisticsOptions& options) {
    std::pair<std::uint64_t, std::uint64_t> seen;
    const auto rows = pair_statistics(session, pairs, range, options);
    EXPECT_TRUE(rows.ok());
    for (const StatisticsRow& row : *rows) {
        const Overhead overhead{overhead_ticks(session, *row.lane, *row.end), options.subtract_overhead};
        Intervals alone = pair_intervals(*row.lane, *row.end, range, overhead);
        SCOPED_TRACE(row.pair);
        expect_same_statistics(row.numbers, statistics_of(alone, session, options.cull));
        seen.first += row.numbers.count;
        seen.second += row.numbers.lost;
    }
    return seen;
}

// Channels of ticks, spans and levels whose ticks are often the same, some of them with losses of all sorts.
void fill_at_random(std::mt19937_64& random, store::Session& session, bool has_losses) {
    support::CaptureBuilder capture(0);
    capture.thread("other", 2);
    for (std::uint32_t i = 0; i < 5; ++i) {
        const std::uint32_t channel = capture.channel((i < 3 ? "a" : "b") + std::to_string(i));
        std::uint64_t tick = 100;
        for (std::uint64_t left = random() % 60; left > 0; --left) {
            tick += random() % 4;
            const auto thread = static_cast<std::uint32_t>(1 + random() % 2);
            if (has_losses && random() % 12 == 0) {
                const std::uint64_t until = random() % 2 == 0 ? 0 : tick + random() % 20;
                capture.gap(channel, tick, 1 + random() % 3, wire::LossCause::kOverrun, until,
                            static_cast<std::uint32_t>(random() % 3));
            } else if (i % 3 == 0) {
                capture.event(channel, tick, SLA_CODE_TICK, 0, thread);
            } else if (i % 3 == 1) {
                capture.event(channel, tick, random() % 2 == 0 ? SLA_CODE_BEGIN : SLA_CODE_END, 0, thread);
            } else {
                capture.event(channel, tick, SLA_CODE_LEVEL, random() % 2, thread);
            }
        }
    }
    capture.fill(session);
}

TEST(PairTable, FindsWhatEachPairHasAlone) {
    std::mt19937_64 random(7);
    std::uint64_t whole = 0;
    std::uint64_t lossy = 0;
    for (int round = 0; round < 1'500 && !::testing::Test::HasFailure(); ++round) {
        store::Session session;
        fill_at_random(random, session, round % 3 != 0);
        Selection range;
        if (round % 2 == 1) {
            range.from = 95 + random() % 60;
            range.until = range.from + random() % 60;
        }
        StatisticsOptions options;
        options.subtract_overhead = random() % 4 == 0;
        options.cull = random() % 4 == 0;
        static constexpr const char* kPairs[] = {"*:*", "a*:b*", "a0:*", "*:b4", "b3:a1"};
        const auto [some, lost] = compare_all(session, kPairs[random() % std::size(kPairs)], range, options);
        whole += some;
        lossy += lost;
    }
    EXPECT_GT(whole, 30'000u);
    EXPECT_GT(lossy, 20'000u);
}

TEST_F(PairsOfAFile, AreThoseOfItsRows) {
    for (std::uint64_t seed = 1; seed <= 8; ++seed) {
        write(seed, 12, seed % 2 == 0);
        store::Session paged;
        store::Session whole;
        open(paged, whole);
        compare_all(paged, "*:*", {}, {});
        compare_all(whole, "*:*", range_of(whole, whole.last_tick() / 4, whole.last_tick() / 2), {});
    }
}

TEST(PairTable, AsksForFewerChannelsWhereAllPairsAreTooMany) {
    support::CaptureBuilder capture(0);
    for (int i = 0; i < 257; ++i) capture.tick(capture.channel("c" + std::to_string(i)), 10);
    store::Session session;
    capture.fill(session);
    const auto all = pair_statistics(session, "*:*", {});
    ASSERT_FALSE(all.ok());
    EXPECT_EQ(all.error().code, ErrorCode::kInvalidInput);
    EXPECT_NE(all.error().message.find("66049 pairs; at most 65536"), std::string::npos) << all.error().message;
    EXPECT_EQ(pair_statistics(session, "c0:*", {})->size(), 257u);
}

}  // namespace
}  // namespace sla::analysis
