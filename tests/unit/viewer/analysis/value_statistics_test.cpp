#include "viewer/analysis/value_statistics.h"

#include "tests/support/capture_builder.h"
#include "tests/support/part_of_capture.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

namespace sla::analysis {
namespace {

std::int64_t whole(const Number& number) {
    EXPECT_NE(wire::value_type_of(number.code), wire::ValueType::kFloat);
    return static_cast<std::int64_t>(number.bits);
}
double real(const Number& number) {
    EXPECT_EQ(wire::value_type_of(number.code), wire::ValueType::kFloat);
    return wire::as_double(number.bits);
}
void add(ValueCounts& counts, std::int64_t number) {
    counts.add(SLA_CODE_VALUE_SIGNED, static_cast<std::uint64_t>(number));
}
void add_real(ValueCounts& counts, double number) {
    counts.add(SLA_CODE_VALUE_FLOAT, wire::as_bits(number));
}

TEST(ValueStatistics, AreThoseComputedByHand) {
    ValueCounts counts;
    for (const int number : {4, -2, 8, 4, 7, 5, -4, 9, 1, 8}) add(counts, number);
    const ValueStatistics numbers = statistics_of(counts);
    EXPECT_EQ(numbers.count, 10u);
    EXPECT_EQ(whole(numbers.min), -4);
    EXPECT_EQ(whole(numbers.p50), 4);
    EXPECT_EQ(whole(numbers.p90), 8);
    EXPECT_EQ(whole(numbers.p99), 9);
    EXPECT_EQ(whole(numbers.max), 9);
    EXPECT_DOUBLE_EQ(numbers.mean.value(), 4);
    EXPECT_DOUBLE_EQ(numbers.stddev.value(), std::sqrt(17.6));
}

TEST(ValueStatistics, OfInfiniteNumbersThereIsAMeanOnlyWhereTheyAreOfOneSign) {
    constexpr double kInf = std::numeric_limits<double>::infinity();
    ValueCounts counts;
    add(counts, 1);
    add_real(counts, kInf);
    add_real(counts, std::numeric_limits<double>::quiet_NaN());
    const ValueStatistics above = statistics_of(counts);
    EXPECT_EQ(above.count, 2u);
    EXPECT_EQ(above.not_numbers, 1u);
    EXPECT_EQ(above.mean, kInf);
    EXPECT_EQ(above.stddev, std::nullopt);
    EXPECT_EQ(real(above.max), kInf);
    add_real(counts, -kInf);
    const ValueStatistics both = statistics_of(counts);
    EXPECT_EQ(both.mean, std::nullopt);
    EXPECT_EQ(both.stddev, std::nullopt);
    EXPECT_EQ(real(both.min), -kInf);
    EXPECT_EQ(whole(both.p50), 1);
}

TEST(ValueStatistics, WholeNumbersOf64BitsAreNotRounded) {
    constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();
    ValueCounts counts;
    add(counts, kLeast);
    add(counts, kLeast + 1);
    counts.add(SLA_CODE_VALUE_UNSIGNED, ~std::uint64_t{0});
    counts.add(SLA_CODE_VALUE_UNSIGNED, ~std::uint64_t{0} - 1);
    add_real(counts, 18446744073709551616.0);  // 2^64, to which the two above would be rounded
    EXPECT_EQ(whole(counts.at_rank(1)), kLeast);
    EXPECT_EQ(whole(counts.at_rank(2)), kLeast + 1);
    EXPECT_EQ(counts.at_rank(3).bits, ~std::uint64_t{0} - 1);
    EXPECT_EQ(counts.at_rank(4).bits, ~std::uint64_t{0});
    EXPECT_EQ(real(counts.at_rank(5)), 18446744073709551616.0);
}

TEST(ValueStatistics, OfNumbersOfAllKindsTogetherEveryRankIsThatOfTheSortedOnes) {
    std::mt19937_64 random(11);
    for (int round = 0; round < 60; ++round) {
        ValueCounts counts;
        std::vector<long double> sorted;
        const std::size_t size = 1 + random() % 40;
        for (std::size_t i = 0; i < size; ++i) {
            const auto number = static_cast<std::int64_t>(random() % 21) - 10;
            const bool is_real = round % 3 == 0 ? false : round % 3 == 1 || random() % 2 == 0;
            if (is_real) {
                add_real(counts, static_cast<double>(number) / 2);
                sorted.push_back(static_cast<long double>(number) / 2);
            } else {
                add(counts, number);
                sorted.push_back(number);
            }
        }
        std::sort(sorted.begin(), sorted.end());
        for (std::size_t rank = 1; rank <= size; ++rank) {
            const Number at = counts.at_rank(rank);
            const bool is_real = wire::value_type_of(at.code) == wire::ValueType::kFloat;
            EXPECT_EQ(is_real ? wire::as_double(at.bits) : static_cast<double>(whole(at)),
                      static_cast<double>(sorted[rank - 1]))
                << "round " << round << ", rank " << rank << " of " << size;
        }
    }
}

TEST(ValueStatistics, ManyNumbersAreCountedToo) {
    ValueCounts counts;
    for (int i = 0; i < 300'000; ++i) add(counts, i % 1000 - 500);
    const ValueStatistics numbers = statistics_of(counts);
    EXPECT_EQ(numbers.count, 300'000u);
    EXPECT_EQ(whole(numbers.min), -500);
    EXPECT_EQ(whole(numbers.p50), -1);
    EXPECT_EQ(whole(numbers.p99), 489);
    EXPECT_EQ(whole(numbers.max), 499);
    EXPECT_DOUBLE_EQ(numbers.mean.value(), -0.5);
}

TEST(ValueStatistics, WhatIsNoNumberIsCountedApart) {
    ValueCounts counts;
    add_real(counts, std::numeric_limits<double>::quiet_NaN());
    EXPECT_EQ(statistics_of(counts).count, 0u);
    add_real(counts, 21.5);
    const ValueStatistics numbers = statistics_of(counts);
    EXPECT_EQ(numbers.count, 1u);
    EXPECT_EQ(numbers.not_numbers, 1u);
    EXPECT_EQ(real(numbers.min), 21.5);
    EXPECT_EQ(real(numbers.max), 21.5);
}

TEST(ValueStatistics, WhatOnlySaysWhatHeldWhereAPartBeginsIsNotCounted) {
    support::CaptureBuilder capture(0);
    const auto queue = capture.channel("queue");
    capture.value(queue, 1'000, 900);
    capture.value(queue, 5'000, 1);
    capture.value(queue, 6'000, 2);
    store::Session session;
    support::fill_part(capture, 4'500, session);
    for (const std::uint64_t listed : {0, 1000}) {
        const auto rows = value_statistics(session, *select(session, {}), {}, {listed});
        ASSERT_EQ(rows.size(), 1u);
        EXPECT_EQ(rows[0].numbers.count, 2u) << listed;
        EXPECT_EQ(whole(rows[0].numbers.max), 2) << listed;
    }
}

TEST(ValueStatistics, OfACaptureTheyAreOfTheRangeAndSayWhatIsMissingThere) {
    support::CaptureBuilder capture(0);
    const auto queue = capture.channel("queue");
    const auto busy = capture.channel("busy");
    const auto plain = capture.channel("plain");
    for (std::uint64_t i = 0; i < 10; ++i) {
        capture.value(queue, 1000 + i * 1000, static_cast<std::int64_t>(i));
        capture.level(busy, 1000 + i * 1000, i % 2 == 0);
        capture.tick(plain, 1000 + i * 1000);
    }
    capture.gap(queue, 20'000, 3);
    store::Session session;
    capture.fill(session);
    const auto all = value_statistics(session, *select(session, {}));
    ASSERT_EQ(all.size(), 1u) << "neither levels nor ticks without a value are numbers";
    EXPECT_EQ(all[0].channel, "queue");
    EXPECT_EQ(all[0].numbers.count, 10u);
    EXPECT_EQ(all[0].numbers.lost, 3u);
    EXPECT_EQ(whole(all[0].numbers.max), 9);
    const auto part = value_statistics(session, *select(session, {}, {3'000'000, 6'000'000}));
    ASSERT_EQ(part.size(), 1u);
    EXPECT_EQ(part[0].numbers.count, 3u);
    EXPECT_EQ(part[0].numbers.lost, 0u);
    EXPECT_EQ(whole(part[0].numbers.min), 2);
    EXPECT_EQ(whole(part[0].numbers.max), 4);
}

}  // namespace
}  // namespace sla::analysis
