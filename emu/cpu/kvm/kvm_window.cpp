// When the guest lets interrupts in, and when it takes them.
#include "emu/cpu/kvm/kvm_cpu.h"

namespace sla::cpu {

// Not every host's KVM holds interrupts back behind STI and loads of SS. One step of the processor does. A HLT is left to
// end its run by itself: where the kernel emulates the guest, a step over it makes it report the halt one run late,
// inside the handler of the interrupt that ended it.
std::optional<Exit> KvmCpu::open_window() {
    look_at_mode();
    if (shadow_) return std::nullopt;
    if (!in_shadow()) return window();
    constexpr std::uint8_t kHlt = 0xF4;
    if (read_byte(state().segments[kCs].base + state().eip) == kHlt) {
        sla_kvm_want_window(kvm_.get(), false);
    } else if (sla_kvm_step(kvm_.get(), true) == 0) {
        shadow_ = true;
    } else {
        stepped_at_ = state().eip;
        return window();
    }
    return std::nullopt;
}

Exit KvmCpu::window() const {
    return {ExitReason::kInterruptWindow, 0, {}, address(), {}};
}

void KvmCpu::want_interrupt_window(bool wanted) {
    // Where the kernel does not stop when interrupts are let in: how often to look, while one waits.
    constexpr std::uint64_t kWindowPoll = 10'000;
    if (wanted && !window_wanted_) {
        window_poll_ = kWindowPoll;
        if (!abilities_.windows) armed_ = false;
    }
    window_wanted_ = wanted;
    sla_kvm_want_window(kvm_.get(), wanted);
}

void KvmCpu::end_shadow() {
    if (shadow_) sla_kvm_step(kvm_.get(), false);
    shadow_ = false;
    stepped_at_ = state().eip;
}

bool KvmCpu::can_inject() const {
    return !shadow_ && sla_kvm_takes_interrupts(kvm_.get()) && !in_shadow() && !holds_interrupt();
}

// The registers are not to be changed before an access has ended.
bool KvmCpu::can_inject_nmi() const {
    return !access_open_ && !holds_interrupt() && !sla_kvm_blocks_nmi(kvm_.get());
}

// A run that the timer ended before it began has left it with the kernel: a second one beside it is not safe.
bool KvmCpu::holds_interrupt() const {
    is_given_ = is_given_ && sla_kvm_holds_interrupt(kvm_.get());
    return is_given_;
}

// By the code before EIP. A jump may have come here another way: then an interrupt waits for one instruction, and no more.
bool KvmCpu::in_shadow() const {
    const X86State& now = state();
    if (stepped_at_ == now.eip) return false;
    const auto before = [&](std::uint32_t bytes) { return read_byte(now.segments[kCs].base + now.eip - bytes).value_or(0); };
    constexpr std::uint8_t kSti = 0xFB;
    constexpr std::uint8_t kPopSs = 0x17;
    constexpr std::uint8_t kMovSegment = 0x8E;
    const std::uint8_t last = before(1);
    return last == kSti || last == kPopSs || (before(2) == kMovSegment && (last >> 3 & 7) == kSs);
}

// Some hosts look at the request for a window only when something else ends a run.
bool KvmCpu::window_is_open() const {
    return window_wanted_ && sla_kvm_takes_interrupts(kvm_.get());
}

}  // namespace sla::cpu
