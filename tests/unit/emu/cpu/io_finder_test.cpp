#include "emu/cpu/io_finder.h"

#include <gtest/gtest.h>

#include <vector>

namespace sla::cpu {
namespace {

using bus::Width;
using Code = std::vector<std::uint8_t>;

TEST(IoFinder, FindsTheOnlyInstructionThatFits) {
    const Code code{0x90, 0xB0, 0x42, 0xE6, 0x80, 0xF4};  // nop; mov al,42h; out 80h,al; hlt
    EXPECT_EQ(find_port_instruction(code, {0x80, Width::kByte, true, 0}), 3U);
    EXPECT_FALSE(find_port_instruction(code, {0x80, Width::kByte, false, 0}));
    EXPECT_FALSE(find_port_instruction(code, {0x81, Width::kByte, true, 0}));
}

TEST(IoFinder, LooksThroughDxOnlyWhenDxHoldsThePort) {
    const Code code{0xEC, 0xEE};  // in al,dx; out dx,al
    EXPECT_EQ(find_port_instruction(code, {0x3F8, Width::kByte, true, 0x3F8}), 1U);
    EXPECT_FALSE(find_port_instruction(code, {0x3F8, Width::kByte, true, 0x3F9}));
}

TEST(IoFinder, SaysNothingWhenTwoInstructionsFit) {
    const Code code{0xE6, 0x80, 0xE6, 0x80};
    EXPECT_FALSE(find_port_instruction(code, {0x80, Width::kByte, true, 0}));
}

TEST(IoFinder, IncludesTheOperandSizePrefix) {
    const Code code{0x90, 0x66, 0xE7, 0x80};
    EXPECT_EQ(find_port_instruction(code, {0x80, Width::kDword, true, 0}), 1U);
    EXPECT_EQ(find_port_instruction(Code{0xE7, 0x80}, {0x80, Width::kWord, true, 0}), 0U);
    EXPECT_FALSE(find_port_instruction(Code{0xE7, 0x80}, {0x80, Width::kDword, true, 0})) << "the prefix is missing";
}

TEST(IoFinder, SaysNothingAboutStringInstructions) {
    const Code code{0xF3, 0x6E};  // rep outsb
    EXPECT_FALSE(find_port_instruction(code, {0x402, Width::kByte, true, 0x402}));
}

TEST(IoFinder, SaysNothingAboutCodeThatCannotBeRead) {
    EXPECT_FALSE(find_port_instruction({}, {0x80, Width::kByte, true, 0}));
    EXPECT_FALSE(find_port_instruction(Code{0xE6}, {0x80, Width::kByte, true, 0}));
}

}  // namespace
}  // namespace sla::cpu
