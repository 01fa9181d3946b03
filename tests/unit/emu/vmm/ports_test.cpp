// Port accesses of every width and kind reach the chips and the tap.
#include "tests/unit/emu/support/test_pc.h"

#include <gmock/gmock.h>

namespace sla::vmm {
namespace {

constexpr std::uint64_t kWord = 1U << 16;
constexpr std::uint64_t kDword = 2U << 16;
constexpr std::uint64_t kOut = 1U << 18;

TEST(Ports, ShowPortWidthDirectionAndData) {
    TestPc pc(assembled_guest(SLA_GUEST_DIR, "ports"));
    const Outcome end = pc.run();
    EXPECT_EQ(end.ending, Ending::kExit) << end.message;
    EXPECT_EQ(end.exit_code, 6);

    const auto post = pc.seen.of("port.post");
    ASSERT_EQ(post.size(), 5U);
    EXPECT_EQ(post[0].detail[0], 0x80 | kOut);
    EXPECT_EQ(post[1].detail[0], 0x80 | kWord | kOut);
    EXPECT_EQ(post[1].value, 0x1234U);
    EXPECT_EQ(post[2].detail[0], 0x80 | kDword | kOut);
    EXPECT_EQ(post[2].value, 0x89ABCDEFU);
    EXPECT_EQ(post[3].detail[0], 0x80U);
    EXPECT_EQ(post[3].value, 0xEFU);
    EXPECT_EQ(post[4].detail[0], 0x80 | kDword);
    EXPECT_EQ(post[4].value, 0x89ABCDEFU);
    EXPECT_EQ(pc.seen.formats["port.post"], "x86.port");

    const auto unclaimed = pc.seen.of("port.unclaimed");
    ASSERT_EQ(unclaimed.size(), 2U);
    EXPECT_EQ(unclaimed[0].value, 0xFFFFU);
}

TEST(Ports, GiveTheInstructionsAddressWhereItIsCertain) {
    TestPc pc(assembled_guest(SLA_GUEST_DIR, "ports"));
    pc.run();
    const auto post = pc.seen.of("port.post");
    ASSERT_EQ(post.size(), 5U);
    EXPECT_EQ(post[0].detail[1], 0xF000'0000F080ULL);
    EXPECT_EQ(post[1].detail[1], 0xF000'0000F087ULL);
    EXPECT_EQ(post[2].detail[1], 0xF000'0000F091ULL) << "with its operand-size prefix";
}

TEST(Ports, ShowEveryByteOfAStringInstruction) {
    TestPc pc(assembled_guest(SLA_GUEST_DIR, "ports"));
    pc.run();
    EXPECT_EQ(pc.text, "ports");
    std::string text;
    for (const auto& event : pc.seen.of("port.debug")) text += static_cast<char>(event.value);
    EXPECT_EQ(text, "ports");
}

}  // namespace
}  // namespace sla::vmm
