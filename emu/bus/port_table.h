// Which device answers at which of the 65536 ports. A table and not a search, so that the device of an access, and with it
// its channel, is known at once.
//
// Devices are numbered from 1 in the order in which they were first claimed; 0 means that nobody answers: reads give all
// ones, writes go nowhere. Owned by the machine's thread; devices must outlive the table.
#pragma once

#include "emu/bus/port_device.h"

#include <array>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

namespace sla::bus {

class PortTable {
public:
    static constexpr unsigned kPorts = 65536;
    static constexpr unsigned kMaxDevices = 256;  // the unclaimed one included

    PortTable();

    // Ports first..last. Each port has one owner (checked).
    void claim(PortDevice& device, std::uint16_t first, std::uint16_t last);

    // For ports that the guest may move: takes those of first..last that nobody has, and gives up those the device has.
    void claim_free(PortDevice& device, std::uint16_t first, std::uint16_t last);
    void release(PortDevice& device, std::uint16_t first, std::uint16_t last);

    [[nodiscard]] unsigned device_of(std::uint16_t port) const { return (*owners_)[port].device; }
    [[nodiscard]] std::string_view device_name(unsigned device) const;
    // A latch, or nobody, takes the whole access (PortDevice::is_latch).
    [[nodiscard]] bool is_latch(std::uint16_t port, Width width, Access access) const {
        return bytes_of(width) <= (*owners_)[port].latch_bytes[static_cast<unsigned>(access)];
    }

    std::uint32_t read(std::uint16_t port, Width width);
    void write(std::uint16_t port, Width width, std::uint32_t value);

private:
    struct Owner {
        std::uint8_t device = 0;
        // The widest access to a latch, in and out; 0: it is none. Of a port that nobody has: the bytes behind may be a chip's.
        std::array<std::uint8_t, 2> latch_bytes{1, 1};
    };

    std::uint8_t number_of(PortDevice& device);
    [[nodiscard]] Owner owner(std::uint8_t number, std::uint16_t port) const;

    std::unique_ptr<std::array<Owner, kPorts>> owners_;
    std::vector<PortDevice*> devices_;
};

}  // namespace sla::bus
