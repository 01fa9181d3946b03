// Types at the PC's keyboard as a person would: a key down, a moment later up, and never faster than the guest reads.
// Owned by the machine's thread.
#pragma once

#include "emu/bus/event_queue.h"
#include "emu/bus/state_visitor.h"
#include "emu/device/input/i8042.h"
#include "emu/machine/typed_text.h"

#include <functional>
#include <vector>

namespace sla::machine {

class Typist {
public:
    static constexpr bus::Nanoseconds kMoment = 10'000'000;  // between down and up, and until the next key

    struct Surroundings {
        std::function<bool(const std::string& text)> sees;  // does the screen show that?
        std::function<void()> stop;                         // ends the run
    };

    Typist(bus::EventQueue& events, device::I8042& keyboard, Surroundings surroundings);

    void type(std::vector<TypingStep> steps);
    // The clock was set: it goes on a moment from now, and a pause begins anew.
    void wake() {
        pause_ends_ = -1;
        if (!done()) events_.arm(timer_, events_.now() + kMoment);
    }
    [[nodiscard]] bool done() const { return next_ == steps_.size(); }

    // How far it came; the text is whoever gave it. A machine that goes on from elsewhere with another text types all of it.
    void visit_state(bus::StateVisitor& state);

private:
    enum class Stage { kBegin, kShiftDown, kDown, kUp };

    void on_time();
    bool stroke(const device::Stroke& wanted);
    bool pause(const Pause& wanted);

    bus::EventQueue& events_;
    device::I8042& keyboard_;
    Surroundings surroundings_;
    bus::EventQueue::TimerId timer_;
    std::vector<TypingStep> steps_;
    std::size_t next_ = 0;
    Stage stage_ = Stage::kBegin;
    bus::Nanoseconds pause_ends_ = -1;
};

}  // namespace sla::machine
