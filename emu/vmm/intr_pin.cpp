#include "emu/vmm/intr_pin.h"

namespace sla::vmm {

namespace {

// How long the interrupt controllers' INT outlives a request that an access took back: 300 ns, the sheet's delay of INT. By
// the host's clock everything between an access and the guest's next instruction takes longer than in a PC, on kvm some 10
// us.
constexpr bus::Nanoseconds kIntFalls = 300;
constexpr bus::Nanoseconds kIntFallsByHost = 50'000;

}  // namespace

void IntrPin::look(cpu::Cpu& cpu) {
    const bool high = machine_.interrupt();
    if (high && !requested_) {
        requested_ = machine_.clock().now();
        tap_.requested({});
    }
    if (!high) requested_.reset();
    cpu.want_interrupt_window(high);
}

void IntrPin::window_opened(const cpu::CodeAddress& at) {
    const bus::Nanoseconds now = machine_.clock().now();
    tap_.window_opened(now - requested_.value_or(now), at);
}

void IntrPin::access_begins() {
    pic_was_high_ = false;
    if (!requested_) return;
    machine_.pic().access_begins();
    pic_was_high_ = machine_.pic().interrupt();
}

void IntrPin::access_ends() {
    if (!pic_was_high_ || machine_.pic().interrupt()) return;
    machine_.pic().linger();
    pic_lingers_until_ = machine_.clock().now() + (machine_.clock().repeatable() ? kIntFalls : kIntFallsByHost);
}

void IntrPin::catch_up() {
    if (machine_.pic().lingers() && machine_.clock().now() > pic_lingers_until_) machine_.pic().let_go();
}

}  // namespace sla::vmm
