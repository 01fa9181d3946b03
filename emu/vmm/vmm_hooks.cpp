// What the CPU and the interrupt controllers tell the Vmm while guest code runs.
#include "emu/vmm/vmm.h"

namespace sla::vmm {

namespace {

// Bus cycles and entries into handlers take their time, as on a real PC; else a guest that polls a chip or calls its BIOS in
// a loop would hardly get older. In bytes of code, the virtual clock's unit.
constexpr std::uint64_t kAccessBytes = 250;

}  // namespace

std::uint32_t Vmm::port_in(std::uint16_t port, bus::Width width) {
    machine_.clock().executed(kAccessBytes);
    catch_up();
    const std::uint32_t value = machine_.ports().read(port, width);
    const unsigned device = machine_.ports().device_of(port);
    const tap::PortLane lane = tap_.port_lane(device, machine_.ports().device_name(device));
    if (tap_.listens(lane)) tap_.port(lane, {port, width, false, value}, cpu_->running_address());
    after_access();
    return value;
}

void Vmm::port_out(std::uint16_t port, bus::Width width, std::uint32_t value) {
    machine_.clock().executed(kAccessBytes);
    catch_up();
    const unsigned device = machine_.ports().device_of(port);
    const tap::PortLane lane = tap_.port_lane(device, machine_.ports().device_name(device));
    if (tap_.listens(lane)) tap_.port(lane, {port, width, true, value}, cpu_->running_address());
    machine_.ports().write(port, width, value);
    after_access();
}

std::uint32_t Vmm::mmio_read(std::uint32_t address, bus::Width width) {
    machine_.clock().executed(kAccessBytes);
    catch_up();
    const std::uint32_t value = machine_.mmio().read(address, width);
    const unsigned device = machine_.mmio().device_of(address);
    const tap::Lane lane = tap_.mmio_lane(device, machine_.mmio().device_name(device));
    if (tap_.listens(lane)) tap_.mmio(lane, {address, width, false, value}, cpu_->running_address());
    after_access();
    return value;
}

void Vmm::mmio_write(std::uint32_t address, bus::Width width, std::uint32_t value) {
    machine_.clock().executed(kAccessBytes);
    catch_up();
    const unsigned device = machine_.mmio().device_of(address);
    const tap::Lane lane = tap_.mmio_lane(device, machine_.mmio().device_name(device));
    if (tap_.listens(lane)) tap_.mmio(lane, {address, width, true, value}, cpu_->running_address());
    machine_.mmio().write(address, width, value);
    after_access();
}

// An access to a chip may end the run, ask for an interrupt or move the next deadline.
void Vmm::after_access() {
    cpu_->want_interrupt_window(machine_.interrupt());
    if (machine_.over()) return cpu_->set_allowance(0);
    const bus::Nanoseconds next = deadline();
    if (next == planned_) return;
    planned_ = next;
    cpu_->set_allowance(machine_.clock().code_bytes_until(planned_));
}

std::uint64_t Vmm::next_allowance() {
    catch_up();
    if (finished()) return 0;
    cpu_->want_interrupt_window(machine_.interrupt());
    planned_ = deadline();
    return machine_.clock().code_bytes_until(planned_);
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
}

void Vmm::irq_spurious(unsigned irq) {
    tap_.irq_spurious(irq);
}

}  // namespace sla::vmm
