// The wire from the interrupt controllers to the CPU's INTR: since when it is high, whether the CPU shall look out for a
// window, and how it falls. Inline: every access to a chip comes by here.
#pragma once

#include "emu/bus/state_visitor.h"
#include "emu/cpu/cpu.h"
#include "emu/machine/machine.h"
#include "emu/tap/vmm_tap.h"

#include <limits>
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
            if (machine_.events().variation().on()) noticed_at_ = *requested_ + latency();
            tap_.requested({});
        }
        if (!high) clear();
        cpu.want_interrupt_window(high && !is_held());
    }
    // The window for it is open.
    void window_opened(const cpu::CodeAddress& at) {
        const bus::Nanoseconds now = machine_.clock().now();
        tap_.window_opened(now - requested_.value_or(now), at);
    }
    // The CPU took it, or was reset.
    void clear() {
        requested_.reset();
        noticed_at_.reset();
    }
    // Where latencies vary: INT is high, but the CPU does not notice it yet, until when.
    [[nodiscard]] bool is_held() const { return noticed_at_ && machine_.clock().now() < *noticed_at_; }
    [[nodiscard]] bus::Nanoseconds held_until() const {
        return is_held() ? *noticed_at_ : std::numeric_limits<bus::Nanoseconds>::max();
    }

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
        if (machine_.events().variation().on()) state.field("heard_at", noticed_at_);
    }

private:
    // How late a CPU notices INT: it ends a long instruction, and waits while DMA and refresh have the bus. Once in so
    // many times it is in its system management mode, which firmware may use for 150 us at a time.
    static constexpr bus::Nanoseconds kMaxBusy = 4'000;
    static constexpr bus::Nanoseconds kMaxManaged = 150'000;
    static constexpr std::int64_t kRequestsOfManagement = 64;

    bus::Nanoseconds latency() {
        bus::Variation& drawn = machine_.events().variation();
        return drawn.between(0, drawn.once_in(kRequestsOfManagement) ? kMaxManaged : kMaxBusy);
    }

    // How long INT outlives a request that an access took back: 300 ns, the sheet's delay of INT. By the host's clock
    // everything between an access and the guest's next instruction takes longer than in a PC, on kvm some 10 us.
    static constexpr bus::Nanoseconds kIntFalls = 300;
    static constexpr bus::Nanoseconds kIntFallsByHost = 50'000;

    machine::Machine& machine_;
    tap::VmmTap& tap_;
    std::optional<bus::Nanoseconds> requested_;   // since when INTR is high
    std::optional<bus::Nanoseconds> noticed_at_;  // by the CPU, where that varies
    bool pic_was_high_ = false;                   // its INT, when the present access began
    bus::Nanoseconds pic_lingers_until_ = 0;
};

}  // namespace sla::vmm
