// Every tap and click is seen, however short, with the modifiers that were held and the pointer where it stood; nothing
// overtakes.
#include "viewer/ui/app/input_queue.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace sla::ui {
namespace {

using What = Input::What;

// "T+" went down, "T-" up, "t" is a character; ^ and $ are modifiers, 1 2 3 buttons, "<" and ">" moves, "*" the wheel.
void feed(InputQueue& input, std::string_view text) {
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char next = i + 1 < text.size() ? text[i + 1] : ' ';
        const bool changes = next == '+' || next == '-';
        const bool is_button = text[i] >= '1' && text[i] <= '3';
        const bool is_modifier = text[i] == '^' || text[i] == '$';
        What what = text[i] == '<' || text[i] == '>' ? What::kMove : text[i] == '*' ? What::kWheel : What::kCharacter;
        if (next == '+') what = is_button ? What::kButtonDown : is_modifier ? What::kModifierDown : What::kDown;
        if (next == '-') what = is_button ? What::kButtonUp : What::kUp;
        input.add({.what = what, .key = text[i]});
        i += changes ? 1 : 0;
    }
}

std::string frame_of(InputQueue& input, bool typing = false) {
    std::string out;
    input.take_frame(typing, [&](const Input& one) {
        out += static_cast<char>(one.key);
        if (one.what == What::kUp || one.what == What::kButtonUp) out += '-';
        if (one.what == What::kDown || one.what == What::kModifierDown || one.what == What::kButtonDown) out += '+';
    });
    return out;
}

std::string frames_of(InputQueue& input, bool typing = false) {
    std::string all;
    while (!input.empty()) all += frame_of(input, typing) + "|";
    return all;
}

TEST(InputQueue, ATapWithinAFrameIsSeenInTwo) {
    InputQueue input;
    feed(input, "T+T-");
    EXPECT_EQ(frames_of(input), "T+|T-|");
    InputQueue again;
    feed(again, "N+N-N+N-");
    EXPECT_EQ(frames_of(again), "N+|N-|N+|N-|");
}

TEST(InputQueue, AKeyIsSeenWithTheModifiersThatWereHeld) {
    InputQueue input;
    feed(input, "^+L+L-^-A+aA-");
    EXPECT_EQ(frames_of(input), "^+L+|L-^-|||A+a|A-|");
    InputQueue another;
    feed(another, "^+$+P+^-$-P-");
    EXPECT_EQ(frames_of(another), "^+$+P+|^-$-P-|");
}

// Where a frame ends says nothing of who was held.
TEST(InputQueue, AModifierLetGoBehindAKeyWaitsThoughItWentDownAFrameBefore) {
    InputQueue input;
    feed(input, "^+");
    EXPECT_EQ(frame_of(input), "^+");
    feed(input, "M+^-M-");
    EXPECT_EQ(frames_of(input), "M+|^-M-|");
    feed(input, "X+x^+Y+^-");
    EXPECT_EQ(frames_of(input), "||X+x||||^+Y+|^-|");
}

TEST(InputQueue, WhatIsPressedBehindAKeyThatMayOpenAFieldWaitsUntilTheFieldIsThere) {
    InputQueue input;
    feed(input, "G+gG-H+hH-I+iI-");
    EXPECT_EQ(frame_of(input), "G+g");
    EXPECT_EQ(frame_of(input), "G-");
    EXPECT_EQ(frame_of(input), "") << "it has asked for the keyboard";
    EXPECT_EQ(frame_of(input, true), "H+hH-I+iI-");
    InputQueue without;
    feed(without, "A+aB+bB-C+c");
    EXPECT_EQ(frames_of(without), "A+a||||B+b|B-|||C+c|") << "none was opened";
}

TEST(InputQueue, AChordInAFieldMayOpenAnother) {
    InputQueue input;
    feed(input, "A+aA-");
    input.add({.what = What::kDown, .key = 'F', .mods = 2});
    feed(input, "F-B+bB-");
    EXPECT_EQ(frames_of(input, true), "A+aA-F+|F-|||B+bB-|");
}

TEST(InputQueue, MovesAndClicksBehindAKeyDoNotWait) {
    InputQueue input;
    feed(input, "A+aA-<1+1-<B+b");
    EXPECT_EQ(frames_of(input), "A+a|A-<1+|1-|<|B+b|");
}

TEST(InputQueue, AClickIsWhereThePointerStoodThen) {
    InputQueue input;
    feed(input, "<<1+>>1->");
    EXPECT_EQ(frames_of(input), "<<1+|>>1-|>|");
    feed(input, "1+1-1+1-");
    EXPECT_EQ(frames_of(input), "1+|1-|1+|1-|");
}

TEST(InputQueue, AClickDoesNotOvertakeWhatWasTypedNorTypingAClick) {
    InputQueue input;
    feed(input, "A+aA-<1+1-B+b");
    EXPECT_EQ(frames_of(input), "A+a|A-<1+|1-||B+b|");
    feed(input, "A+a<1+");
    EXPECT_EQ(frames_of(input, true), "A+a|<1+|");
}

TEST(InputQueue, TheWheelTurnsWithTheModifiersThatWereHeldAndIsNotSlowedByMoves) {
    InputQueue input;
    feed(input, "<^+*>*>*^-*");
    EXPECT_EQ(frames_of(input), "<^+*>*>*|^-*|");
    feed(input, "*1+1-*");
    EXPECT_EQ(frames_of(input), "*|1+|1-|*|");
}

TEST(InputQueue, TextIsTakenAsFastAsItComes) {
    InputQueue input;
    feed(input, "A+aA-A+aA-B+bB-R+R-C+cC-");
    EXPECT_EQ(frames_of(input, true), "A+aA-A+aA-B+bB-R+|R-C+cC-|");
    feed(input, "A+aA-^+L+L-^-");  // a chord would swallow the text of its frame
    EXPECT_EQ(frames_of(input, true), "A+aA-|^+L+|L-^-|");
}

TEST(InputQueue, WhatIsTypedBehindACommandComesBehindIt) {
    InputQueue input;
    feed(input, "R+C+cR-C-");
    EXPECT_EQ(frames_of(input, true), "R+C+|cR-C-|");
}

}  // namespace
}  // namespace sla::ui
