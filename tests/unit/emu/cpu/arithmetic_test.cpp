// Shifts, rotates, bit tests and sums by hand counts. What the host's own processor says of them: tests/integration/instructions.
#include "emu/cpu/x86emu/arithmetic.h"

#include <gtest/gtest.h>

namespace sla::cpu {
namespace {

constexpr std::uint32_t kCarry = 1, kParity = 4, kAdjust = 0x10, kZero = 0x40, kSign = 0x80, kOverflow = 0x800;
enum Operation { kRol, kRor, kRcl, kRcr, kShl, kShr, kSal, kSar };

void expect(const Computed& got, std::uint32_t value, std::uint32_t eflags) {
    EXPECT_EQ(got.value, value);
    EXPECT_EQ(got.eflags, eflags);
}

TEST(Shift, ByNothingChangesNothing) {
    expect(shift(kShl, 0x81, 8, 0, kCarry | kAdjust), 0x81, kCarry | kAdjust);
    expect(shift(kShl, 0x81, 8, 32, kCarry), 0x81, kCarry);
}

TEST(Shift, MovesTheLastBitOutIntoCarry) {
    expect(shift(kShl, 0x81, 8, 1, 0), 0x02, kCarry | kOverflow);
    expect(shift(kShr, 0x8001, 16, 1, 0), 0x4000, kCarry | kParity | kOverflow);
    expect(shift(kSar, 0x80000001, 32, 1, kOverflow), 0xC0000000, kCarry | kParity | kSign);
    expect(shift(kSal, 0x40, 8, 1, 0), 0x80, kSign | kOverflow);
}

TEST(Shift, BeyondTheWidthLeavesSignsOrNothing) {
    EXPECT_EQ(shift(kShr, 0xFF, 8, 9, 0).value, 0U);
    EXPECT_EQ(shift(kShr, 0xFF, 8, 9, 0).eflags & kZero, kZero);
    EXPECT_EQ(shift(kSar, 0x80, 8, 31, 0).value, 0xFFU);
}

TEST(Rotate, LeavesAllFlagsButCarryAndOverflow) {
    expect(shift(kRol, 0x81, 8, 1, kZero | kSign), 0x03, kZero | kSign | kCarry | kOverflow);
    expect(shift(kRor, 0x01, 8, 1, 0), 0x80, kCarry | kOverflow);
    EXPECT_EQ(shift(kRol, 0x81, 8, 8, 0).value, 0x81U);
    EXPECT_EQ(shift(kRol, 0x81, 8, 8, 0).eflags & kCarry, kCarry) << "all around";
}

TEST(Rotate, ThroughCarryIsOneBitWider) {
    expect(shift(kRcl, 0x80, 8, 1, 0), 0x00, kCarry | kOverflow);
    EXPECT_EQ(shift(kRcl, 0x55, 8, 9, kCarry).value, 0x55U) << "all around";
    EXPECT_EQ(shift(kRcr, 0x00, 8, 1, kCarry).value, 0x80U);
}

TEST(DoubleShift, FillsWithTheNeighboursBits) {
    EXPECT_EQ(double_shift(false, 0x1234, 0xABCD, 16, 4, 0).value, 0x234AU);
    EXPECT_EQ(double_shift(true, 0x1234, 0xABCD, 16, 4, 0).value, 0xD123U);
    EXPECT_EQ(double_shift(false, 0x80000000, 0xFFFFFFFF, 32, 31, 0).value, 0x7FFFFFFFU);
    expect(double_shift(false, 0x80000000, 0, 32, 1, 0), 0, kCarry | kZero | kParity | kOverflow);
}

TEST(BitTest, ShowsTheBitAndSetsClearsOrTurnsIt) {
    expect(bit_test(0, 0x10, 4, 0), 0x10, kCarry);
    expect(bit_test(1, 0, 31, kCarry), 0x80000000, 0);
    expect(bit_test(2, 0x10, 4, 0), 0, kCarry);
    expect(bit_test(3, 0x10, 5, kZero), 0x30, kZero);
}

TEST(Sum, HasTheFlagsOfItsWidth) {
    expect(add(0xFF, 1, 8, 0), 0, kCarry | kAdjust | kZero | kParity);
    expect(add(0x7FFF, 1, 16, 0), 0x8000, kAdjust | kSign | kOverflow | kParity);
    expect(subtract(0, 1, 32, 0), 0xFFFFFFFF, kCarry | kAdjust | kSign | kParity);
    expect(subtract(0x80, 1, 8, kCarry), 0x7F, kAdjust | kOverflow);
}

}  // namespace
}  // namespace sla::cpu
