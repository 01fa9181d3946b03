// Summaries column by column give back what was put in, whatever of it is zero.
#include "proto/capture/summary/summary_columns.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace sla::capture {
namespace {

// Of each field, whether it is zero is up to chance.
LaneSummary random_summary(std::mt19937_64& random) {
    const auto number = [&] { return random() % 3 == 0 ? random() >> random() % 60 : std::uint64_t{0}; };
    const auto small = [&] { return static_cast<std::uint32_t>(number()); };
    const auto yes = [&] { return random() % 2 == 0; };
    const auto level = [&] { return static_cast<Level>(random() % 3); };
    LaneSummary one;
    one.channel = {7};
    one.first_index = number();
    one.first_tick = number();
    one.last_tick = number();
    one.rows = number();
    one.gap_rows = number();
    one.lost = number();
    one.longest_pause = number();
    one.high_ticks = number();
    one.busy_ticks = number();
    one.begins = number();
    one.loose_ends = number();
    one.min = yes() ? -static_cast<double>(number()) : 0.0;
    one.max = yes() ? static_cast<double>(number()) / 3 : 0.0;
    one.depth_before = small();
    one.depth_after = small();
    one.deepest = small();
    one.span_rows = small();
    one.kinds = static_cast<std::uint8_t>(random());
    one.level_before = level();
    one.level_after = level();
    one.has_value = yes();
    one.has_number = yes();
    one.has_text = yes();
    one.opaque = yes();
    return one;
}

void expect_all_of(const LaneSummary& a, const LaneSummary& b) {
    ASSERT_EQ(a.channel, b.channel);
    ASSERT_EQ(a.first_index, b.first_index);
    ASSERT_EQ(a.first_tick, b.first_tick);
    ASSERT_EQ(a.last_tick, b.last_tick);
    ASSERT_EQ(a.rows, b.rows);
    ASSERT_EQ(a.gap_rows, b.gap_rows);
    ASSERT_EQ(a.lost, b.lost);
    ASSERT_EQ(a.longest_pause, b.longest_pause);
    ASSERT_EQ(a.high_ticks, b.high_ticks);
    ASSERT_EQ(a.busy_ticks, b.busy_ticks);
    ASSERT_EQ(a.begins, b.begins);
    ASSERT_EQ(a.loose_ends, b.loose_ends);
    ASSERT_EQ(a.min, b.min);
    ASSERT_EQ(a.max, b.max);
    ASSERT_EQ(a.depth_before, b.depth_before);
    ASSERT_EQ(a.depth_after, b.depth_after);
    ASSERT_EQ(a.deepest, b.deepest);
    ASSERT_EQ(a.span_rows, b.span_rows);
    ASSERT_EQ(a.kinds, b.kinds);
    ASSERT_EQ(a.level_before, b.level_before);
    ASSERT_EQ(a.level_after, b.level_after);
    ASSERT_EQ(a.has_value, b.has_value);
    ASSERT_EQ(a.has_number, b.has_number);
    ASSERT_EQ(a.has_text, b.has_text);
    ASSERT_EQ(a.opaque, b.opaque);
}

void expect_rows(const SummaryColumns& columns, const std::vector<LaneSummary>& expected) {
    ASSERT_EQ(columns.size(), expected.size());
    std::size_t at = 0;
    for (const LaneSummary& one : columns) ASSERT_NO_FATAL_FAILURE(expect_all_of(one, expected[at++]));
}

TEST(SummaryColumns, GiveBackWhatWasPutInWhateverIsDoneToIt) {
    for (unsigned seed = 0; seed < 200; ++seed) {
        std::mt19937_64 random(seed);
        SummaryColumns columns;
        std::vector<LaneSummary> expected;
        for (int step = 0; step < 60; ++step) {
            switch (random() % 8) {
                case 0:
                    columns.reverse();
                    std::reverse(expected.begin(), expected.end());
                    break;
                case 1: {
                    SummaryColumns behind;
                    for (std::uint64_t left = random() % 5; left > 0; --left) {
                        expected.push_back(random_summary(random));
                        behind.push_back(expected.back());
                    }
                    columns.append(behind);
                    break;
                }
                case 2:
                    if (!expected.empty()) {
                        const std::size_t at = random() % expected.size();
                        columns.set(at, expected[at] = random_summary(random));
                    }
                    break;
                default: columns.push_back(expected.emplace_back(random_summary(random)));
            }
        }
        ASSERT_NO_FATAL_FAILURE(expect_rows(columns, expected)) << "seed " << seed;
        ASSERT_NO_FATAL_FAILURE(expect_all_of(columns.front(), expected.front()));
        ASSERT_NO_FATAL_FAILURE(expect_all_of(columns.back(), expected.back()));
    }
}

TEST(SummaryColumns, TheFirstThatReachesATickIsFound) {
    SummaryColumns columns;
    EXPECT_EQ(columns.first_until(0), 0U);
    for (std::uint64_t i = 0; i < 100; ++i) {
        LaneSummary one;
        one.rows = 1;
        one.first_tick = 10 * i;
        one.last_tick = 10 * i + 5;
        columns.push_back(one);
    }
    for (std::uint64_t tick = 0; tick < 1000; ++tick) {
        const std::uint64_t expected = tick <= 5 ? 0 : (tick + 4) / 10;
        ASSERT_EQ(columns.first_until(tick), std::min<std::uint64_t>(expected, 100)) << tick;
    }
}

}  // namespace
}  // namespace sla::capture
