// A chip as the CPU's loads and stores see it.
#pragma once

#include "emu/bus/port_device.h"

#include <cstdint>
#include <string_view>

namespace sla::bus {

class MmioDevice {
public:
    virtual ~MmioDevice() = default;

    // Names the device's channel: "lapic" gives "mmio.lapic". Constant.
    [[nodiscard]] virtual std::string_view mmio_name() const = 0;

    // The address is physical and inside a window of the device, but an access may begin at its last byte: a chip looks only
    // at the address it gets. Values have no bits beyond the width.
    virtual std::uint32_t read_mmio(std::uint32_t address, Width width) = 0;
    virtual void write_mmio(std::uint32_t address, Width width, std::uint32_t value) = 0;
};

}  // namespace sla::bus
