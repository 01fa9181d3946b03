#include "emu/device/input/i8042.h"
#include "emu/device/input/key_names.h"
#include "tests/unit/emu/device/bench.h"

#include <gmock/gmock.h>

namespace sla::device {
namespace {

using testing::ElementsAre;

class I8042Test : public testing::Test {
protected:
    // Everything the guest finds, waiting as long as more comes.
    std::vector<unsigned> read_all() {
        std::vector<unsigned> bytes;
        for (int quiet = 0; quiet < 5; ++quiet) {
            bench.pass(Bench::kMillisecond);
            if ((bench.in(kbd, 0x64) & 1) == 0) continue;
            bytes.push_back(bench.in(kbd, 0x60));
            quiet = 0;
        }
        return bytes;
    }
    void set_command_byte(unsigned value) {
        bench.out(kbd, 0x64, {0x60});
        bench.out(kbd, 0x60, {value});
    }

    Bench bench;
    int resets = 0;
    A20Gate a20;
    I8042 kbd{bench.events, bus::IrqLine(bench.wires, 1), {a20, [this] { ++resets; }}};
};

TEST_F(I8042Test, PassesItsTests) {
    bench.out(kbd, 0x64, {0xAA});
    EXPECT_EQ(bench.in(kbd, 0x64) & 0x0D, 0x0D) << "output full, system flag, last was a command";
    EXPECT_EQ(bench.in(kbd, 0x60), 0x55);
    EXPECT_EQ(bench.in(kbd, 0x64) & 1, 0);
    EXPECT_EQ(bench.in(kbd, 0x60), 0x55) << "the buffer keeps its last byte";
    bench.out(kbd, 0x64, {0xAB});
    EXPECT_EQ(bench.in(kbd, 0x60), 0x00);
    bench.out(kbd, 0x64, {0xA9});
    EXPECT_NE(bench.in(kbd, 0x60), 0x00) << "there is no mouse";
}

TEST_F(I8042Test, ResetsTheKeyboardWhichAnswersByteByByte) {
    bench.out(kbd, 0x60, {0xFF});
    EXPECT_EQ(bench.in(kbd, 0x64) & 1, 0) << "the wire takes its time";
    EXPECT_THAT(read_all(), ElementsAre(0xFA, 0xAA));
}

TEST_F(I8042Test, TranslatesScanCodesToSet1) {
    set_command_byte(0x41);
    kbd.press(stroke_of('a')->key);
    kbd.release(stroke_of('a')->key);
    kbd.press(stroke_named("down")->key);
    EXPECT_THAT(read_all(), ElementsAre(0x1E, 0x9E, 0xE0, 0x50));
}

TEST_F(I8042Test, LeavesScanCodesAloneWithoutTranslation) {
    set_command_byte(0x01);
    kbd.press(stroke_of('a')->key);
    kbd.release(stroke_of('a')->key);
    EXPECT_THAT(read_all(), ElementsAre(0x1C, 0xF0, 0x1C));
}

TEST_F(I8042Test, RaisesIrq1ForEveryByteAndLowersItWhenRead) {
    set_command_byte(0x41);
    kbd.press(stroke_of('x')->key);
    bench.pass(2 * Bench::kMillisecond);
    EXPECT_TRUE(bench.wires.high[1]);
    bench.in(kbd, 0x60);
    EXPECT_FALSE(bench.wires.high[1]);
    set_command_byte(0x40);
    kbd.press(stroke_of('x')->key);
    bench.pass(2 * Bench::kMillisecond);
    EXPECT_FALSE(bench.wires.high[1]) << "the command byte keeps it back";
    EXPECT_EQ(bench.in(kbd, 0x64) & 1, 1);
}

TEST_F(I8042Test, HoldsTheKeyboardBackWhileItsClockLineIsLow) {
    bench.out(kbd, 0x64, {0xAD});
    kbd.press(stroke_of('x')->key);
    EXPECT_TRUE(read_all().empty());
    bench.out(kbd, 0x64, {0xAE});
    EXPECT_THAT(read_all(), ElementsAre(0x2D));
}

TEST_F(I8042Test, KeepsItsMemory) {
    set_command_byte(0x47);
    bench.out(kbd, 0x64, {0x20});
    EXPECT_EQ(bench.in(kbd, 0x60), 0x47);
    bench.out(kbd, 0x64, {0x7F});
    bench.out(kbd, 0x60, {0x5A});
    bench.out(kbd, 0x64, {0x3F});
    EXPECT_EQ(bench.in(kbd, 0x60), 0x5A);
}

TEST_F(I8042Test, SwitchesA20AndPullsTheResetLine) {
    bench.out(kbd, 0x64, {0xDD});
    EXPECT_FALSE(a20.on());
    bench.out(kbd, 0x64, {0xD0});
    EXPECT_EQ(bench.in(kbd, 0x60) & 3, 1);
    bench.out(kbd, 0x64, {0xD1});
    bench.out(kbd, 0x60, {0x03});
    EXPECT_TRUE(a20.on());
    EXPECT_EQ(resets, 0);
    bench.out(kbd, 0x64, {0xFE});
    EXPECT_EQ(resets, 1);
    bench.out(kbd, 0x64, {0xFF});
    EXPECT_EQ(resets, 1) << "no line is pulsed";
}

TEST_F(I8042Test, PutsBytesIntoItsOwnOutput) {
    set_command_byte(0x41);
    bench.out(kbd, 0x64, {0xD2});
    bench.out(kbd, 0x60, {0x77});
    EXPECT_TRUE(bench.wires.high[1]) << "as if the keyboard had sent it";
    EXPECT_EQ(bench.in(kbd, 0x60), 0x77);
}

TEST(KeyboardTest, AnswersCommandsWithParameters) {
    Keyboard keyboard;
    keyboard.command(0xED);
    EXPECT_EQ(keyboard.take(), 0xFA);
    keyboard.command(0x07);
    EXPECT_EQ(keyboard.take(), 0xFA);
    EXPECT_FALSE(keyboard.take());
    keyboard.command(0xF2);
    EXPECT_EQ(keyboard.take(), 0xFA);
    EXPECT_EQ(keyboard.take(), 0xAB);
    EXPECT_EQ(keyboard.take(), 0x83);
    keyboard.command(0xFE);
    EXPECT_EQ(keyboard.take(), 0x83) << "the last byte again";
    keyboard.command(0x12);
    EXPECT_EQ(keyboard.take(), 0xFE) << "no such command";
}

TEST(KeyboardTest, LosesKeysWhileItDoesNotScanOrIsFull) {
    Keyboard keyboard;
    keyboard.command(0xF5);
    keyboard.take();
    EXPECT_FALSE(keyboard.press({0x1C, false}));
    keyboard.command(0xF4);
    keyboard.take();
    int taken = 0;
    while (keyboard.press({0x1C, false})) ++taken;
    EXPECT_EQ(taken, 16);
}

TEST(KeyboardTest, StaysSmallWhateverItIsSent) {
    Keyboard keyboard;
    for (int i = 0; i < 1000; ++i) keyboard.command(0xFE);
    int bytes = 0;
    while (keyboard.take()) ++bytes;
    EXPECT_LE(bytes, 16);
}

TEST(KeyNames, CoverPrintableAscii) {
    for (char character = ' '; character <= '~'; ++character) EXPECT_TRUE(stroke_of(character)) << character;
    EXPECT_FALSE(stroke_of('\x80'));
    EXPECT_TRUE(stroke_of('A')->shift);
    EXPECT_FALSE(stroke_of('a')->shift);
    EXPECT_FALSE(stroke_named("hyper"));
}

}  // namespace
}  // namespace sla::device
