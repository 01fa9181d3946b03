// Accesses to chips, and how long the guest may run.
#include "emu/vmm/vmm.h"

#include <algorithm>

namespace sla::vmm {

namespace {

// Bus cycles and entries into handlers take their time, as on a real PC; else a guest that polls a chip or calls its BIOS in
// a loop would hardly get older. In bytes of code, the virtual clock's unit.
constexpr std::uint64_t kAccessBytes = 250;

}  // namespace

std::uint32_t Vmm::port_in(std::uint16_t port, bus::Width width) {
    counters_.port_access();
    before_access();
    if (port == GuestMarkers::kPort) {
        look_at_chips();
        return markers_.last_answer();
    }
    bus::PortTable& ports = machine_.ports();
    const auto listeners = port_tap_.listeners(port, ports);
    std::uint32_t value = 0;
    if (listeners.any()) {  // nothing is looked up for nobody
        tap::PortTap::Access access(listeners, {port, width, false, 0}, cpu_->running_address(), ports);
        machine_.clock().hold_at(port_tap_.begin_in(access));
        value = ports.read(port, width);
        machine_.clock().let_go();
        access.read(value);
        port_tap_.end_in(access);
    } else {
        value = ports.read(port, width);
    }
    after_access();
    return value;
}

void Vmm::port_out(std::uint16_t port, bus::Width width, std::uint32_t value) {
    counters_.port_access();
    before_access();
    if (port == GuestMarkers::kPort) {
        markers_.call(cpu_->registers(), cpu_->running_address());
        return look_at_chips();
    }
    bus::PortTable& ports = machine_.ports();
    const auto listeners = port_tap_.listeners(port, ports);
    if (listeners.any()) {
        const tap::PortTap::Access access(listeners, {port, width, true, value}, cpu_->running_address(), ports);
        machine_.clock().hold_at(port_tap_.begin_out(access));
        ports.write(port, width, value);
        machine_.clock().let_go();
        port_tap_.end_out(access);
    } else {
        ports.write(port, width, value);
    }
    after_access();
}

void Vmm::before_access() {
    machine_.clock().executed(kAccessBytes);
    catch_up();
    intr_.access_begins();
}

void Vmm::begin_exit(tap::ExitKind reason, const cpu::CodeAddress& at) {
    exit_ = reason;
    vmm_tap_.exit_begins(reason, at);
}

void Vmm::end_exit() {
    if (exit_) vmm_tap_.exit_ends(*exit_);
    exit_.reset();
}

// The row stands outside its span, as one of a port does (tap/port_tap.h).
std::uint32_t Vmm::mmio_read(std::uint32_t address, bus::Width width) {
    before_access();
    if (vmm_tap_.wants(tap::ExitKind::kMmio)) vmm_tap_.exit_begins(tap::ExitKind::kMmio, cpu_->running_address());
    const std::uint32_t value = machine_.mmio().read(address, width);
    const unsigned device = machine_.mmio().device_of(address);
    const tap::ChannelId channel = tap_.mmio_channel(device, machine_.mmio().device_name(device));
    vmm_tap_.exit_ends(tap::ExitKind::kMmio);
    if (tap_.listens(channel)) tap_.mmio(channel, {address, width, false, value}, cpu_->running_address());
    after_access();
    return value;
}

void Vmm::mmio_write(std::uint32_t address, bus::Width width, std::uint32_t value) {
    before_access();
    const unsigned device = machine_.mmio().device_of(address);
    const tap::ChannelId channel = tap_.mmio_channel(device, machine_.mmio().device_name(device));
    if (tap_.listens(channel)) tap_.mmio(channel, {address, width, true, value}, cpu_->running_address());
    if (vmm_tap_.wants(tap::ExitKind::kMmio)) vmm_tap_.exit_begins(tap::ExitKind::kMmio, cpu_->running_address());
    machine_.mmio().write(address, width, value);
    vmm_tap_.exit_ends(tap::ExitKind::kMmio);
    after_access();
}

// An access to a chip may end the run, ask for an interrupt or move the next deadline.
void Vmm::after_access() {
    fruitless_restarts_ = 0;
    intr_.access_ends();
    look_at_chips();
}

// By the virtual clock it took its time, and that much less code runs until the deadline.
void Vmm::look_at_chips() {
    intr_.look(*cpu_);
    if (machine_.over() || machine_.nmi()) return cpu_->set_budget(0);
    if (deadline() != planned_ || intr_.is_held() || machine_.clock().repeatable()) plan();
}

// The budget that a stop left is the right one, unless whoever attended moved the deadline: then from the place where it stands.
void Vmm::look_behind_stop() {
    intr_.look(*cpu_);
    if (machine_.over() || machine_.nmi()) return cpu_->set_budget(0);
    if (deadline() == planned_) return;
    planned_ = deadline();
    const auto ran = static_cast<std::uint64_t>(std::max<std::int64_t>(cpu_->executed(), 0));
    const std::uint64_t all = budget();
    cpu_->set_budget(all > ran ? all - ran : 1);
}

void Vmm::plan() {
    planned_ = deadline();
    cpu_->set_budget(budget());
}

std::uint64_t Vmm::next_budget() {
    catch_up();
    if (finished() || (machine_.nmi() && cpu_->can_inject_nmi())) return 0;
    interlude_ = wants_interlude();
    if (interlude_) return 0;
    intr_.look(*cpu_);
    planned_ = deadline();
    return budget();
}

}  // namespace sla::vmm
