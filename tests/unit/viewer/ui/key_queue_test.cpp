// Every tap is seen, however short: no key changes twice in one frame, and nothing overtakes.
#include "viewer/ui/key_queue.h"

#include <gtest/gtest.h>

#include <string>

namespace sla::ui {
namespace {

std::string frame_of(KeyQueue& keys) {
    std::string out;
    keys.take_frame([&](const Typed& typed) {
        if (typed.character != 0) {
            out += '"';
            out += static_cast<char>(typed.character);
            return;
        }
        out += static_cast<char>(typed.key);
        out += typed.action == 1 ? '+' : '-';
    });
    return out;
}

void tap(KeyQueue& keys, char key) {
    keys.add({0, key, 0, 1, 0});
    keys.add({0, key, 0, 0, 0});
}

TEST(KeyQueue, a_tap_within_a_frame_is_seen_in_two) {
    KeyQueue keys;
    tap(keys, 'T');
    EXPECT_EQ(frame_of(keys), "T+");
    EXPECT_EQ(frame_of(keys), "T-");
    EXPECT_EQ(frame_of(keys), "");
}

TEST(KeyQueue, chords_stay_whole_and_characters_wait_their_turn) {
    KeyQueue keys;
    keys.add({0, 'C', 0, 1, 0});
    tap(keys, 'L');
    keys.add({0, 'C', 0, 0, 0});
    keys.add({0, 'A', 0, 1, 0});
    keys.add({'a'});
    EXPECT_EQ(frame_of(keys), "C+L+");
    EXPECT_EQ(frame_of(keys), "L-C-A+\"a");
    keys.add({0, 'A', 0, 0, 0});
    EXPECT_EQ(frame_of(keys), "A-");
}

TEST(KeyQueue, two_taps_of_one_key_are_two) {
    KeyQueue keys;
    tap(keys, 'N');
    tap(keys, 'N');
    std::string all;
    for (int frame = 0; frame < 4; ++frame) all += frame_of(keys) + "|";
    EXPECT_EQ(all, "N+|N-|N+|N-|");
}

}  // namespace
}  // namespace sla::ui
