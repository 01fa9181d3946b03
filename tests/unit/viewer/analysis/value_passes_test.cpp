// Statistics of numbers in several passes are those of the sorted list of them.
#include "tests/support/capture_builder.h"
#include "viewer/analysis/value_statistics.h"
#include "viewer/analysis/values/exact_sums.h"
#include "viewer/analysis/values/rank_search.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <random>

namespace sla::analysis {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();
constexpr double kNotANumber = std::numeric_limits<double>::quiet_NaN();

// Numbers of one kind after the other, as many as wanted.
class NumbersOfAllKinds {
public:
    static constexpr int kKinds = 12;
    struct One {
        std::uint8_t code;
        std::uint64_t bits;
    };
    One next(int kind) {
        switch (kind) {
            case 0: return whole(static_cast<std::int64_t>(random_() % 100));
            case 1: return whole(static_cast<std::int64_t>(random_()));
            case 2: return {SLA_CODE_VALUE_UNSIGNED, random_()};
            case 3: return whole(++counter_);
            case 4: return whole(-1000 * --counter_);
            case 5: return real(normal_(random_));
            case 6: return real(std::bit_cast<double>(random_()));  // any, some of them no numbers
            case 7: return whole(42);
            case 8: return random_() % 2 == 0 ? whole(static_cast<std::int64_t>(random_() % 9) - 4) : real(halves());
            case 9: return rare();
            case 10:
                return whole(random_() % 50 == 0 ? 1'000'000'000 : static_cast<std::int64_t>(random_() % 200'000) - 100'000);
            default: return random_() % 2 == 0 ? real(-0.0) : real(random_() % 3 == 0 ? 0.0 : 1e-310);
        }
    }

private:
    static One whole(std::int64_t number) { return {SLA_CODE_VALUE_SIGNED, static_cast<std::uint64_t>(number)}; }
    static One real(double number) { return {SLA_CODE_VALUE_FLOAT, wire::as_bits(number)}; }
    double halves() { return (static_cast<double>(random_() % 17) - 8) / 2; }
    One rare() {
        constexpr std::array<double, 6> kReals = {kInfinite, -kInfinite, kNotANumber, -0.0, 0.0, 9007199254740993.0};
        const std::uint64_t which = random_() % 1000;
        if (which < kReals.size()) return real(kReals[which]);
        return which < 500 ? real(normal_(random_) * 1e9) : whole(static_cast<std::int64_t>(random_() >> (random_() % 60)));
    }

    std::mt19937_64 random_{23};
    std::normal_distribution<double> normal_;
    std::int64_t counter_ = 0;
};

void fill(store::Session& session, int events_each) {
    support::CaptureBuilder capture;
    NumbersOfAllKinds numbers;
    for (int kind = 0; kind < NumbersOfAllKinds::kKinds; ++kind) {
        const auto channel = capture.channel("kind" + std::to_string(kind));
        for (int i = 0; i < events_each; ++i) {
            const auto one = numbers.next(kind);
            capture.event(channel, 1000 + static_cast<std::uint64_t>(i) * 10, one.code, one.bits);
        }
    }
    capture.fill(session);
}

void expect_same(const Number& a, const Number& b, const std::string& what) {
    EXPECT_EQ(a.code, b.code) << what;
    EXPECT_EQ(a.bits, b.bits) << what << ": " << wire::as_double(a.bits) << " or " << wire::as_double(b.bits);
}
void expect_same(const std::vector<ValueStatisticsRow>& found, const std::vector<ValueStatisticsRow>& expected) {
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
        const ValueStatistics& a = found[i].numbers;
        const ValueStatistics& b = expected[i].numbers;
        const std::string& name = expected[i].channel;
        EXPECT_EQ(a.count, b.count) << name;
        EXPECT_EQ(a.lost, b.lost) << name;
        EXPECT_EQ(a.not_numbers, b.not_numbers) << name;
        expect_same(a.min, b.min, name + " min");
        expect_same(a.p50, b.p50, name + " p50");
        expect_same(a.p90, b.p90, name + " p90");
        expect_same(a.p99, b.p99, name + " p99");
        expect_same(a.p999, b.p999, name + " p999");
        expect_same(a.max, b.max, name + " max");
        EXPECT_EQ(a.mean, b.mean) << name;
        EXPECT_EQ(a.stddev, b.stddev) << name;
    }
}

TEST(ValuePasses, FindTheNumbersOfTheSortedListWhateverKindTheyAre) {
    for (const int events : {1, 7, 400, 5000, 60'000}) {
        store::Session session;
        fill(session, events);
        const Selection all = *select(session, {});
        const auto expected = value_statistics(session, all);
        for (const std::size_t counted_lanes : {0u, 3u, 64u}) {
            for (const std::size_t keys : {std::size_t{1}, std::size_t{1} << 11, std::size_t{1} << 16, std::size_t{1} << 22})
                expect_same(value_statistics(session, all, {}, {0, keys, counted_lanes}), expected);
        }
    }
}

TEST(ValuePasses, OfARangeAreOfThatRange) {
    store::Session session;
    fill(session, 9000);
    const Selection part = *select(session, {}, {20'000'000, 70'000'000});
    const auto expected = value_statistics(session, part);
    ASSERT_LT(expected[0].numbers.count, 9000u);
    ASSERT_GT(expected[0].numbers.count, 0u);
    expect_same(value_statistics(session, part, {}, {0, 2048, 2}), expected);
}

TEST(ValuePasses, StopWhenTheyAreTold) {
    store::Session session;
    fill(session, 9000);
    int asked = 0;
    value_statistics(session, *select(session, {}), [&asked](double) { return ++asked < 2; }, {0, 2048, 2});
    EXPECT_EQ(asked, 2);
}

TEST(NumberKey, OrdersAllNumbersAndGivesThemBack) {
    NumbersOfAllKinds numbers;
    std::vector<NumberKey> keys;
    for (int i = 0; i < 20'000; ++i) {
        const auto one = numbers.next(i % NumbersOfAllKinds::kKinds);
        if (one.code == SLA_CODE_VALUE_FLOAT && std::isnan(wire::as_double(one.bits))) continue;
        const NumberKey key = key_of(one.code, one.bits);
        const Number back = number_of(key);
        EXPECT_EQ(back.bits, one.bits);
        EXPECT_EQ(wire::value_type_of(back.code) == wire::ValueType::kFloat, one.code == SLA_CODE_VALUE_FLOAT);
        keys.push_back(key);
    }
    const auto exact = [](NumberKey key) -> long double {
        const Number number = number_of(key);
        if (number.code == SLA_CODE_VALUE_FLOAT) return wire::as_double(number.bits);
        if (number.code == SLA_CODE_VALUE_SIGNED) return static_cast<std::int64_t>(number.bits);
        return number.bits;
    };
    std::sort(keys.begin(), keys.end());
    for (std::size_t i = 1; i < keys.size(); ++i) EXPECT_LE(exact(keys[i - 1]), exact(keys[i]));
    EXPECT_EQ(value_of(key_of_whole(false, 3)), value_of(key_of_real(3.0)));
    EXPECT_LT(key_of_whole(false, 3), key_of_real(3.0));
    EXPECT_LT(key_of_real(-0.0), key_of_whole(false, 0));
}

TEST(ExactSums, RoundNothingOfNumbersOfAnySize) {
    ExactSums sums;
    for (const double number : {1e300, 1.0, -1e300}) sums.add_real(number);
    EXPECT_EQ(static_cast<double>(sums.mean()), 1.0 / 3);
    ExactSums near;
    for (const double number : {1e16, 1e16 + 2, 1e16 + 4}) near.add_real(number);
    EXPECT_EQ(static_cast<double>(near.mean()), 1e16 + 2);
    EXPECT_DOUBLE_EQ(static_cast<double>(near.deviation()), std::sqrt(8.0 / 3));
    ExactSums tiny;
    tiny.add_real(5e-324);
    tiny.add_real(-5e-324);
    tiny.add_whole(true, 2);
    tiny.add_whole(false, 1);
    EXPECT_EQ(static_cast<double>(tiny.mean()), -0.25);
}

TEST(ExactSums, OfWholeNumbersAreTheSameOneByOneAndManyAtOnce) {
    constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();
    ExactSums one_by_one;
    ExactSums at_once;
    for (int i = 0; i < 5; ++i) {
        one_by_one.add_whole(false, kMost);
        one_by_one.add_whole(true, std::uint64_t{1} << 63);
    }
    at_once.add_wholes(false, kMost, 5);
    at_once.add_wholes(true, std::uint64_t{1} << 63, 5);
    EXPECT_EQ(one_by_one.mean(), at_once.mean());
    EXPECT_EQ(one_by_one.deviation(), at_once.deviation());
    EXPECT_DOUBLE_EQ(static_cast<double>(at_once.deviation()), 0.75 * 18446744073709551616.0);
}

TEST(RankSearch, EndsWhenNumbersAreGoneThatWereThereBefore) {
    const KeyBounds all = {value_of(key_of_whole(false, 0)), value_of(key_of_whole(false, 1'000'000))};
    RankSearch search(900, all, all);
    int passes = 0;
    std::optional<NumberKey> found;
    while (!found && ++passes < 10) {
        search.begin(512);
        for (std::uint64_t i = 0; i < 10; ++i) search.add(key_of_whole(false, i));
        found = search.end();
    }
    EXPECT_TRUE(found.has_value());
}

TEST(RankSearch, NeedsTwoPassesOfMostAndNeverKeepsMoreThanItMay) {
    std::mt19937_64 random(3);
    std::vector<NumberKey> keys;
    for (int i = 0; i < 400'000; ++i) keys.push_back(key_of_whole(random() % 2 == 0, random()));
    KeySample sample(4096);
    for (const NumberKey key : keys) sample.add(key);
    EXPECT_LE(sample.keys().size(), 4096u);
    EXPECT_GE(sample.keys().size(), 2000u);
    EXPECT_EQ(sample.added(), keys.size());
    const double weight = sample.weight();
    std::vector<NumberKey> kept = sample.take();
    std::sort(kept.begin(), kept.end());
    std::vector<WeightedKey> weighted;
    for (const NumberKey key : kept) weighted.push_back({key, weight, true});
    std::sort(keys.begin(), keys.end());
    const KeyBounds all = {value_of(keys.front()), value_of(keys.back())};
    for (const std::uint64_t rank : {200'000u, 360'000u, 396'000u, 399'600u}) {
        RankSearch search(rank, likely_bounds(weighted, static_cast<double>(rank), all), all);
        search.begin(65536);
        for (const NumberKey key : keys) search.add(key);
        const auto found = search.end();
        ASSERT_TRUE(found.has_value()) << rank;
        EXPECT_EQ(number_of(*found).bits, number_of(keys[rank - 1]).bits);
    }
}

}  // namespace
}  // namespace sla::analysis
