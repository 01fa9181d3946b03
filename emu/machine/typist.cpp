#include "emu/machine/typist.h"

namespace sla::machine {

namespace {

constexpr unsigned kKeyboardLine = 1;

}  // namespace

Typist::Typist(bus::EventQueue& events, device::I8042& keyboard, Surroundings surroundings)
    : events_(events),
      keyboard_(keyboard),
      surroundings_(std::move(surroundings)),
      timer_(events.add_timer([this](bus::Nanoseconds) { on_time(); }, bus::irq_line_bit(kKeyboardLine))) {}

void Typist::type(std::vector<TypingStep> steps) {
    steps_ = std::move(steps);
    next_ = 0;
    stage_ = Stage::kBegin;
    if (!done()) events_.arm(timer_, events_.now() + kMoment);
}

void Typist::on_time() {
    if (done()) return;  // a state from outside may have the timer armed all the same
    const TypingStep& step = steps_[next_];
    bool finished = false;
    if (const auto* wanted = std::get_if<device::Stroke>(&step)) finished = stroke(*wanted);
    if (const auto* wanted = std::get_if<Pause>(&step)) finished = pause(*wanted);
    if (const auto* wanted = std::get_if<AwaitText>(&step)) finished = surroundings_.sees(wanted->text);
    if (std::holds_alternative<EndRun>(step)) {
        surroundings_.stop();
        finished = true;
    }
    if (finished) ++next_;
    if (!done()) events_.arm(timer_, events_.now() + kMoment);
}

// One key movement at a time, each after the guest has read the one before.
bool Typist::stroke(const device::Stroke& wanted) {
    if (!keyboard_.keyboard_ready()) return false;
    switch (stage_) {
        case Stage::kBegin:
            if (wanted.shift) {
                keyboard_.press(device::kLeftShift);
                stage_ = Stage::kShiftDown;
                return false;
            }
            [[fallthrough]];
        case Stage::kShiftDown:
            keyboard_.press(wanted.key);
            stage_ = Stage::kDown;
            return false;
        case Stage::kDown:
            keyboard_.release(wanted.key);
            stage_ = wanted.shift ? Stage::kUp : Stage::kBegin;
            return !wanted.shift;
        default:
            keyboard_.release(device::kLeftShift);
            stage_ = Stage::kBegin;
            return true;
    }
}

bool Typist::pause(const Pause& wanted) {
    if (pause_ends_ < 0) pause_ends_ = events_.now() + wanted.time;
    if (events_.now() < pause_ends_) return false;
    pause_ends_ = -1;
    return true;
}

void Typist::visit_state(bus::StateVisitor& state) {
    state.field("next_step", next_, steps_.size());
    state.field("stage", stage_, static_cast<unsigned>(Stage::kUp));
    state.field("pause_ends", pause_ends_);
    events_.visit_timer(state, timer_);
}

}  // namespace sla::machine
