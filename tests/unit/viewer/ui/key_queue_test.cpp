// Every tap is seen, however short, with the modifiers that were held then; nothing overtakes.
#include "viewer/ui/key_queue.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace sla::ui {
namespace {

using What = Typed::What;

// "T+" went down, "T-" up, "t" is a character; ^ and $ are modifiers.
void type(KeyQueue& keys, std::string_view text) {
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char next = i + 1 < text.size() ? text[i + 1] : ' ';
        const bool is_key = next == '+' || next == '-';
        const bool is_modifier = text[i] == '^' || text[i] == '$';
        const What down = is_modifier ? What::kModifierDown : What::kDown;
        const What what = !is_key ? What::kCharacter : next == '-' ? What::kUp : down;
        keys.add({what, text[i], 0, 0, static_cast<unsigned char>(text[i])});
        i += is_key ? 1 : 0;
    }
}

std::string frame_of(KeyQueue& keys) {
    std::string out;
    keys.take_frame([&](const Typed& typed) {
        out += static_cast<char>(typed.key);
        if (typed.what != What::kCharacter) out += typed.what == What::kUp ? '-' : '+';
    });
    return out;
}

std::string frames_of(KeyQueue& keys) {
    std::string all;
    for (std::string frame = frame_of(keys); !frame.empty(); frame = frame_of(keys)) all += frame + "|";
    return all;
}

TEST(KeyQueue, a_tap_within_a_frame_is_seen_in_two) {
    KeyQueue keys;
    type(keys, "T+T-");
    EXPECT_EQ(frames_of(keys), "T+|T-|");
    type(keys, "N+N-N+N-");
    EXPECT_EQ(frames_of(keys), "N+|N-|N+|N-|");
}

TEST(KeyQueue, a_key_is_seen_with_the_modifiers_that_were_held) {
    KeyQueue keys;
    type(keys, "^+L+L-^-A+aA-");
    EXPECT_EQ(frames_of(keys), "^+L+|L-^-A+a|A-|");
    type(keys, "^+$+P+^-$-P-");
    EXPECT_EQ(frames_of(keys), "^+$+P+|^-$-P-|");
}

// Where a frame ends says nothing of who was held.
TEST(KeyQueue, a_modifier_let_go_behind_a_key_waits_though_it_went_down_a_frame_before) {
    KeyQueue keys;
    type(keys, "^+");
    EXPECT_EQ(frame_of(keys), "^+");
    type(keys, "M+^-M-");
    EXPECT_EQ(frames_of(keys), "M+|^-M-|");
    type(keys, "X+x^+Y+^-");
    EXPECT_EQ(frames_of(keys), "X+x|^+Y+|^-|");
}

TEST(KeyQueue, keys_that_go_down_together_are_of_one_frame) {
    KeyQueue keys;
    type(keys, "A+aB+bC+c");
    EXPECT_EQ(frames_of(keys), "A+aB+bC+c|");
}

}  // namespace
}  // namespace sla::ui
