// The guest stands still where somebody wants it to.
#include "emu/vmm/vmm.h"

#include <utility>

namespace sla::vmm {

// A CPU that stopped goes on with the budget that it had, and nothing else happens in between: so the run is the same as one
// that was not stopped, if nobody changed anything.
std::optional<Outcome> Vmm::run_cpu() {
    while (!machine_.over()) {  // whoever attended may have seen to that
        if (holds_interrupts_back()) cpu_->want_interrupt_window(false);
        cpu_->set_stop_points(points_.any() ? &points_ : nullptr);
        const cpu::Exit exit = cpu_->run();
        if (exit.reason != cpu::ExitReason::kStopPoint) return handle(exit);
        in_cpu_run_ = true;
        if (again_) return std::nullopt;
        look_at_stops();
        if (loaded_) return std::nullopt;
        if (stop_.requested()) return std::nullopt;
        look_behind_stop();
    }
    return std::nullopt;
}

void Vmm::look_at_stops() {
    auto found = points_.take();
    if (has_passed_call(!in_cpu_run_)) call();
    if (found && found->why == cpu::StopPoints::Why::kMoment) found.reset();
    if (!in_cpu_run_ && machine_.clock().now() >= behind_) {
        behind_ = std::numeric_limits<cpu::Moment>::max();
        std::exchange(call_behind_, nullptr)();
    }
    if (found && on_stop_) on_stop_(*found);
    if (!attend_ || (!found && !stop_.attention())) return;
    machine_.clock().stand_still(true);
    attend_();
    machine_.clock().stand_still(false);
}

// By the host's clock time goes on while the guest stands still, and every step would end in the timer's handler. A halted
// guest needs them.
bool Vmm::holds_interrupts_back() const {
    return points_.stepping() && !halted_ && !machine_.clock().repeatable();
}

void Vmm::go_on() {
    const auto at = halted_ ? std::nullopt : std::optional(linear_address());
    points_.go_on(at, [this](std::uint32_t linear) { return cpu_->read_byte(linear); });
}

void Vmm::stop_soon() {
    points_.ask();
    cpu_->set_stop_points(&points_);
}

std::uint32_t Vmm::linear_address() const {
    const cpu::X86State now = cpu_->full_state();
    return now.segments[cpu::kCs].base + now.eip;
}

}  // namespace sla::vmm
