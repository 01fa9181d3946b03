#include "viewer/timeline/clock_words.h"

#include <gtest/gtest.h>

#include <cstdint>

namespace sla::timeline {
namespace {

constexpr std::int64_t kSecond = 1'000'000'000;

void add_readings(store::Session& session, std::uint64_t hertz, bool is_given) {
    session.set_origin({});
    for (std::int64_t second : {0, 1'000'000}) {
        time::ClockSnapshot reading;
        reading.tick = 1000 + hertz * static_cast<std::uint64_t>(second);
        reading.monotonic_raw_ns = 1000 + second * kSecond;
        reading.error_ticks = is_given ? 0 : 2;
        reading.is_given = is_given;
        session.add_clock(0, reading);
    }
}

void say_which_clock(store::Session& session, bool is_raw) {
    store::Health health;
    health.known = health.clock.known = true;
    health.clock.monotonic_raw = is_raw;
    session.set_health(health);
}

TEST(ClockWordsOf, ASessionWithoutReadingsAreNone) {
    EXPECT_FALSE(clock_words(store::Session()));
}

TEST(ClockWordsOf, AMachineWithoutATimeStampCounterDoNotNameOne) {
    store::Session session;
    add_readings(session, 1'000'000'000, false);
    say_which_clock(session, true);
    EXPECT_EQ(clock_words(session)->stamps, "CLOCK_MONOTONIC_RAW");
    say_which_clock(session, false);
    EXPECT_EQ(clock_words(session)->stamps, "TSC");
    EXPECT_EQ(clock_words(session)->rate,
              "1.000\xE2\x80\x89"
              "000 GHz");
}

TEST(ClockWordsOf, ACaptureThatDoesNotSayWhichClockItIsNameNone) {
    store::Session session;
    add_readings(session, 2'700'000'000, false);
    EXPECT_EQ(clock_words(session)->stamps, "");
    EXPECT_EQ(clock_words(session)->rate,
              "2.700\xE2\x80\x89"
              "000 GHz");
}

TEST(ClockWordsOf, AnErrorOfLessThanATenthOfAPpbAreNotThatThereIsNone) {
    store::Session session;
    add_readings(session, 1'000'000'000, false);
    const double ppb = session.clock().slope_error_ppb();
    ASSERT_GT(ppb, 0);
    ASSERT_LT(ppb, 0.05);
    EXPECT_EQ(clock_words(session)->known_to.find("\xC2\xB1"
                                                  "0.0 ppb"),
              std::string::npos)
        << clock_words(session)->known_to;
    EXPECT_NE(clock_words(session)->known_to.find_first_of("123456789"), std::string::npos)
        << clock_words(session)->known_to;
}

TEST(ClockWordsOf, AnImportedFileClaimNoMeasurement) {
    store::Session session;
    add_readings(session, 1'000'000'000, true);
    const auto words = clock_words(session);
    EXPECT_EQ(words->stamps, "");
    EXPECT_EQ(words->rate, "ticks of 1.0 ns");
    EXPECT_EQ(words->known_to, "");
}

}  // namespace
}  // namespace sla::timeline
