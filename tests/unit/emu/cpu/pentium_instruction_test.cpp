// Which instructions a Pentium has, in which mode.
#include "emu/cpu/pentium_instruction.h"

#include <gtest/gtest.h>

#include <vector>

namespace sla::cpu {
namespace {

using Bytes = std::vector<std::uint8_t>;

X86State real_mode() {
    return {};
}

X86State protected_mode() {
    X86State state;
    state.cr0 = 0x11;
    state.segments[kCs].attributes = 0x00C09B00;
    return state;
}

std::string text(const Bytes& code, const X86State& state) {
    return pentium_instruction(code, state).value_or("invalid");
}

TEST(PentiumInstruction, IsNamedWhereAPentiumDoesIt) {
    EXPECT_EQ(text({0x9B, 0xDB, 0xE3}, protected_mode()), "fwait");
    EXPECT_EQ(text({0xD9, 0xE8}, real_mode()), "fld1");
    EXPECT_EQ(text({0xCF}, protected_mode()), "iretd");
    EXPECT_EQ(text({0x0F, 0xC7, 0x0E}, protected_mode()), "cmpxchg8b qword ptr [esi]");
    EXPECT_EQ(text({0x0F, 0x33}, real_mode()), "rdpmc");
    EXPECT_EQ(text({0x0F, 0x6F, 0xC1}, real_mode()), "movq mm0, mm1");
    EXPECT_EQ(text({0x9E}, real_mode()), "sahf");
}

TEST(PentiumInstruction, IsInvalidWhereAPentiumHasNoneOrNotInThatMode) {
    EXPECT_EQ(text({0x0F, 0x0B}, real_mode()), "invalid") << "UD2 is made for it";
    EXPECT_EQ(text({0xF1}, protected_mode()), "invalid") << "INT1 was in no manual";
    EXPECT_EQ(text({0x0F, 0xAA}, protected_mode()), "invalid") << "RSM outside system management mode";
    EXPECT_EQ(text({0x0F, 0x44, 0xC1}, protected_mode()), "invalid") << "CMOV came later";
    EXPECT_EQ(text({0x0F, 0x01, 0xC1}, protected_mode()), "invalid") << "VMCALL likewise";
    EXPECT_EQ(text({0x0F, 0x58, 0xC1}, protected_mode()), "invalid") << "SSE likewise";
    EXPECT_EQ(text({0x0F, 0x00, 0xC0}, real_mode()), "invalid") << "SLDT is one of protected mode";
    EXPECT_EQ(text({0x0F, 0x00, 0xC0}, protected_mode()), "sldt eax");
    EXPECT_EQ(text({0xF0, 0x90}, real_mode()), "invalid") << "LOCK NOP";
    EXPECT_EQ(text({0x66}, real_mode()), "invalid") << "its end is missing";
    EXPECT_EQ(text({}, real_mode()), "invalid");
    X86State emulates = real_mode();
    emulates.cr0 |= 4;
    EXPECT_EQ(text({0x0F, 0x6F, 0xC1}, emulates), "invalid") << "MMX while CR0's EM is on";
}

}  // namespace
}  // namespace sla::cpu
