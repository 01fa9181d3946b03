#include "proto/wire/utf8.h"

#include "proto/wire/capture.pb.h"
#include "proto/wire/frame_codec.h"

#include <gtest/gtest.h>

#include <random>

namespace sla::wire {
namespace {

TEST(Utf8, LeavesGoodTextAlone) {
    const std::string text = "na\u00efve \u0394t \u4f60\u597d \U0001f600";
    EXPECT_TRUE(is_utf8(text));
    EXPECT_EQ(to_utf8(text), text);
    EXPECT_EQ(first_character("\U0001f600x").code_point, 0x1f600U);
    EXPECT_EQ(first_character("\U0001f600x").bytes, 4U);
}

TEST(Utf8, ReplacesWhatIsNotText) {
    EXPECT_EQ(to_utf8("a\xff"
                      "b"),
              "a\ufffdb");
    for (const std::string_view bad : {"\x80", "\xc0\xaf", "\xc1\x81", "\xe0\x80\x80", "\xed\xa0\x80", "\xf4\x90\x80\x80",
                                       "\xf5\x80\x80\x80", "\xe2\x82", "\xf0\x9f\x98"}) {
        EXPECT_FALSE(is_utf8(bad));
        EXPECT_TRUE(is_utf8(to_utf8(bad)));
    }
}

TEST(Utf8, FindsABadByteAtEveryPlaceOfATextOfEveryLength) {
    for (std::size_t length = 1; length <= 40; ++length) {
        for (std::size_t at = 0; at < length; ++at) {
            std::string text(length, 'x');
            EXPECT_TRUE(is_utf8(text));
            text[at] = '\xff';
            EXPECT_FALSE(is_utf8(text)) << length << ", " << at;
            EXPECT_EQ(to_utf8(text), std::string(at, 'x') + "\ufffd" + std::string(length - at - 1, 'x'));
        }
    }
}

TEST(Utf8, CutsBetweenCharacters) {
    EXPECT_EQ(to_utf8("ab\u00e9", 4), "ab\u00e9");
    EXPECT_EQ(to_utf8("ab\u00e9", 3), "ab");
    EXPECT_EQ(to_utf8("\xff\xff", 5), "\ufffd");
    EXPECT_EQ(to_utf8("abc", 0), "");
}

TEST(Utf8, AgreesWithWhatTheWireAccepts) {
    std::mt19937_64 random(41);
    int good = 0;
    for (int i = 0; i < 50000; ++i) {
        std::string text(1 + random() % 5, '\0');
        for (char& byte : text) {
            byte = static_cast<char>(random());
            if (random() % 2 == 0) byte = static_cast<char>(0x80 | (byte & 0x3f));
        }
        // field 2 (text) of a Notice, by hand, so that only the reader judges it
        Notice notice;
        std::string wire = "\x12";
        wire += static_cast<char>(text.size());
        wire += text;
        ASSERT_EQ(parse_message(wire, notice), is_utf8(text));
        ASSERT_TRUE(is_utf8(to_utf8(text)));
        good += is_utf8(text) ? 1 : 0;
    }
    EXPECT_GT(good, 100);
}

}  // namespace
}  // namespace sla::wire
