#include "proto/common/disassembly/disassembly.h"

#include <gtest/gtest.h>

#include <array>

namespace sla::disassembly {
namespace {

TEST(Disassembly, IsOfTheModeThatTheCodeRunsIn) {
    constexpr std::array<std::uint8_t, 5> kMove{0xB8, 0x34, 0x12, 0x00, 0x00};
    EXPECT_EQ(disassemble(kMove, Mode::k16, 0).text, "mov ax, 0x1234");
    EXPECT_EQ(disassemble(kMove, Mode::k16, 0).length, 3U);
    EXPECT_EQ(disassemble(kMove, Mode::k32, 0).text, "mov eax, 0x1234");
    EXPECT_EQ(disassemble(kMove, Mode::k32, 0).length, 5U);
    constexpr std::array<std::uint8_t, 3> kWide{0x48, 0x89, 0xE5};
    EXPECT_EQ(disassemble(kWide, Mode::k64, 0).text, "mov rbp, rsp");
}

TEST(Disassembly, SaysWhereAJumpGoes) {
    constexpr std::array<std::uint8_t, 2> kBack{0xEB, 0xFE};
    EXPECT_EQ(disassemble(kBack, Mode::k16, 0xE05B).text, "jmp 0xE05B");
    EXPECT_EQ(disassemble(kBack, Mode::k64, 0x7F0000001000).text, "jmp 0x00007F0000001000");
}

TEST(Disassembly, SaysTheSizeOfWhatNoRegisterTells) {
    constexpr std::array<std::uint8_t, 5> kDouble{0x66, 0xFF, 0x06, 0x18, 0x06};
    EXPECT_EQ(disassemble(kDouble, Mode::k16, 0).text, "inc dword ptr [0x0618]");
    EXPECT_EQ(disassemble(std::span(kDouble).last(4), Mode::k16, 0).text, "inc word ptr [0x0618]");
    constexpr std::array<std::uint8_t, 2> kShift{0xD3, 0x27};
    EXPECT_EQ(disassemble(kShift, Mode::k16, 0).text, "shl word ptr [bx], cl");
    constexpr std::array<std::uint8_t, 2> kMove{0x89, 0x07};
    EXPECT_EQ(disassemble(kMove, Mode::k16, 0).text, "mov [bx], ax");
}

TEST(Disassembly, LeavesAFactorOfOneOut) {
    constexpr std::array<std::uint8_t, 2> kAdd{0x00, 0x00};
    EXPECT_EQ(disassemble(kAdd, Mode::k16, 0).text, "add [bx+si], al");
    constexpr std::array<std::uint8_t, 3> kScaled{0x00, 0x04, 0x88};
    EXPECT_EQ(disassemble(kScaled, Mode::k32, 0).text, "add [eax+ecx*4], al");
    constexpr std::array<std::uint8_t, 3> kPlain{0x00, 0x04, 0x08};
    EXPECT_EQ(disassemble(kPlain, Mode::k32, 0).text, "add [eax+ecx], al");
}

TEST(Disassembly, OfWhatIsNoInstructionOrNothingIsAByte) {
    constexpr std::array<std::uint8_t, 2> kNone{0x0F, 0xFF};
    EXPECT_EQ(disassemble({}, Mode::k16, 0).length, 1U);
    EXPECT_EQ(disassemble(std::span(kNone).first(1), Mode::k16, 0).text, "db 0x0f");
}

}  // namespace
}  // namespace sla::disassembly
