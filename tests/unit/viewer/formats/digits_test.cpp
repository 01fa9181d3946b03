#include "viewer/formats/digits.h"

#include "viewer/formats/table/rows/row_texts.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <limits>
#include <random>
#include <string>

namespace sla::formats {
namespace {

constexpr std::uint64_t kTenTo9 = 1'000'000'000;

// As printf would.
std::string nanoseconds(std::uint64_t ps) {
    char text[40];
    std::snprintf(text, sizeof text, "%llu.%03llu", static_cast<unsigned long long>(ps / 1000),
                  static_cast<unsigned long long>(ps % 1000));
    return text;
}

TEST(Digits, NumbersAndNanosecondsOfEveryLength) {
    std::mt19937_64 random(1);
    char text[40];
    for (std::uint64_t i = 0; i < 2'000'000; ++i) {
        const std::uint64_t number = i < 1'100'000 ? i : random() >> (random() % 64);
        ASSERT_EQ(std::string(text, put_number(text, number)), std::to_string(number));
        ASSERT_EQ(std::string(text, put_nanoseconds(text, number)), nanoseconds(number));
    }
}

TEST(Digits, NanosecondsHaveThreeDecimalsAndASign) {
    const auto text_of = [](std::int64_t ps) {
        char text[40];
        return std::string(text, put_signed_nanoseconds(text, ps));
    };
    EXPECT_EQ(text_of(0), "0.000");
    EXPECT_EQ(text_of(12'345'678), "12345.678");
    EXPECT_EQ(text_of(-1), "-0.001");
    EXPECT_EQ(text_of(-12'050), "-12.050");
    EXPECT_EQ(text_of(std::numeric_limits<std::int64_t>::max()), "9223372036854775.807");
    EXPECT_EQ(text_of(std::numeric_limits<std::int64_t>::min()), "-9223372036854775.808");
}

class RowHeads : public testing::Test {
protected:
    void expect_next(std::uint64_t tick, std::int64_t ps) {
        const std::string time = (ps < 0 ? "-" : "") + nanoseconds(ps < 0 ? std::uint64_t{0} - static_cast<std::uint64_t>(ps)
                                                                          : static_cast<std::uint64_t>(ps));
        char text[RowHead::kCapacity];
        ASSERT_EQ(std::string(text, head_.put(text, tick, ps)),
                  std::to_string(index_++) + ";" + std::to_string(tick) + ";" + time);
    }

private:
    RowHead head_{';'};
    std::uint64_t index_ = 0;
};

TEST_F(RowHeads, FollowNumbersThatRiseThroughEveryLength) {
    std::uint64_t tick = 0;
    std::int64_t ps = -5'000'000;
    std::mt19937_64 random(2);
    for (std::uint64_t i = 0; i < 1'200'000; ++i) {
        expect_next(tick, ps);
        tick += random() % 3000;
        ps += static_cast<std::int64_t>(random() % 2'000'000);
        if (HasFatalFailure()) return;
    }
}

TEST_F(RowHeads, FollowWhateverComes) {
    std::mt19937_64 random(3);
    for (int i = 0; i < 300'000; ++i) {
        const bool near = i % 7 != 0;
        const std::uint64_t tick = near ? random() % 1000 + kTenTo9 * (1 + random() % 3) : random() >> (random() % 64);
        const auto ps = static_cast<std::int64_t>(near ? random() % (3 * kTenTo9) : random() >> (random() % 64));
        expect_next(tick, ps);
        if (HasFatalFailure()) return;
    }
    for (const std::uint64_t tick : {std::uint64_t{0}, kTenTo9 - 1, kTenTo9, ~std::uint64_t{0}}) {
        for (const std::int64_t ps : {std::int64_t{0}, std::numeric_limits<std::int64_t>::min(),
                                      std::numeric_limits<std::int64_t>::max(), std::int64_t{-1}})
            expect_next(tick, ps);
    }
}

}  // namespace
}  // namespace sla::formats
