// Which device answers at which physical addresses. A CPU maps no memory at these windows and brings every access here.
//
// Devices are numbered from 1 in the order in which they were first claimed; 0 means that nobody answers: reads give all
// ones, writes go nowhere. Windows are whole pages and do not overlap; once a CPU is plugged in they may only move to where
// no memory is. Owned by the machine's thread; devices must outlive the table.
#pragma once

#include "emu/bus/mmio_device.h"

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace sla::bus {

class MmioTable {
public:
    static constexpr std::uint32_t kPageBytes = 4096;
    static constexpr unsigned kMaxDevices = 256;  // the one that does not answer included

    struct Window {
        std::uint32_t base = 0;
        std::uint32_t bytes = 0;
        unsigned device = 0;
        bool is_mapped = true;

        [[nodiscard]] bool holds(std::uint32_t address) const { return is_mapped && address - base < bytes; }
    };

    // Addresses base..base+bytes-1, whole pages that are free (checked).
    void claim(MmioDevice& device, std::uint32_t base, std::uint32_t bytes);

    // The device's only window is at that base from now on; nothing: nowhere. Memory stays in front of a window that a CPU
    // did not know of when it was made.
    void move(const MmioDevice& device, std::optional<std::uint32_t> base);

    [[nodiscard]] const std::vector<Window>& windows() const { return windows_; }
    [[nodiscard]] unsigned device_of(std::uint32_t address) const;
    [[nodiscard]] std::string_view device_name(unsigned device) const;

    std::uint32_t read(std::uint32_t address, Width width);
    void write(std::uint32_t address, Width width, std::uint32_t value);

private:
    std::vector<Window> windows_;
    std::vector<MmioDevice*> devices_{nullptr};
};

}  // namespace sla::bus
