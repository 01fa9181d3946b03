// Widths that are shown twice have the statistics of widths that are kept.
#include "viewer/analysis/intervals/exact_widths.h"

#include "tests/unit/viewer/analysis/same_statistics.h"
#include "viewer/analysis/intervals/statistics.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <vector>

namespace sla::analysis {
namespace {

std::vector<std::uint64_t> random_widths(std::mt19937_64& random) {
    std::vector<std::uint64_t> widths;
    const std::uint64_t sorts = random() % 4;
    const unsigned bits = 1 + random() % 44;
    for (std::uint64_t left = random() % 3'000; left > 0; --left) {
        switch (sorts) {
            case 0: widths.push_back(random() >> (64 - bits)); break;
            case 1: widths.push_back((std::uint64_t{1} << bits) + random() % 50); break;
            case 2: widths.push_back(random() >> (20 + random() % 44)); break;
            default: widths.push_back(random() % 20 == 0 ? std::uint64_t{1} << 50 : 1'000 + random() % 3);
        }
    }
    return widths;
}

Statistics exact(const std::vector<std::uint64_t>& widths, std::size_t kept, bool cull, int& passes) {
    ExactIntervals all;
    all.widths = ExactWidths(kept, cull);
    do {
        ++passes;
        all.begin_pass();
        for (std::size_t at = 0; at < widths.size(); at += 100)
            all.widths.add(std::span(widths).subspan(at, std::min<std::size_t>(100, widths.size() - at)));
    } while (all.widths.end_pass());
    return statistics_of(all, {time::ClockMap::fit({}, 0, 2.6e9), 0});
}

TEST(ExactWidths, AreWhatKeptOnesAre) {
    std::mt19937_64 random(3);
    for (int round = 0; round < 2'000 && !::testing::Test::HasFailure(); ++round) {
        const std::vector<std::uint64_t> widths = random_widths(random);
        const bool cull = round % 2 == 1;
        Intervals kept;
        kept.widths = widths;
        const Statistics is = statistics_of(kept, {time::ClockMap::fit({}, 0, 2.6e9), 0}, cull);
        for (const std::size_t most : {std::size_t{0}, std::size_t{200}, std::size_t{10'000}}) {
            int passes = 0;
            const Statistics told = exact(widths, most, cull, passes);
            expect_same_statistics(told, is, 1);
            EXPECT_EQ(passes, widths.size() <= most || widths.empty() ? 1 : cull ? 4 : 2);
        }
    }
}

TEST(ExactWidths, TakeNoMoreRoomForMoreWidths) {
    ExactWidths widths;
    std::vector<std::uint64_t> some(1'000);
    std::mt19937_64 random(5);
    for (int i = 0; i < 1'000; ++i) {
        for (std::uint64_t& width : some) width = 2'600'000 + random() % 40'000;
        widths.add(some);
    }
    ASSERT_TRUE(widths.end_pass());
    EXPECT_LT(widths.bytes(), std::size_t{2} << 20);
}

}  // namespace
}  // namespace sla::analysis
