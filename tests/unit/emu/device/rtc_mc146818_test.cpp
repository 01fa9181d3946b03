#include "emu/device/timer/rtc_mc146818.h"
#include "tests/unit/emu/device/bench.h"

#include <gtest/gtest.h>

namespace sla::device {
namespace {

constexpr std::int64_t kLastSecondOf1999 = 946'684'799;

class RtcTest : public testing::Test {
protected:
    std::uint8_t get(unsigned index) {
        bench.out(rtc, 0x70, {index});
        return bench.in(rtc, 0x71);
    }
    void set(unsigned index, unsigned value) {
        bench.out(rtc, 0x70, {index});
        bench.out(rtc, 0x71, {value});
    }

    Bench bench;
    RtcMc146818 rtc{bench.events, bus::IrqLine(bench.wires, 8), kLastSecondOf1999};
};

TEST_F(RtcTest, ShowsThePowerOnTimeInBcd) {
    EXPECT_EQ(get(0x00), 0x59);
    EXPECT_EQ(get(0x02), 0x59);
    EXPECT_EQ(get(0x04), 0x23);
    EXPECT_EQ(get(0x06), 6) << "a Friday; Sunday is 1";
    EXPECT_EQ(get(0x07), 0x31);
    EXPECT_EQ(get(0x08), 0x12);
    EXPECT_EQ(get(0x09), 0x99);
    EXPECT_EQ(get(0x32), 0x19);
    EXPECT_EQ(get(0x0D), 0x80) << "the battery is good";
}

TEST_F(RtcTest, CarriesThroughTheCentury) {
    bench.pass(Bench::kSecond);
    for (const unsigned index : {0x00U, 0x02U, 0x04U, 0x09U}) EXPECT_EQ(get(index), 0x00) << index;
    EXPECT_EQ(get(0x07), 0x01);
    EXPECT_EQ(get(0x08), 0x01);
    EXPECT_EQ(get(0x32), 0x20);
    EXPECT_EQ(get(0x06), 7);
}

TEST_F(RtcTest, KnowsThe29thOfFebruary) {
    set(0x0B, 0x82);
    for (const auto& [index, value] : {std::pair{0x09U, 0x00U}, {0x08U, 0x02U}, {0x07U, 0x28U}, {0x32U, 0x20U}})
        set(index, value);
    set(0x0B, 0x02);
    bench.pass(Bench::kSecond);
    EXPECT_EQ(get(0x07), 0x29);
}

TEST_F(RtcTest, CountsInBinaryAndTwelveHours) {
    set(0x0B, 0x84);  // SET, binary, 12 hours
    set(0x00, 59);
    set(0x02, 59);
    set(0x04, 11);
    set(0x0B, 0x04);
    bench.pass(Bench::kSecond);
    EXPECT_EQ(get(0x04), 0x80 | 12) << "noon";
    EXPECT_EQ(get(0x00), 0);
}

TEST_F(RtcTest, StandsStillWhileTheGuestSetsIt) {
    set(0x0B, 0x82);
    bench.pass(5 * Bench::kSecond);
    EXPECT_EQ(get(0x00), 0x59);
}

TEST_F(RtcTest, WarnsForTheLast244MicrosecondsBeforeAnUpdate) {
    bench.pass(Bench::kSecond - Bench::kMillisecond);
    EXPECT_EQ(get(0x0A) & 0x80, 0);
    bench.pass(Bench::kMillisecond - 100 * Bench::kMicrosecond);
    EXPECT_EQ(get(0x0A) & 0x80, 0x80);
}

TEST_F(RtcTest, InterruptsAtThePeriodicRateOnceForEachReadOfC) {
    set(0x0A, 0x26);  // 1024 Hz
    set(0x0B, 0x42);
    bench.pass(10 * Bench::kMillisecond);
    EXPECT_EQ(bench.wires.rises[8], 1) << "nobody read C";
    EXPECT_EQ(get(0x0C), 0xC0);
    EXPECT_FALSE(bench.wires.high[8]);
    EXPECT_EQ(get(0x0C), 0) << "reading cleared it";
    int reads = 0;
    for (int step = 0; step < 2000; ++step) {
        bench.pass(500 * Bench::kMicrosecond);
        if (bench.wires.high[8] && (get(0x0C) & 0xC0) == 0xC0) ++reads;
    }
    EXPECT_EQ(reads, 1024);
}

TEST_F(RtcTest, InterruptsAfterEveryUpdate) {
    set(0x0B, 0x12);
    for (int second = 1; second <= 3; ++second) {
        bench.pass(Bench::kSecond);
        EXPECT_EQ(bench.wires.rises[8], second);
        EXPECT_EQ(get(0x0C) & 0x90, 0x90);
    }
}

TEST_F(RtcTest, InterruptsAtTheAlarm) {
    set(0x01, 0x02);
    set(0x03, 0xC0);  // any minute
    set(0x05, 0xFF);  // any hour
    set(0x0B, 0x22);
    bench.pass(2 * Bench::kSecond);
    EXPECT_EQ(bench.wires.rises[8], 0);
    bench.pass(Bench::kSecond);
    EXPECT_EQ(bench.wires.rises[8], 1) << "00:00:02";
    EXPECT_EQ(get(0x0C) & 0xA0, 0xA0);
    bench.pass(30 * Bench::kSecond);
    EXPECT_EQ(bench.wires.rises[8], 1);
}

TEST_F(RtcTest, SetsItsFlagsWithoutInterruptsToo) {
    bench.pass(2 * Bench::kSecond);
    EXPECT_EQ(get(0x0C), 0x70) << "periodic, update and the alarm at midnight; no request";
    EXPECT_FALSE(bench.wires.high[8]);
}

TEST_F(RtcTest, NeedsNoTimerWhileNoInterruptIsOn) {
    EXPECT_FALSE(bench.events.next_due());
    set(0x0B, 0x12);
    EXPECT_TRUE(bench.events.next_due());
}

TEST_F(RtcTest, UpdatesHalfASecondAfterItsDividerIsReleased) {
    set(0x0A, 0x70);
    bench.pass(5 * Bench::kSecond);
    EXPECT_EQ(get(0x00), 0x59);
    set(0x0A, 0x26);
    bench.pass(400 * Bench::kMillisecond);
    EXPECT_EQ(get(0x00), 0x59);
    bench.pass(200 * Bench::kMillisecond);
    EXPECT_EQ(get(0x00), 0x00);
}

TEST_F(RtcTest, KeepsOtherBytesAndTheNmiMask) {
    set(0x40, 0xA5);
    EXPECT_EQ(get(0x40), 0xA5);
    EXPECT_TRUE(rtc.nmi_enabled());
    bench.out(rtc, 0x70, {0x80 | 0x40});
    EXPECT_FALSE(rtc.nmi_enabled());
    EXPECT_EQ(bench.in(rtc, 0x71), 0xA5);
    EXPECT_EQ(bench.in(rtc, 0x70), 0xFF);
}

}  // namespace
}  // namespace sla::device
