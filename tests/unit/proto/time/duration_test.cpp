#include "proto/time/duration.h"

#include <gtest/gtest.h>

#include <limits>
#include <random>
#include <string>
#include <utility>

namespace sla::time {
namespace {

constexpr std::int64_t kMin = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();

TEST(Duration, IsReadInEveryUnitExactly) {
    const std::pair<const char*, std::int64_t> cases[] = {
        {"0", 0},
        {"-0.0", 0},
        {"0s", 0},
        {"1ps", 1},
        {"3ns", 3'000},
        {"200us", 200'000'000},
        {"200\u00b5s", 200'000'000},
        {"200\u03bcs", 200'000'000},
        {"1.5ms", 1'500'000'000},
        {"1.5 ms", 1'500'000'000},
        {"10s", 10'000'000'000'000},
        {"2m", 120'000'000'000'000},
        {"1h", 3'600'000'000'000'000},
        {"0.25h", 900'000'000'000'000},
        {".5us", 500'000},
        {"+7ns", 7'000},
        {"-7ns", -7'000},
        {"0.1s", 100'000'000'000},
        {"0.000000000001s", 1},
        {"1.10000000000000000000000ns", 1'100},
        {"9223372036854775807ps", kMax},
        {"9223372.036854775807s", kMax},
    };
    for (const auto& [text, ps] : cases) {
        const Result<std::int64_t> parsed = parse_duration(text);
        ASSERT_TRUE(parsed.ok()) << text << ": " << parsed.error().message;
        EXPECT_EQ(*parsed, ps) << text;
    }
}

TEST(Duration, ThatIsJunkIsRefusedWithTheReason) {
    const std::pair<const char*, const char*> cases[] = {
        {"", "number"},
        {"ms", "number"},
        {"-", "number"},
        {".s", "digit"},
        {"5", "unit is missing"},
        {"1.ms", "digit"},
        {"1e3s", "'e3s' is not"},
        {"1.5.5s", "'.5s' is not"},
        {"5 parsecs", "'parsecs'"},
        {"5s ", "'s '"},
        {" 5s", "number"},
        {"0x10s", "'x10s'"},
        {"--5s", "number"},
        {"5MS", "'MS'"},
        {"0.1ps", "finer"},
        {"1.0005ns", "finer"},
        {"107d", "'d'"},
        {"9223372036854775808ps", "106 days"},
        {"99999999999999999999999999999999999999999999999999h", "106 days"},
        {"0.0000000000000000000000000000000000000000000001h", "finer"},
    };
    for (const auto& [text, reason] : cases) {
        const Result<std::int64_t> parsed = parse_duration(text);
        ASSERT_FALSE(parsed.ok()) << text;
        EXPECT_NE(parsed.error().message.find(reason), std::string::npos) << text << ": " << parsed.error().message;
        EXPECT_EQ(parsed.error().code, ErrorCode::kInvalidInput);
    }
}

TEST(Duration, IsShownWithTheUnitThatFits) {
    const std::pair<std::int64_t, const char*> cases[] = {
        {0, "0"},
        {1, "1 ps"},
        {999, "999 ps"},
        {1'000, "1 ns"},
        {1'234, "1.234 ns"},
        {11'104'000, "11.104 \u00b5s"},
        {1'500'000'000, "1.5 ms"},
        {-1'500'000'000, "-1.5 ms"},
        {123'456'789, "123.457 \u00b5s"},
        {999'999'499, "999.999 \u00b5s"},
        {999'999'600, "1 ms"},
        {999'999'999'999, "1 s"},
        {10'000'000'000'000, "10 s"},
        {3'661'123'456'789'000, "3661.12 s"},
        {kMax, "9223372 s"},
        {kMin, "-9223372 s"},
    };
    for (const auto& [ps, text] : cases) EXPECT_EQ(format_duration(ps), text) << ps;
}

TEST(Duration, ShownAndReadAgainIsWithinItsSixDigits) {
    std::mt19937_64 random(4);
    for (int i = 0; i < 20000; ++i) {
        const auto ps = static_cast<std::int64_t>(random() >> (1 + random() % 63));
        const Result<std::int64_t> back = parse_duration(format_duration(ps));
        ASSERT_TRUE(back.ok()) << format_duration(ps);
        ASSERT_LE(std::abs(static_cast<double>(*back - ps)), static_cast<double>(ps) * 5.1e-6) << ps;
    }
}

}  // namespace
}  // namespace sla::time
