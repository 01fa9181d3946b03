// KeyQueue: what was typed, given to frames so that each sees every tap, with the modifiers that were held then. Who looks at
// keys once a frame would not see a tap that is over before the next one: of a slow picture, of a remote desktop, of a script.
//
//   heard   ctrl↓ L↓ L↑ ctrl↑ a↓ "a"        one frame: ctrl↓ L↓        the next: L↑ ctrl↑ a↓ "a"
//
// A frame takes keys that went up, then modifiers that went down, then other keys and characters; whatever comes out of this
// order, and a key that changes again, waits for the next one.
#pragma once

#include <algorithm>
#include <deque>
#include <set>

namespace sla::ui {

// A key that went down or up, or a character that came of it; with the window system's own numbers.
struct Typed {
    enum class What { kUp, kModifierDown, kDown, kCharacter };
    What what = What::kDown;
    int key = 0;
    int scancode = 0;
    int mods = 0;
    unsigned character = 0;
};

// One thread. Holds what no frame took yet.
class KeyQueue {
public:
    void add(const Typed& typed) { waiting_.push_back(typed); }

    // Once a frame: give(typed) for those that are its own, in order.
    template <typename Give>
    void take_frame(Give give) {
        std::set<int> changed;
        Typed::What reached = Typed::What::kUp;
        while (!waiting_.empty()) {
            const Typed& next = waiting_.front();
            const Typed::What step = std::min(next.what, Typed::What::kDown);  // characters and keys go together
            if (step < reached || (next.what != Typed::What::kCharacter && !changed.insert(next.key).second)) return;
            reached = step;
            give(next);
            waiting_.pop_front();
        }
    }

private:
    std::deque<Typed> waiting_;
};

}  // namespace sla::ui
