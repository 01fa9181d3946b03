// InputQueue: what hands did, given to frames so that each sees every tap and click, with the modifiers that were held and
// the pointer where it stood then. Who looks once a frame would not see a tap that is over before the next one, and would
// take a click for one of the place where the mouse is by now: of a slow picture, of a remote desktop, of a script.
//
//   input   ctrl↓ L↓ L↑ ctrl↑ a↓ "a"        one frame: ctrl↓ L↓        the next: L↑ ctrl↑ a↓ "a"
//   input   move(10) left↓ move(90) left↑   one frame: move(10) left↓  the next: move(90) left↑
//
// A frame takes keys that went up, then modifiers that went down, then other keys and characters, or the wheel, or buttons;
// moves only before these. Whatever comes out of this order, and what changes again, waits for the next one.
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
        Frame frame;
        while (!waiting_.empty() && frame.takes(waiting_, typing)) {
            give(waiting_.front());
            waiting_.pop_front();
        }
    }

private:
    using What = Input::What;

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
};

}  // namespace sla::ui
