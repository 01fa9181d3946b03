#include "emu/device/test_device.h"

#include "emu/device/interrupt/pic8259_pair.h"

namespace sla::device {

std::uint32_t TestDevice::read_port(std::uint16_t port, bus::Width width) {
    if (!echoes(port)) return bus::all_ones(width);
    return echo_ >> (8 * (port & 3U)) & bus::all_ones(width);
}

void TestDevice::write_port(std::uint16_t port, bus::Width width, std::uint32_t value) {
    if (port >= kIrqPort) return set_irq(port - kIrqPort, (value & 0xFF) != 0);
    if (!echoes(port)) return;
    const unsigned shift = 8 * (port & 3U);
    echo_ = (echo_ & ~(bus::all_ones(width) << shift)) | (value & bus::all_ones(width)) << shift;
}

void TestDevice::set_irq(unsigned line, bool high) {
    if (line != Pic8259Pair::kCascade) irqs_.set_irq(line, high);
}

std::uint32_t TestDevice::read_mmio(std::uint32_t address, bus::Width width) {
    std::uint32_t value = 0;
    for (unsigned i = bytes_of(width); i-- > 0;) value = value << 8 | memory_[(address + i) % kBytes];
    return value;
}

void TestDevice::write_mmio(std::uint32_t address, bus::Width width, std::uint32_t value) {
    for (unsigned i = 0; i < bytes_of(width); ++i) {
        memory_[(address + i) % kBytes] = static_cast<std::uint8_t>(value >> (8 * i));
    }
}

void TestDevice::visit_state(bus::StateVisitor& state) {
    state.section("test_device");
    state.field("echo", echo_);
    state.field("memory", std::span(memory_));
}

}  // namespace sla::device
