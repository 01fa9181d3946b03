// What kernels made to test QEMU's "pc-testdev" find there, whose ports these are:
//
//   E0h-E3h    four bytes that keep what is written, in one piece of any width
//   E4h-E7h    "flush a page": nothing to do here
//   E8h-EBh    the same four bytes, byte by byte (E9h stays the port for text, where the PC has that)
//   2000h + n  interrupt line n, up while the last value written was not 0; write only. Line 2 is the second controller's:
//              nothing happens
//   FF000000h  64 KB that keep what is written, as a device does
#pragma once

#include "emu/bus/irq_line.h"
#include "emu/bus/mmio_device.h"
#include "emu/bus/state_visitor.h"

#include <array>
#include <utility>
#include <vector>

namespace sla::device {

class TestDevice final : public bus::PortDevice, public bus::MmioDevice {
public:
    static constexpr std::uint16_t kEchoPort = 0xE0;
    static constexpr std::uint16_t kFlushPort = 0xE4;
    static constexpr std::uint16_t kByteEchoPort = 0xE8;
    static constexpr std::uint16_t kIrqPort = 0x2000;
    static constexpr unsigned kIrqs = 16;
    static constexpr std::array<std::pair<std::uint16_t, std::uint16_t>, 2> kPorts{
        {{kEchoPort, kByteEchoPort + 3}, {kIrqPort, kIrqPort + kIrqs - 1}}};
    static constexpr std::uint32_t kBase = 0xFF000000;
    static constexpr std::uint32_t kBytes = 0x10000;

    explicit TestDevice(bus::IrqController& irqs) : irqs_(irqs), memory_(kBytes) {}

    [[nodiscard]] std::string_view name() const override { return "test"; }
    [[nodiscard]] bus::Width widest() const override { return bus::Width::kDword; }
    std::uint32_t read_port(std::uint16_t port, bus::Width width) override;
    void write_port(std::uint16_t port, bus::Width width, std::uint32_t value) override;

    [[nodiscard]] std::string_view mmio_name() const override { return "test"; }
    std::uint32_t read_mmio(std::uint32_t address, bus::Width width) override;
    void write_mmio(std::uint32_t address, bus::Width width, std::uint32_t value) override;

    void visit_state(bus::StateVisitor& state);

private:
    [[nodiscard]] static bool echoes(std::uint16_t port) {
        return port < kFlushPort || (port >= kByteEchoPort && port < kIrqPort);
    }

    void set_irq(unsigned line, bool high);

    bus::IrqController& irqs_;
    std::uint32_t echo_ = 0;
    std::vector<std::uint8_t> memory_;
};

}  // namespace sla::device
