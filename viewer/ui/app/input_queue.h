// InputQueue: what hands did, given to frames so that each sees every tap and click, with the modifiers that were held and
// the pointer where it stood then. Who looks once a frame would not see a tap that is over before the next one, and would
// take a click for one of the place where the mouse is by now: of a slow picture, of a remote desktop, of a script.
//
//   input   ctrl↓ L↓ L↑ ctrl↑ a↓ "a"        one frame: ctrl↓ L↓        the next: L↑ ctrl↑ a↓ "a"
//   input   move(10) left↓ move(90) left↑   one frame: move(10) left↓  the next: move(90) left↑
//
// A frame takes keys that went up, then modifiers that went down, then another key and its character, or the wheel, or buttons;
// moves only before these. Whatever comes out of this order, and what changes again, waits for the next one.
//
// A key that is no text may open a field: what is pressed behind it waits for the frames that this takes. Otherwise what is typed
// into that field would be commands, which hide lanes and set markers. The same key once more does not wait.
#pragma once

#include <deque>
#include <set>

namespace sla::ui {

// With the window system's own numbers.
struct Input {
    enum class What { kMove, kWheel, kButtonUp, kButtonDown, kUp, kModifierDown, kDown, kCharacter };
    What what = What::kDown;
    int key = 0;  // or the button
    int scancode = 0;
    int mods = 0;
    unsigned character = 0;
    double x = 0;
    double y = 0;
};

// One thread. Holds what no frame took yet.
class InputQueue {
public:
    void add(const Input& input) { waiting_.push_back(input); }
    [[nodiscard]] bool empty() const { return waiting_.empty(); }

    // Once a frame: give(input) for those that are its own, in order. Where text is typed, a frame takes as much of it as
    // there is: nobody asks which of its keys are down.
    template <typename Give>
    void take_frame(bool typing, Give give) {
        if (held_back_ > 0) --held_back_;
        if (typing && !was_typing_) held_back_ = 0;  // there is the field
        Frame frame;
        bool is_its_character = false;
        while (!waiting_.empty() && (is_its_character || !is_held_back()) && frame.takes(waiting_, typing)) {
            const Input next = waiting_.front();
            waiting_.pop_front();
            const bool is_command = note_command(next, typing);
            is_its_character = is_command && !waiting_.empty() && waiting_.front().what == What::kCharacter;
            give(next);
        }
    }

private:
    using What = Input::What;
    // It asks for the keyboard in the frame behind the key's, has it in the next, and says so in the one after.
    static constexpr int kFramesToOpenAField = 3;
    static constexpr int kControlAltSuper = 2 | 4 | 8;

    [[nodiscard]] bool is_held_back() const {
        const Input& next = waiting_.front();
        const bool is_pressed =
            next.what == What::kModifierDown || next.what == What::kDown || next.what == What::kCharacter;
        const bool is_same = next.what == What::kDown && next.key == command_.key && next.mods == command_.mods;
        return held_back_ > 0 && is_pressed && !is_same;
    }
    // In a field it is a chord: keys that edit open nothing.
    bool note_command(const Input& given, bool typing) {
        if (given.what != What::kDown || (typing && (given.mods & kControlAltSuper) == 0)) return false;
        command_ = given;
        was_typing_ = typing;
        held_back_ = kFramesToOpenAField + 1;
        return true;
    }

    // What one frame has taken so far.
    class Frame {
    public:
        bool takes(const std::deque<Input>& waiting, bool typing) {
            const Input& next = waiting.front();
            switch (next.what) {
                case What::kMove: return !pressed_ && !clicked_;
                case What::kWheel: return !pressed_ && !clicked_ && (wheeled_ = true);
                case What::kButtonUp:
                case What::kButtonDown:
                    return !pressed_ && !wheeled_ && buttons_.insert(next.key).second && (clicked_ = true);
                default: break;
            }
            if (wheeled_ || clicked_) return false;
            if (next.what == What::kCharacter) return !commanded_ && (pressed_ = true);
            const bool of_text = next.what == What::kDown && waiting.size() > 1 && waiting[1].what == What::kCharacter;
            return (typing && takes_text(next, of_text)) || takes_key(next, of_text);
        }

    private:
        bool takes_text(const Input& next, bool of_text) {
            if (next.what == What::kUp) return text_keys_.contains(next.key);
            if (!of_text || commanded_) return false;
            text_keys_.insert(next.key);
            reached_ = What::kDown;
            return pressed_ = true;
        }
        bool takes_key(const Input& next, bool of_text) {
            if (next.what < reached_ || !keys_.insert(next.key).second) return false;
            reached_ = next.what;
            pressed_ = pressed_ || next.what == What::kDown;
            commanded_ = commanded_ || (next.what == What::kDown && !of_text);
            return true;
        }

        What reached_ = What::kUp;
        bool pressed_ = false;    // a key that is no modifier
        bool commanded_ = false;  // one that gave no character: what is typed behind it must not come before
        bool wheeled_ = false;
        bool clicked_ = false;
        std::set<int> keys_;
        std::set<int> text_keys_;
        std::set<int> buttons_;
    };

    std::deque<Input> waiting_;
    Input command_;            // the last one
    bool was_typing_ = false;  // when it was given
    int held_back_ = 0;        // frames for which what is pressed behind it waits
};

}  // namespace sla::ui
