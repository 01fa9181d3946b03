#include "proto/base/terminal_text.h"

#include "proto/base/control_characters.h"

#include <gtest/gtest.h>

#include <clocale>
#include <string>

namespace sla {
namespace {

constexpr std::string_view kNihongo = "\u65e5\u672c\u8a9e";  // three characters of two columns
constexpr std::string_view kAccent = "e\u0301";              // an e and an accent upon it
constexpr std::string_view kSmile = "\U0001f600";

TEST(TerminalText, TakesTheColumnsThatATerminalGivesIt) {
    EXPECT_EQ(terminal_columns(""), 0u);
    EXPECT_EQ(terminal_columns("net.rx"), 6u);
    EXPECT_EQ(terminal_columns("1.5 \u00b5s"), 6u);
    EXPECT_EQ(terminal_columns(kNihongo), 6u);
    EXPECT_EQ(terminal_columns(kSmile), 2u);
    EXPECT_EQ(terminal_columns(kAccent), 1u);
    EXPECT_EQ(terminal_columns(std::string(kNihongo) + ".a"), 8u);
}

TEST(TerminalText, WhatIsNoUtf8TakesAColumnAByte) {
    EXPECT_EQ(terminal_columns("\xff\xfe"), 2u);
    EXPECT_EQ(terminal_columns(kNihongo.substr(0, 4)), 3u) << "a character, and the first byte of another";
    EXPECT_EQ(terminal_columns(std::string("a\0\u00b5", 4)), 3u);
}

TEST(TerminalText, IsCutBetweenCharacters) {
    EXPECT_EQ(first_columns("network", 3), "net");
    EXPECT_EQ(first_columns("net", 7), "net");
    EXPECT_EQ(first_columns(kNihongo, 4), kNihongo.substr(0, 6));
    EXPECT_EQ(first_columns(kNihongo, 5), kNihongo.substr(0, 6)) << "half a character is none";
    EXPECT_EQ(first_columns(std::string(kAccent) + "x", 1), kAccent);
    EXPECT_EQ(last_columns("network", 4), "work");
    EXPECT_EQ(last_columns("net", 7), "net");
    EXPECT_EQ(last_columns(kNihongo, 4), kNihongo.substr(3));
    EXPECT_EQ(last_columns(kNihongo, 3), kNihongo.substr(6));
    EXPECT_EQ(last_columns(kNihongo, 0), "");
}

TEST(TerminalText, WhatSteersATerminalIsReplaced) {
    EXPECT_EQ(without_control("a\x1b[31m\n\x7f", ' '), "a [31m  ");
    EXPECT_EQ(without_control("a\u009b31m \u00b5\u00a0", '?'), "a??31m \u00b5\u00a0");
    EXPECT_EQ(without_control("\xc2", '?'), "\xc2");
    EXPECT_EQ(harmless_lines("a\tb\n\x1b]0;\u0085c\xc2"), "a\tb\n?]0;??c\xc2");
}

TEST(TerminalText, LeavesTheUsersLocaleAlone) {
    const std::string before = std::setlocale(LC_ALL, nullptr);
    EXPECT_EQ(terminal_columns(kNihongo), 6u);
    EXPECT_EQ(std::setlocale(LC_ALL, nullptr), before);
    EXPECT_EQ(MB_CUR_MAX, 1u);
}

}  // namespace
}  // namespace sla
