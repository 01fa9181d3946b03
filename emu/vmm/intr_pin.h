// The wire from the interrupt controllers to the CPU's INTR: since when it is high, whether the CPU shall look out for a
// window, and how it falls.
#pragma once

#include "emu/cpu/cpu.h"
#include "emu/machine/machine.h"
#include "emu/tap/vmm_tap.h"

#include <optional>

namespace sla::vmm {

class IntrPin {
public:
    IntrPin(machine::Machine& machine, tap::VmmTap& tap) : machine_(machine), tap_(tap) {}

    // The CPU shall stop as soon as it can take an interrupt that waits.
    void look(cpu::Cpu& cpu);
    // The window for it is open.
    void window_opened(const cpu::CodeAddress& at);
    // The CPU took it, or was reset.
    void clear() { requested_.reset(); }

    // An access to a chip begins and ends: one that takes a request back leaves the controllers' INT high a little longer.
    void access_begins();
    void access_ends();
    // That time may be over.
    void catch_up();

private:
    machine::Machine& machine_;
    tap::VmmTap& tap_;
    std::optional<bus::Nanoseconds> requested_;  // since when INTR is high
    bool pic_was_high_ = false;                  // its INT, when the present access began
    bus::Nanoseconds pic_lingers_until_ = 0;
};

}  // namespace sla::vmm
