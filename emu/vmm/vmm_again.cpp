// Places of a run by the virtual clock, and a run that is made again up to one.
#include "emu/machine/virtual_clock.h"
#include "emu/vmm/vmm.h"

#include <utility>

namespace sla::vmm {

cpu::Moment Vmm::moment() const {
    return machine_.clock().now() + cpu_->executed() * machine::VirtualClock::kNanosecondsPerByte;
}

void Vmm::call_at(const cpu::RunPlace& place, cpu::Moment block, std::function<void()> action) {
    call_at_ = place;
    call_ = std::move(action);
    points_.stop_at_moment(place.moment, block);
}

void Vmm::forget_call() {
    call_at_.reset();
    call_ = nullptr;
    points_.forget_moment();
}

bool Vmm::has_passed_call(bool between) const {
    if (!call_at_ || again_) return false;
    const cpu::Moment now = moment();
    return now > call_at_->moment || (now == call_at_->moment && (!between || call_at_->between));
}

void Vmm::call() {
    const auto action = std::exchange(call_, nullptr);
    forget_call();
    action();
}

bool Vmm::stands_again() {
    return repeat_->arrived() || repeat_->stands(moment(), halted_);
}

bool Vmm::run_again(cpu::Repeat& repeat) {
    points_.note_values([this](std::uint32_t linear) { return cpu_->read_byte(linear); });
    points_.repeat(&repeat);
    repeat_ = &repeat;
    again_ = true;
    while (!repeat.arrived() && !stop_.requested() && !stop_.interrupted()) {
        auto end = step();
        if (end) end = restart(*end);
        if (end) break;
    }
    again_ = false;
    repeat_ = nullptr;
    points_.repeat(nullptr);
    interlude_ = false;
    loaded_ = true;
    return repeat.arrived().has_value();
}

}  // namespace sla::vmm
