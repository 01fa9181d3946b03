#include "agent/linux/tracefs/guest_port.h"

#include <sla/ring_abi.h>

#include <gtest/gtest.h>

namespace sla::linux {
namespace {

// A guest that reads its clock and reports it, again and again, each step taking some time.
struct ReportingGuest {
    std::uint64_t host = 1'000'000'000'000;
    std::uint64_t behind = 0;  // host - guest
    GuestClock clock;

    void report(std::uint64_t until_stamp, std::uint64_t until_next) {
        const auto read = static_cast<std::uint32_t>(host - behind);
        host += until_stamp;
        clock.take(host, read);
        host += until_next;
    }
};

TEST(GuestClock, TheOffsetLiesWithinItsErrorWhateverTheDelays) {
    for (const std::uint64_t behind : {std::uint64_t{0}, std::uint64_t{12'345}, std::uint64_t{0x9'8765'4321}}) {
        ReportingGuest guest;
        guest.behind = behind;
        for (std::uint64_t i = 0; i < 200; i++) guest.report(4'000 + i * 7919 % 30'000, 500 + i * 104'729 % 9'000);
        const auto offset = guest.clock.offset();
        ASSERT_TRUE(offset);
        const auto away = static_cast<std::int32_t>(offset->ticks - static_cast<std::uint32_t>(behind));
        EXPECT_LE(std::abs(away), static_cast<std::int64_t>(offset->error)) << behind;
        EXPECT_LT(offset->error, 2'500u);
        EXPECT_NE(guest.clock.text().find("+-"), std::string::npos);
    }
}

TEST(GuestClock, OneReadingGivesNoOffset) {
    ReportingGuest guest;
    guest.report(100, 100);
    EXPECT_FALSE(guest.clock.offset());
    EXPECT_FALSE(guest.clock.crossed());
}

TEST(GuestClock, AClockOfAnotherRateIsReportedAndNotMeasured) {
    GuestClock clock;
    for (std::uint64_t i = 0; i < 100; i++) clock.take(1'000'000 + i * 10'000, static_cast<std::uint32_t>(i * 20'000));
    EXPECT_TRUE(clock.crossed());
    EXPECT_FALSE(clock.offset());
    EXPECT_NE(clock.text().find("rate"), std::string::npos);
}

TEST(GuestMark, IsTheEmulatedPcsCallAsFarAsEaxShows) {
    EXPECT_EQ(guest_mark(0x534c4103, {})->code, SLA_CODE_BEGIN);
    EXPECT_EQ(guest_mark(0x534c4104, {})->code, SLA_CODE_END);
    EXPECT_STREQ(guest_mark(0x534c4101, {})->what, "tick");
    EXPECT_FALSE(guest_mark(0x534c4108, {}));
    EXPECT_FALSE(guest_mark(0x534c40ff, {}));
    EXPECT_FALSE(guest_mark(0, {}));
}

TEST(GuestMark, HasTheValueThatWasGivenWhereOneBelongsToIt) {
    const GuestWords words{7, 42};
    EXPECT_EQ(guest_mark(0x534c4106, words)->code, SLA_CODE_VALUE_UNSIGNED);
    EXPECT_EQ(guest_mark(0x534c4106, words)->value, 42u);
    EXPECT_EQ(guest_mark(0x534c4103, words)->code, SLA_CODE_BEGIN_VALUE);
    EXPECT_EQ(guest_mark(0x534c4105, words)->code, SLA_CODE_LEVEL);
    EXPECT_EQ(guest_mark(0x534c4105, words)->value, 1u) << "levels are 0 and 1";
    EXPECT_EQ(guest_mark(0x534c4104, words)->code, SLA_CODE_END);
    EXPECT_EQ(guest_mark(0x534c4104, words)->value, 0u);
}

}  // namespace
}  // namespace sla::linux
