#include "proto/wire/glob_list.h"

#include <gtest/gtest.h>

#include <functional>
#include <random>
#include <string>

namespace sla::wire {
namespace {

TEST(Glob, MeansTheWholeName) {
    EXPECT_TRUE(glob_match("net.rx", "net.rx"));
    EXPECT_FALSE(glob_match("net.rx", "net.rxx"));
    EXPECT_FALSE(glob_match("net.rx", "my.net.rx"));
    EXPECT_FALSE(glob_match("net.rx", "net.r"));
    EXPECT_TRUE(glob_match("", ""));
    EXPECT_FALSE(glob_match("", "x"));
    EXPECT_FALSE(glob_match("x", ""));
    EXPECT_TRUE(glob_match("[x]", "[x]"));
    EXPECT_TRUE(glob_match("[x]", "x"));
    EXPECT_FALSE(glob_match(glob_of_name("[x]"), glob_of_name("[x]"))) << "an escaped name means that name alone";
}

TEST(Glob, ANameWithoutAWildcardIsNoPattern) {
    for (const char* text : {"*", "net.?x", "irq.[0-3]", "[", "a\\*b"}) EXPECT_TRUE(is_pattern(text)) << text;
    for (const char* text : {"", "net.rx", "!net.rx", "a]b", "a\\b"}) EXPECT_FALSE(is_pattern(text)) << text;
}

TEST(Glob, OfSeveralOneIsEnough) {
    EXPECT_TRUE(any_glob_matches({"irq.*", "net.?x"}, "net.rx"));
    EXPECT_FALSE(any_glob_matches({"irq.*", "net.?x"}, "net.rxx"));
    EXPECT_FALSE(any_glob_matches({}, "net.rx"));
}

TEST(Glob, StarIsAnyCharacters) {
    EXPECT_TRUE(glob_match("*", ""));
    EXPECT_TRUE(glob_match("*", "anything.at.all"));
    EXPECT_TRUE(glob_match("irq.*", "irq.0.isr"));
    EXPECT_FALSE(glob_match("irq.*", "my.irq.0"));
    EXPECT_TRUE(glob_match("*.isr", "irq.0.isr"));
    EXPECT_TRUE(glob_match("a*b*c", "a-b-b-c-c"));
    EXPECT_FALSE(glob_match("a*b*c", "a-c-b"));
    EXPECT_TRUE(glob_match("**a**", "a"));
    EXPECT_TRUE(glob_match("*aab", "aaaab"));
}

TEST(Glob, QuestionMarkIsOneCharacterNotOneByte) {
    EXPECT_TRUE(glob_match("int.??h", "int.21h"));
    EXPECT_FALSE(glob_match("int.??h", "int.1h"));
    EXPECT_TRUE(glob_match("?", "\u00b5"));
    EXPECT_TRUE(glob_match("?s", "\U0001f600s"));
    EXPECT_FALSE(glob_match("??", "\u00b5"));
    EXPECT_TRUE(glob_match("??", "\xff\xfe")) << "bytes that are not UTF-8 are characters of their own";
}

TEST(Glob, BracketsAreOneOfTheseCharacters) {
    EXPECT_TRUE(glob_match("irq.[0-7]", "irq.3"));
    EXPECT_FALSE(glob_match("irq.[0-7]", "irq.8"));
    EXPECT_TRUE(glob_match("irq.[!0-7]", "irq.8"));
    EXPECT_FALSE(glob_match("irq.[^0-7]", "irq.3"));
    EXPECT_TRUE(glob_match("[]x]", "]"));
    EXPECT_TRUE(glob_match("[a-]", "-"));
    EXPECT_TRUE(glob_match("[\u00e0-\u00ff]", "\u00e9"));
    EXPECT_FALSE(glob_match("[!a]", ""));
    EXPECT_TRUE(glob_match("*[0-9]*.x", "abc5abc.x"));
    EXPECT_TRUE(glob_match("[ab", "[ab")) << "never closed";
    EXPECT_FALSE(glob_match("[z-a]", "m"));
    EXPECT_TRUE(glob_match("[\\]]", "]"));
}

TEST(Glob, BackslashTakesTheNextCharacterAsItIs) {
    EXPECT_TRUE(glob_match("a\\*b", "a*b"));
    EXPECT_FALSE(glob_match("a\\*b", "axb"));
    EXPECT_TRUE(glob_match("a\\", "a\\"));
}

TEST(Glob, IsNeverExponential) {
    std::string pattern;
    for (int i = 0; i < 100; ++i) pattern += "*a";
    EXPECT_FALSE(glob_match(pattern + "b", std::string(5000, 'a')));
}

TEST(Glob, AgreesWithAPlainRecursionOnRandomPatterns) {
    const std::function<bool(std::string_view, std::string_view)> plain = [&](std::string_view p,
                                                                              std::string_view t) -> bool {
        if (p.empty()) return t.empty();
        if (p[0] == '*') return plain(p.substr(1), t) || (!t.empty() && plain(p, t.substr(1)));
        return !t.empty() && (p[0] == '?' || p[0] == t[0]) && plain(p.substr(1), t.substr(1));
    };
    std::mt19937_64 random(31);
    for (int i = 0; i < 20000; ++i) {
        std::string pattern(random() % 8, ' ');
        std::string name(random() % 10, ' ');
        for (char& c : pattern) c = "ab*?"[random() % 4];
        for (char& c : name) c = "ab"[random() % 2];
        ASSERT_EQ(glob_match(pattern, name), plain(pattern, name)) << pattern << " " << name;
    }
}

TEST(Glob, AClassThatIsNeverClosedIsABracketWhereverItStands) {
    std::mt19937_64 random(33);
    for (int i = 0; i < 20000; ++i) {
        std::string pattern(random() % 10, ' ');
        std::string name(random() % 10, ' ');
        for (char& c : pattern) c = "[[ab*?-!"[random() % 8];
        for (char& c : name) c = "[ab-!"[random() % 5];
        std::string escaped;
        for (const char c : pattern) escaped += c == '[' ? std::string("\\[") : std::string(1, c);
        ASSERT_EQ(glob_match(pattern, name), glob_match(escaped, name)) << pattern << " " << name;
    }
}

TEST(Glob, ANameHasAPatternThatItAloneMatches) {
    for (const char* const name : {"net.rx", "a*b", "what?", "[x]", "back\\slash", "*", ""}) {
        EXPECT_TRUE(glob_match(glob_of_name(name), name)) << name;
        EXPECT_EQ(glob_match(glob_of_name(name), "anything"), false) << name;
    }
    EXPECT_FALSE(glob_match(glob_of_name("a*b"), "a-b"));
}

TEST(Glob, SurvivesAnyBytes) {
    std::mt19937_64 random(32);
    for (int i = 0; i < 50000; ++i) {
        std::string pattern(random() % 12, '\0');
        std::string name(random() % 12, '\0');
        for (char& c : pattern) c = random() % 2 == 0 ? "[]*?-!\\"[random() % 7] : static_cast<char>(random());
        for (char& c : name) c = static_cast<char>(random());
        static_cast<void>(glob_match(pattern, name));
    }
}

}  // namespace
}  // namespace sla::wire
