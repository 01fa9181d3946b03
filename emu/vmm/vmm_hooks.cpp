// What the CPU and the interrupt controllers tell the Vmm while guest code runs.
#include "emu/vmm/vmm.h"

namespace sla::vmm {

namespace {

// Bus cycles and entries into handlers take their time, as on a real PC; else a guest that polls a chip or calls its BIOS in
// a loop would hardly get older. In bytes of code, the virtual clock's unit.
constexpr std::uint64_t kAccessBytes = 250;

// How long the interrupt controllers' INT outlives a request that an access took back: 300 ns, the sheet's delay of INT. By
// the host's clock everything between an access and the guest's next instruction takes longer than in a PC, on kvm some 10
// us.
constexpr bus::Nanoseconds kIntFalls = 300;
constexpr bus::Nanoseconds kIntFallsByHost = 50'000;

}  // namespace

std::uint32_t Vmm::port_in(std::uint16_t port, bus::Width width) {
    before_access();
    if (port == GuestMarkers::kPort) return markers_.last_answer();
    if (vmm_tap_.wants(tap::Exit::kPort)) vmm_tap_.exit_begins(tap::Exit::kPort, cpu_->running_address());
    const std::uint32_t value = machine_.ports().read(port, width);
    vmm_tap_.exit_ends(tap::Exit::kPort);
    const unsigned device = machine_.ports().device_of(port);
    const tap::Lane lane = tap_.port_lane(device, machine_.ports().device_name(device));
    if (tap_.listens(lane)) tap_.port(lane, {port, width, false, value}, cpu_->running_address());
    after_access();
    return value;
}

void Vmm::port_out(std::uint16_t port, bus::Width width, std::uint32_t value) {
    before_access();
    if (port == GuestMarkers::kPort) {
        markers_.call(cpu_->registers(), cpu_->running_address(), [this](std::uint32_t at) { return read_linear(at); });
        return;
    }
    const unsigned device = machine_.ports().device_of(port);
    const tap::Lane lane = tap_.port_lane(device, machine_.ports().device_name(device));
    if (tap_.listens(lane)) tap_.port(lane, {port, width, true, value}, cpu_->running_address());
    if (vmm_tap_.wants(tap::Exit::kPort)) vmm_tap_.exit_begins(tap::Exit::kPort, cpu_->running_address());
    machine_.ports().write(port, width, value);
    vmm_tap_.exit_ends(tap::Exit::kPort);
    after_access();
}

void Vmm::before_access() {
    machine_.clock().executed(kAccessBytes);
    catch_up();
    pic_was_high_ = false;
    if (!requested_) return;
    machine_.pic().access_begins();
    pic_was_high_ = machine_.pic().interrupt();
}

// The CPU shall stop as soon as it can take an interrupt that waits.
void Vmm::look_at_intr() {
    const bool high = machine_.interrupt();
    if (high && !requested_) {
        requested_ = machine_.clock().now();
        vmm_tap_.requested({});
    }
    if (!high) requested_.reset();
    cpu_->want_interrupt_window(high);
}

void Vmm::begin_exit(tap::Exit reason, const cpu::CodeAddress& at) {
    exit_ = reason;
    vmm_tap_.exit_begins(reason, at);
}

void Vmm::end_exit() {
    if (exit_) vmm_tap_.exit_ends(*exit_);
    exit_.reset();
}

void Vmm::timer_set(bus::Nanoseconds due) {
    vmm_tap_.timer_set(due - machine_.clock().now());
}

void Vmm::timer_fires(bus::Nanoseconds due) {
    vmm_tap_.timer_fired(machine_.clock().now() - due);
}

std::uint32_t Vmm::mmio_read(std::uint32_t address, bus::Width width) {
    before_access();
    if (vmm_tap_.wants(tap::Exit::kMmio)) vmm_tap_.exit_begins(tap::Exit::kMmio, cpu_->running_address());
    const std::uint32_t value = machine_.mmio().read(address, width);
    const unsigned device = machine_.mmio().device_of(address);
    const tap::Lane lane = tap_.mmio_lane(device, machine_.mmio().device_name(device));
    if (tap_.listens(lane)) tap_.mmio(lane, {address, width, false, value}, cpu_->running_address());
    vmm_tap_.exit_ends(tap::Exit::kMmio);
    after_access();
    return value;
}

void Vmm::mmio_write(std::uint32_t address, bus::Width width, std::uint32_t value) {
    before_access();
    const unsigned device = machine_.mmio().device_of(address);
    const tap::Lane lane = tap_.mmio_lane(device, machine_.mmio().device_name(device));
    if (tap_.listens(lane)) tap_.mmio(lane, {address, width, true, value}, cpu_->running_address());
    if (vmm_tap_.wants(tap::Exit::kMmio)) vmm_tap_.exit_begins(tap::Exit::kMmio, cpu_->running_address());
    machine_.mmio().write(address, width, value);
    vmm_tap_.exit_ends(tap::Exit::kMmio);
    after_access();
}

// An access to a chip may end the run, ask for an interrupt or move the next deadline.
void Vmm::after_access() {
    fruitless_restarts_ = 0;
    if (pic_was_high_ && !machine_.pic().interrupt()) {
        machine_.pic().linger();
        pic_lingers_until_ = machine_.clock().now() + (machine_.clock().repeatable() ? kIntFalls : kIntFallsByHost);
    }
    look_at_intr();
    if (machine_.over() || machine_.nmi()) return cpu_->set_allowance(0);
    const bus::Nanoseconds next = deadline();
    if (next == planned_) return;
    planned_ = next;
    cpu_->set_allowance(allowance());
}

std::uint64_t Vmm::next_allowance() {
    catch_up();
    if (finished() || (machine_.nmi() && cpu_->can_inject_nmi())) return 0;
    look_at_intr();
    planned_ = deadline();
    return allowance();
}

void Vmm::dma_moved(const device::DmaTransfer& transfer) {
    tap_.dma(transfer.channel, transfer.address, transfer.bytes, transfer.to_memory);
}

void Vmm::irq_line(unsigned irq, bool high) {
    tap_.irq_line(irq, high);
}

void Vmm::irq_service_begins(unsigned irq, std::uint8_t vector) {
    tap_.irq_service_begins(irq, vector, cpu_->address());
}

void Vmm::irq_service_ends(unsigned irq) {
    tap_.irq_service_ends(irq);
    vmm_tap_.ended(irq, {});
}

void Vmm::apic_service_begins(std::uint8_t vector) {
    tap_.apic_service_begins(vector, cpu_->address());
}

void Vmm::apic_service_ends(std::uint8_t vector) {
    tap_.apic_service_ends(vector);
}

void Vmm::irq_spurious(unsigned irq) {
    tap_.irq_spurious(irq);
}

}  // namespace sla::vmm
