#include "emu/device/uart16550.h"
#include "tests/unit/emu/device/bench.h"

#include <gtest/gtest.h>

#include <string>

namespace sla::device {
namespace {

class UartTest : public testing::Test {
protected:
    void SetUp() override {
        uart.on_byte([this](std::uint8_t byte) { sent += static_cast<char>(byte); });
        out(3, 0x80), out(0, 1), out(1, 0), out(3, 0x03);  // 115200 baud, 8N1
    }
    std::uint8_t in(unsigned reg) { return bench.in(uart, static_cast<std::uint16_t>(0x3F8 + reg)); }
    void out(unsigned reg, unsigned value) { bench.out(uart, static_cast<std::uint16_t>(0x3F8 + reg), {value}); }

    Bench bench;
    Uart16550 uart{bench.events, bus::IrqLine(bench.wires, 4), "com1"};
    std::string sent;
};

TEST_F(UartTest, SendsAtOnce) {
    out(0, 'h');
    out(0, 'i');
    EXPECT_EQ(sent, "hi");
    EXPECT_EQ(in(5) & 0x60, 0x60);
}

TEST_F(UartTest, KeepsTheDivisorBehindDlab) {
    out(3, 0x83);
    EXPECT_EQ(in(0), 1);
    out(1, 0x12);
    EXPECT_EQ(in(1), 0x12);
    out(3, 0x03);
    EXPECT_EQ(in(1), 0);
    out(7, 0x5A);
    EXPECT_EQ(in(7), 0x5A);
}

TEST_F(UartTest, ReceivesAtTheLinesSpeed) {
    uart.receive('a');
    uart.receive('b');
    EXPECT_EQ(in(5) & 1, 0);
    bench.pass(87 * Bench::kMicrosecond);
    EXPECT_EQ(in(5) & 1, 1);
    EXPECT_EQ(in(0), 'a');
    EXPECT_EQ(in(5) & 1, 0) << "b is still on the line";
    bench.pass(87 * Bench::kMicrosecond);
    EXPECT_EQ(in(0), 'b');
}

TEST_F(UartTest, LosesNothingThatComesWhileTheGuestIsBusy) {
    for (int i = 0; i < 100; ++i) uart.receive(static_cast<std::uint8_t>(i));
    out(2, 0x01);
    for (int i = 0; i < 100; ++i) {
        bench.pass(5 * Bench::kMillisecond);
        ASSERT_EQ(in(0), i);
    }
    EXPECT_EQ(uart.waiting(), 0U);
}

TEST_F(UartTest, InterruptsForDataUntilItIsRead) {
    out(4, 0x08);
    out(1, 0x01);
    uart.receive('x');
    bench.pass(Bench::kMillisecond);
    EXPECT_TRUE(bench.wires.high[4]);
    EXPECT_EQ(in(2) & 0x0F, 0x04);
    EXPECT_EQ(in(0), 'x');
    EXPECT_FALSE(bench.wires.high[4]);
    EXPECT_EQ(in(2) & 0x0F, 0x01);
}

TEST_F(UartTest, InterruptsForAnEmptyTransmitterUntilIirHasSaidSo) {
    out(4, 0x08);
    out(1, 0x02);
    EXPECT_TRUE(bench.wires.high[4]);
    EXPECT_EQ(in(2) & 0x0F, 0x02);
    EXPECT_FALSE(bench.wires.high[4]);
    out(0, 'x');
    EXPECT_TRUE(bench.wires.high[4]);
    EXPECT_EQ(bench.wires.rises[4], 2);
}

TEST_F(UartTest, LetsNoInterruptOutWithoutOut2) {
    out(1, 0x02);
    EXPECT_FALSE(bench.wires.high[4]);
}

TEST_F(UartTest, LoopsBack) {
    out(4, 0x1F);
    EXPECT_EQ(in(6) & 0xF0, 0xF0) << "outputs come back as inputs";
    out(0, 'L');
    EXPECT_EQ(sent, "");
    EXPECT_EQ(in(0), 'L');
    out(4, 0x10);
    EXPECT_EQ(in(6) & 0xF0, 0x00);
    out(0, '1'), out(0, '2');
    EXPECT_EQ(in(5) & 0x03, 0x03) << "without FIFO the second byte runs over the first";
    EXPECT_EQ(in(5) & 0x02, 0x00);
}

TEST_F(UartTest, SaysWhichModemLinesChangedAndOfRingOnlyThatItEnded) {
    out(4, 0x10);
    in(6);
    out(4, 0x1F);
    EXPECT_EQ(in(6) & 0x0F, 0x0B) << "CTS, DSR, DCD; RI has begun";
    EXPECT_EQ(in(6) & 0x0F, 0x00) << "reading clears it";
    out(4, 0x10);
    EXPECT_EQ(in(6) & 0x0F, 0x0F) << "RI has ended";
    out(4, 0x14), out(4, 0x10), out(4, 0x14);
    EXPECT_EQ(in(6) & 0x0F, 0x04) << "it ended in between";
}

TEST_F(UartTest, ReportsItsFifos) {
    EXPECT_EQ(in(2) & 0xC0, 0x00);
    out(2, 0xC7);
    EXPECT_EQ(in(2) & 0xC0, 0xC0);
    out(2, 0x00);
    EXPECT_EQ(in(2) & 0xC0, 0x00);
}

}  // namespace
}  // namespace sla::device
