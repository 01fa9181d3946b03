#include "viewer/export/digits.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

namespace sla::exporting {
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

TEST(Digits, ACounterCountsThroughEveryLength) {
    DecimalCounter counter;
    for (int i = 0; i < 1'100'000; ++i, counter.next())
        ASSERT_EQ(std::string(counter.begin(), counter.length()), std::to_string(i));
}

TEST(Digits, LeadingDigitsFollowTheNumberUpAndDown) {
    LeadingDigits digits;
    std::mt19937_64 random(2);
    char text[40];
    const auto check = [&](std::uint64_t number) {
        ASSERT_EQ(std::string(text, digits.put<false>(text, number)), std::to_string(number));
        ASSERT_EQ(std::string(text, digits.put<true>(text, number)), nanoseconds(number));
    };
    for (int i = 0; i < 200'000; ++i)
        check(i % 7 == 0 ? random() >> (random() % 64) : random() % 1000 + kTenTo9 * (random() % 3));
    for (const std::uint64_t number : {std::uint64_t{0}, std::uint64_t{9}, kTenTo9 - 1, kTenTo9, ~std::uint64_t{0}})
        check(number);
}

}  // namespace
}  // namespace sla::exporting
