#include "emu/control/numbers.h"

#include <gtest/gtest.h>

namespace sla::control {
namespace {

TEST(ControlNumbers, AreHexadecimalWithASuffixOrAPrefixAndElseDecimal) {
    EXPECT_EQ(*parse_number("11h", 0xFF), 0x11U);
    EXPECT_EQ(*parse_number("0x11", 0xFF), 0x11U);
    EXPECT_EQ(*parse_number("17", 0xFF), 17U);
    EXPECT_EQ(*parse_number("0fh", 0xFF), 15U);
    for (const char* bad : {"", "h", "0x", "1g", "-1", "12 ", "100h"}) EXPECT_FALSE(parse_number(bad, 0xFF).ok()) << bad;
}

TEST(ControlNumbers, ThatAreTooLargeSayWhatIsTheMost) {
    EXPECT_EQ(parse_number("100h", 0xFF).error().message, "100h is too large here: ffh is the most");
    EXPECT_EQ(parse_number("256", 0xFF).error().message, "256 is too large here: 255 is the most");
}

TEST(ControlNumbers, FlagsHaveNoReservedBits) {
    EXPECT_EQ(*written_flags(0, 0x246), 2U) << "bit 1 is always set";
    EXPECT_EQ(*written_flags(0x247, 2), 0x247U);
    EXPECT_EQ(*written_flags(0x23002, 0x23202), 0x23002U) << "VM as it was";
    for (const std::uint32_t refused : {1U << 3, 1U << 5, 1U << 15, 1U << 17, 1U << 22, 1U << 31}) {
        const auto flags = written_flags(2 | refused, 2);
        ASSERT_FALSE(flags.ok()) << refused;
        EXPECT_NE(flags.error().message.find("do not change"), std::string::npos);
    }
}

TEST(ControlNumbers, AddressesAreSelectorAndOffsetOrLinear) {
    const auto far = parse_address("f000:e05b");
    ASSERT_TRUE(far.ok());
    EXPECT_EQ(far->selector, std::optional<std::uint16_t>(0xF000));
    EXPECT_EQ(far->offset, 0xE05BU);
    const auto linear = parse_address("fe05bh");
    ASSERT_TRUE(linear.ok());
    EXPECT_FALSE(linear->selector);
    EXPECT_EQ(linear->offset, 0xFE05BU);
    for (const char* bad : {":", "f000:", "10000:0", "f000:g"}) EXPECT_FALSE(parse_address(bad).ok()) << bad;
}

}  // namespace
}  // namespace sla::control
