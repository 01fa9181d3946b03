// What a program may have written where a text stands.
#include "proto/ring/program_text.h"

#include <gtest/gtest.h>

#include <string_view>

namespace sla::ring {
namespace {

std::string shown(std::string_view written) {
    return program_text({written.data(), written.size()});
}

TEST(ProgramText, EndsAtItsNulOrWithItsField) {
    EXPECT_EQ(shown({"abc\0def", 7}), "abc");
    EXPECT_EQ(shown("abc"), "abc");
    EXPECT_EQ(shown(""), "");
}

TEST(ProgramText, KeepsWhatIsUtf8) {
    constexpr std::string_view kAll = "a\xc3\x9f\xe0\xa0\x80\xed\x9f\xbf\xef\xbf\xbf\xf0\x90\x80\x80\xf4\x8f\xbf\xbf";
    EXPECT_EQ(shown(kAll), kAll);
}

TEST(ProgramText, ShowsWhatSteersATerminal) {
    EXPECT_EQ(shown("a\x1b[2J\x7f"), "a?[2J?");
    EXPECT_EQ(shown("a\xc2\x9b"), "a??");
}

TEST(ProgramText, ShowsBytesThatAreNoCharacter) {
    EXPECT_EQ(shown("\xff"
                    "a\x80"),
              "?a?");
    EXPECT_EQ(shown("gr\xc3"), "gr?");
    EXPECT_EQ(shown("\xe2\x82"
                    "a"),
              "??a");
    EXPECT_EQ(shown("\xf5\x80\x80\x80"), "????");
}

// A longer form than needed, a surrogate, and past U+10FFFF: no decoder takes them, and a message that has one is refused whole.
TEST(ProgramText, ShowsFormsThatOnlyLookLikeUtf8) {
    EXPECT_EQ(shown("\xc0\xaf"), "??");
    EXPECT_EQ(shown("\xe0\x9f\xbf"), "???");
    EXPECT_EQ(shown("\xed\xa0\x80"), "???");
    EXPECT_EQ(shown("\xf0\x8f\xbf\xbf"), "????");
    EXPECT_EQ(shown("\xf4\x90\x80\x80"), "????");
}

}  // namespace
}  // namespace sla::ring
