// Stop points: while there are any, every instruction is a step of the processor.
#include "emu/cpu/kvm/kvm_cpu.h"

namespace sla::cpu {

namespace {

constexpr std::uint8_t kHaltOpcode = 0xF4;

}  // namespace

void KvmCpu::set_stop_points(StopPoints* points) {
    if (points == nullptr && points_ != nullptr && !shadow_) sla_kvm_step(kvm_.get(), false);
    const bool begins = points != nullptr && points_ == nullptr;
    points_ = points;
    if (!begins) return;
    let_run_.reset();
    // One that the kernel still holds would be entered with the step's trap flag in the flags that it saves, and the guest would
    // have that flag when it returns.
    std::uint8_t vector = 0;
    if (!access_open_ && sla_kvm_take_back_interrupt(kvm_.get(), &vector)) {
        enter_handler({vector, Interrupt::Kind::kExternal, {}, 0});
    }
}

// An instruction is asked about once, however often runs end before it has run.
std::optional<Exit> KvmCpu::stop_or_step() {
    if (access_open_) {
        sla_kvm_finish_only(kvm_.get());
        return std::nullopt;
    }
    if (window_is_open()) {
        if (auto opened = open_window()) return opened;
    }
    const X86State& now = state();
    const std::uint32_t at = now.segments[kCs].base + now.eip;
    if (let_run_ != at && points_->stops_at(at)) {
        let_run_.reset();
        return Exit{ExitReason::kStopPoint, 0, {}, address(), {}};
    }
    let_run_ = at;
    // A step over HLT ends one run late where the kernel emulates the guest; HLT ends its run by itself.
    sla_kvm_step(kvm_.get(), read_byte(at) != kHaltOpcode);
    return std::nullopt;
}

// A stop point may come while an access is served, so what is open is noted always.
void KvmCpu::look_behind_run(const sla_kvm_exit& exit) {
    const bool finished = access_open_;
    access_open_ = exit.reason == SLA_KVM_PORT || exit.reason == SLA_KVM_MEMORY || exit.reason == SLA_KVM_MSR;
    if (access_open_ || points_ == nullptr) return;
    if (finished || exit.reason == SLA_KVM_STEPPED || exit.reason == SLA_KVM_HALT) let_run_.reset();
    if (points_->watches()) points_->look_for_changes([this](std::uint32_t linear) { return read_byte(linear); });
}

}  // namespace sla::cpu
