// The wire from the interrupt controllers to the CPU's INTR: since when it is high, whether the CPU shall look out for a
// window, and how it falls. Inline: every access to a chip comes by here.
#pragma once

#include "emu/bus/state_visitor.h"
#include "emu/cpu/cpu.h"
#include "emu/machine/machine.h"
#include "emu/tap/vmm_tap.h"

#include <optional>

namespace sla::vmm {

class IntrPin {
public:
    IntrPin(machine::Machine& machine, tap::VmmTap& tap) : machine_(machine), tap_(tap) {}

    // The CPU shall stop as soon as it can take an interrupt that waits.
    void look(cpu::Cpu& cpu) {
        const bool high = machine_.interrupt();
        if (high && !requested_) {
            requested_ = machine_.clock().now();
            tap_.requested({});
        }
        if (!high) requested_.reset();
        cpu.want_interrupt_window(high);
    }
    // The window for it is open.
    void window_opened(const cpu::CodeAddress& at) {
        const bus::Nanoseconds now = machine_.clock().now();
        tap_.window_opened(now - requested_.value_or(now), at);
    }
    // The CPU took it, or was reset.
    void clear() { requested_.reset(); }

    // An access to a chip begins and ends: one that takes a request back leaves the controllers' INT high a little longer.
    void access_begins() {
        pic_was_high_ = false;
        if (!requested_) return;
        machine_.pic().access_begins();
        pic_was_high_ = machine_.pic().interrupt();
    }
    void access_ends() {
        if (!pic_was_high_ || machine_.pic().interrupt()) return;
        machine_.pic().linger();
        pic_lingers_until_ = machine_.clock().now() + (machine_.clock().repeatable() ? kIntFalls : kIntFallsByHost);
    }
    // That time may be over.
    void catch_up() {
        if (machine_.pic().lingers() && machine_.clock().now() > pic_lingers_until_) machine_.pic().let_go();
    }

    void visit_state(bus::StateVisitor& state) {
        state.field("intr_since", requested_);
        state.field("pic_was_high", pic_was_high_);
        state.field("pic_lingers_until", pic_lingers_until_);
    }

private:
    // How long INT outlives a request that an access took back: 300 ns, the sheet's delay of INT. By the host's clock
    // everything between an access and the guest's next instruction takes longer than in a PC, on kvm some 10 us.
    static constexpr bus::Nanoseconds kIntFalls = 300;
    static constexpr bus::Nanoseconds kIntFallsByHost = 50'000;

    machine::Machine& machine_;
    tap::VmmTap& tap_;
    std::optional<bus::Nanoseconds> requested_;  // since when INTR is high
    bool pic_was_high_ = false;                  // its INT, when the present access began
    bus::Nanoseconds pic_lingers_until_ = 0;
};

}  // namespace sla::vmm
