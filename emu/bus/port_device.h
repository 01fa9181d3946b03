// A chip as the CPU's IN and OUT see it.
#pragma once

#include <cstdint>
#include <string_view>

namespace sla::bus {

enum class Width : std::uint8_t { kByte = 1, kWord = 2, kDword = 4 };

constexpr unsigned bytes_of(Width width) {
    return static_cast<unsigned>(width);
}

// Of 1, 2 or 4 bytes.
constexpr Width width_of(unsigned bytes) {
    return bytes == 1 ? Width::kByte : bytes == 2 ? Width::kWord : Width::kDword;
}

// The bits of a value of that width.
constexpr std::uint32_t all_ones(Width width) {
    return 0xFFFFFFFFU >> (32 - 8 * bytes_of(width));
}

enum class Access : std::uint8_t { kIn, kOut };

class PortDevice {
public:
    virtual ~PortDevice() = default;

    // Names the device's channel: "pit" gives "port.pit". Constant.
    [[nodiscard]] virtual std::string_view name() const = 0;

    // The widest access the chip takes in one piece; wider ones reach it, and the ports behind, byte by byte.
    [[nodiscard]] virtual Width widest() const { return Width::kByte; }

    // An access to that port, one that the chip takes in one piece, reads or writes a register and does nothing more: no event, no line, no
    // clock. It takes less time than a stamp, so begin and end of it share one. Constant.
    [[nodiscard]] virtual bool is_latch(std::uint16_t /*port*/, Access) const { return false; }

    // Values have no bits beyond the width.
    virtual std::uint32_t read_port(std::uint16_t port, Width width) = 0;
    virtual void write_port(std::uint16_t port, Width width, std::uint32_t value) = 0;
};

}  // namespace sla::bus
