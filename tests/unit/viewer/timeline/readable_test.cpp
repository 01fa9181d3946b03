#include "viewer/timeline/readable.h"

#include <gtest/gtest.h>

#include <limits>

namespace sla::timeline {
namespace {

std::string plain(std::string text) {
    for (std::size_t at = text.find(kThinGap); at != std::string::npos; at = text.find(kThinGap)) {
        text.replace(at, kThinGap.size(), "_");
    }
    return text;
}

TEST(Readable, GroupsDigitsInThrees) {
    EXPECT_EQ(plain(grouped(0)), "0");
    EXPECT_EQ(plain(grouped(999)), "999");
    EXPECT_EQ(plain(grouped(1'024'118)), "1_024_118");
}

TEST(Readable, TimesHaveTheUnitThatFitsAndDigitsDownToTheResolution) {
    EXPECT_EQ(plain(readable_time(12'313'112'000, 1'000)), "12.313_112 ms");
    EXPECT_EQ(plain(readable_time(12'313'112'000, 1'000'000)), "12.313 ms");
    EXPECT_EQ(plain(readable_time(999'000, 1'000)), "999 ns");
    EXPECT_EQ(plain(readable_time(-1'500'000, 1'000)), std::string(kMinus) + "1.500 \xC2\xB5s");
    EXPECT_EQ(plain(readable_time(3'600'000'000'000'000, 1'000'000'000'000)), "3_600 s");
}

TEST(Readable, DeltasHaveThreeDecimals) {
    EXPECT_EQ(readable_delta(0), "0 ns");
    EXPECT_EQ(readable_delta(11'104'000), "11.104 \xC2\xB5s");
    EXPECT_EQ(readable_delta(38'000), "38.0 ns");
    EXPECT_EQ(readable_delta(370), "0.4 ns");
}

TEST(Readable, WhatIsMeasuredIsReportedToTheNanosecond) {
    EXPECT_EQ(readable_exactly(370), "0.4 ns");
    EXPECT_EQ(readable_exactly(-38'000), std::string(kMinus) + "38.0 ns");
    EXPECT_EQ(readable_exactly(11'104'000), "11.104 \xC2\xB5s");
    EXPECT_EQ(readable_exactly(12'313'112'000), "12.313" + std::string(kThinGap) + "112 ms");
    EXPECT_FALSE(readable_exactly(std::numeric_limits<std::int64_t>::min()).empty());
}

TEST(Readable, FrequenciesHaveTheDigitsThatTheirErrorLeaves) {
    EXPECT_EQ(readable_frequency(90'050.3, 0.15),
              "90.0503 \xC2\xB1"
              "0.0002 kHz");
    EXPECT_EQ(readable_frequency(2e6, 3e5),
              "2.0 \xC2\xB1"
              "0.3 MHz");
    EXPECT_EQ(readable_frequency(50, 200),
              "50 \xC2\xB1"
              "200 Hz");
    EXPECT_EQ(readable_frequency(50, 1e-12),
              "50.000000 \xC2\xB1"
              "0.000001 Hz");
    EXPECT_EQ(readable_frequency(0.999162398, 9e-8),
              "999.16240 \xC2\xB1"
              "0.00009 mHz");
    EXPECT_EQ(readable_frequency(0.0005, 1e-6),
              "500 \xC2\xB1"
              "1 \xC2\xB5Hz");
    EXPECT_EQ(readable_frequency(0, 1), "");
    EXPECT_EQ(readable_frequency(90'050, 0), "90.0 kHz");
}

TEST(Readable, SurvivesTheEndsOfTheRange) {
    EXPECT_FALSE(readable_delta(std::numeric_limits<std::int64_t>::min()).empty());
    EXPECT_FALSE(readable_time(std::numeric_limits<std::int64_t>::max(), 1).empty());
}

TEST(Readable, FrequenciesCountsAndRatesKeepThreeDigits) {
    EXPECT_EQ(readable_frequency(90'050), "90.0 kHz");
    EXPECT_EQ(readable_frequency(1.0), "1 Hz");
    EXPECT_EQ(readable_frequency(0), "");
    EXPECT_EQ(readable_count(12'400'000), "12.4 M");
    EXPECT_EQ(readable_count(212), "212");
    EXPECT_EQ(readable_count(999'999), "1.00 M");
    EXPECT_EQ(readable_count(-3.516e18),
              "\xE2\x88\x92"
              "3.52e+18")
        << "beyond the prefixes";
    EXPECT_EQ(readable_count(2.5e-7), "2.50e-07") << "not 0.00";
    EXPECT_EQ(readable_count(0), "0");
    EXPECT_EQ(readable_rate(3'100), "3.10 k/s");
    EXPECT_EQ(readable_rate(212), "212 /s");
    EXPECT_EQ(readable_rate(12'400'000, "events/s"), "12.4 M events/s");
    EXPECT_EQ(readable_bytes(17'200'000), "17.2 MB");
}

TEST(Readable, OneEventIsNoPlural) {
    EXPECT_EQ(events_text(1), "1 event");
    EXPECT_EQ(events_text(0), "0 events");
    EXPECT_EQ(events_text(12'000), grouped(12'000) + " events");
}

TEST(Readable, LossesOfUnknownNumberAreNoNumber) {
    EXPECT_EQ(lost_number(0, 0), "0");
    EXPECT_EQ(lost_number(1'234, 0), grouped(1'234));
    EXPECT_EQ(lost_number(12, 3), "12+");
    EXPECT_EQ(lost_number(0, 1), "?");
    EXPECT_EQ(lost_number(1'234'567, 1, 99'999), "1.23 M+");
    EXPECT_EQ(lost_number(99'999, 0, 99'999), grouped(99'999));
    EXPECT_EQ(lost_words(0, 0), "0 lost");
    EXPECT_EQ(lost_words(12, 1), "12+ lost");
    EXPECT_EQ(lost_words(0, 1), "lost, number unknown");
}

}  // namespace
}  // namespace sla::timeline
