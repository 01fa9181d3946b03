#include "emu/tap/guest_text.h"

#include "proto/wire/utf8.h"

#include <gmock/gmock.h>

#include <random>
#include <set>

namespace sla::tap {
namespace {

using testing::StartsWith;

TEST(GuestText, KeepsWhatIsUtf8) {
    for (const char* text : {"", "work", "with space", "\u00e4\u20ac", "\U0001f600", "a\\b", "??b", "\\"}) {
        EXPECT_EQ(guest_text(text), text);
        EXPECT_EQ(guest_name(text), text);
    }
}

TEST(GuestText, ShowsWhatIsNotByItsBytes) {
    EXPECT_EQ(guest_text("\xff\xfe"), "\\xff\\xfe");
    EXPECT_EQ(guest_text("\xfe\xff"), "\\xfe\\xff");
    EXPECT_EQ(guest_text("tab\there"), "tab\\x09here");
    EXPECT_EQ(guest_text("\x1b[2J\x7f"), "\\x1b[2J\\x7f");
    EXPECT_EQ(guest_text("\xc2\x9b"), "\\xc2\\x9b") << "a control character beyond ASCII";
    EXPECT_EQ(guest_text("\xc3"), "\\xc3") << "half a character";
    EXPECT_EQ(guest_text("\\xff"), "\\x5cxff") << "which is not the byte FFh";
}

TEST(GuestText, IsCutBetweenCharacters) {
    const std::string almost(kMaxGuestText - 2, 'a');
    EXPECT_EQ(guest_text(almost + "bcd"), almost + "bc");
    EXPECT_EQ(guest_text(almost + "b\u00e4"), almost + "b");
    EXPECT_EQ(guest_text(almost + "\xff"), almost) << "nor within what stands for a byte";
}

TEST(GuestName, OneThatIsTooLongKeepsItsBeginningAndIsNoOther) {
    const std::string longest(kMaxGuestName, 'n');
    EXPECT_EQ(guest_name(longest), longest);
    const std::string one = guest_name(longest + "1");
    EXPECT_THAT(one, StartsWith(std::string(47, 'n') + "~"));
    EXPECT_EQ(one.size(), kMaxGuestName);
    EXPECT_NE(one, guest_name(longest + "2"));
    EXPECT_EQ(one, guest_name(longest + "1"));
    EXPECT_THAT(guest_name(std::string(46, 'n') + std::string(20, '\xff')), StartsWith(std::string(46, 'n') + "~"));
}

TEST(GuestName, OfAnyBytesIsUtf8ThatFitsAndOneForOne) {
    std::mt19937 random(1);
    std::set<std::string> given;
    std::set<std::string> made;
    for (int round = 0; round < 20'000; ++round) {
        std::string bytes;
        for (unsigned i = random() % 40; i-- > 0;) bytes += "\\xf0\x9f\x98\x80\xc3\xa4\n9"[random() % 12];
        const std::string name = guest_name(bytes);
        ASSERT_TRUE(wire::is_utf8(name));
        ASSERT_LE(name.size(), kMaxGuestName);
        given.insert(bytes);
        made.insert(name);
    }
    EXPECT_EQ(made.size(), given.size());
}

}  // namespace
}  // namespace sla::tap
