#include "viewer/export/digits.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

namespace sla::exporting {
namespace {

TEST(Digits, EightDigitsAreThoseOfTheNumber) {
    std::mt19937 random(1);
    char text[9] = {};
    for (std::uint32_t i = 0; i < 2'000'000; ++i) {
        const auto number =
            static_cast<std::uint32_t>((i < 1'000'000 ? std::uint64_t{i} * 100 + i % 100 : random()) % kTenTo8);
        put_eight_digits(text, number);
        char expected[9];
        std::snprintf(expected, sizeof expected, "%08u", number);
        ASSERT_STREQ(text, expected);
    }
}

TEST(Digits, ACounterCountsThroughEveryLength) {
    DecimalCounter counter;
    for (int i = 0; i < 1'100'000; ++i, counter.next())
        ASSERT_EQ(std::string(counter.begin(), counter.length()), std::to_string(i));
}

TEST(Digits, LeadingDigitsFollowTheNumberUpAndDown) {
    LeadingDigits digits;
    std::mt19937_64 random(2);
    char text[40];
    for (int i = 0; i < 200'000; ++i) {
        const std::uint64_t number = i % 7 == 0 ? random() >> (random() % 64) : random() % 1000 + kTenTo8 * (random() % 3);
        char* const end = digits.put(text, number);
        ASSERT_EQ(std::string(text, end), std::to_string(number));
    }
    for (const std::uint64_t number : {std::uint64_t{0}, std::uint64_t{9}, kTenTo8 - 1, kTenTo8, ~std::uint64_t{0}})
        EXPECT_EQ(std::string(text, digits.put(text, number)), std::to_string(number));
}

}  // namespace
}  // namespace sla::exporting
