// PCI configuration mechanism 1 (PCI Local Bus 2.1, 3.2.2.3): the address goes to CF8h, the data through CFCh-CFFh. Port
// CF9h inside it is the chip set's reset control. Only bus 0 has functions. Owned by the machine's thread.
#pragma once

#include "emu/bus/port_device.h"
#include "emu/bus/state_visitor.h"
#include "emu/device/board/pci_function.h"

#include <functional>
#include <map>
#include <utility>

namespace sla::device {

class PciHost final : public bus::PortDevice {
public:
    static constexpr std::uint16_t kAddressPort = 0xCF8;
    static constexpr std::uint16_t kResetPort = 0xCF9;
    static constexpr std::uint16_t kDataPort = 0xCFC;
    static constexpr std::uint16_t kLastPort = 0xCFF;

    // The reset gets whether all of the board is meant, or the processor only.
    explicit PciHost(std::function<void(bool board)> reset) : reset_(std::move(reset)) {}

    // And every function.
    void reset();

    // The function must outlive the host.
    void add(unsigned device, unsigned function, PciFunction& added) { functions_[device << 3 | function] = &added; }

    [[nodiscard]] std::string_view name() const override { return "pci"; }
    [[nodiscard]] bus::Width widest() const override { return bus::Width::kDword; }
    [[nodiscard]] bool is_latch(std::uint16_t port, bus::Access) const override { return port == kAddressPort; }
    std::uint32_t read_port(std::uint16_t port, bus::Width width) override;
    void write_port(std::uint16_t port, bus::Width width, std::uint32_t value) override;

    void visit_state(bus::StateVisitor& state);

private:
    // The function that the address names, and the register in it; nullptr: nobody.
    [[nodiscard]] PciFunction* addressed() const;

    std::function<void(bool)> reset_;
    std::map<unsigned, PciFunction*> functions_;  // by device and function number
    std::uint32_t address_ = 0;
    std::uint8_t reset_control_ = 0;
};

}  // namespace sla::device
