// KeyQueue: what was typed, given to frames so that no key changes twice in one. Who looks at keys once a frame would not see
// a tap that is over before the next one: of a slow picture, of a remote desktop, of a script.
//
//   heard   ctrl↓ L↓ L↑ ctrl↑ a↓ "a"        one frame: ctrl↓ L↓        the next: L↑ ctrl↑ a↓ "a"
#pragma once

#include <deque>
#include <set>

namespace sla::ui {

// A key that went down or up, or a character that came of it; with the window system's own numbers.
struct Typed {
    unsigned character = 0;  // 0: a key
    int key = 0;
    int scancode = 0;
    int action = 0;
    int mods = 0;
};

// One thread. Holds what no frame took yet.
class KeyQueue {
public:
    void add(const Typed& typed) { waiting_.push_back(typed); }

    // Once a frame: give(typed) for those that are its own, in order.
    template <typename Give>
    void take_frame(Give give) {
        std::set<int> changed;
        while (!waiting_.empty()) {
            const Typed& next = waiting_.front();
            if (next.character == 0 && !changed.insert(next.key).second) return;
            give(next);
            waiting_.pop_front();
        }
    }

private:
    std::deque<Typed> waiting_;
};

}  // namespace sla::ui
