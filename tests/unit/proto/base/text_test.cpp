#include "proto/base/text.h"

#include <gtest/gtest.h>

#include <cstdint>

namespace sla {
namespace {

TEST(Text, ANumberIsAllOfItsText) {
    EXPECT_EQ(whole_number<std::uint64_t>("17"), 17U);
    EXPECT_EQ(whole_number<std::uint8_t>("fF", 16), 255);
    EXPECT_EQ(whole_number<double>("2.5"), 2.5);
    for (const char* wrong : {"", " 1", "1 ", "-1", "+1", "0x1", "256"})
        EXPECT_EQ(whole_number<std::uint8_t>(wrong), std::nullopt) << wrong;
    EXPECT_EQ(whole_number<double>("1e3", std::chars_format::fixed), std::nullopt);
}

TEST(Text, BlanksAroundItAreTakenOff) {
    EXPECT_EQ(trimmed("\t a b "), "a b");
    EXPECT_EQ(trimmed("a\r", " \t\r"), "a");
    EXPECT_EQ(trimmed(" \t "), "");
    EXPECT_EQ(trimmed(""), "");
}

TEST(Text, LinesAreTakenOffOneByOneWithOrWithoutALastEnd) {
    for (const std::string_view whole : {"one\n\ntwo", "one\n\ntwo\n"}) {
        std::string_view text = whole;
        EXPECT_EQ(take_line(text), "one");
        EXPECT_EQ(take_line(text), "");
        EXPECT_EQ(take_line(text), "two");
        EXPECT_TRUE(text.empty());
    }
}

TEST(Text, WordsStandBetweenBlanks) {
    EXPECT_EQ(split_words("  a\tbc \r"), (std::vector<std::string_view>{"a", "bc"}));
    EXPECT_EQ(split_words("a;b,,c", ",;"), (std::vector<std::string_view>{"a", "b", "c"}));
    EXPECT_TRUE(split_words(" ").empty());
}

TEST(Text, LettersAreMadeSmall) {
    EXPECT_EQ(lowered("KVM_Exit 1"), "kvm_exit 1");
}

TEST(Text, BytesAreWrittenInTwoDigitsEach) {
    EXPECT_EQ(hex_of("\x01\xFE"), "01fe");
    EXPECT_EQ(hex_of(""), "");
}

}  // namespace
}  // namespace sla
