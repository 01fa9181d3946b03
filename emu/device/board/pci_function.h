// One PCI function's configuration space (PCI Local Bus 2.1, chapter 6): 256 bytes, of which some bits can be written.
// Owned by the machine's thread.
#pragma once

#include "emu/bus/state_visitor.h"

#include <array>
#include <cstdint>
#include <functional>
#include <utility>

namespace sla::device {

class PciFunction {
public:
    static constexpr unsigned kBytes = 256;

    struct Identity {
        std::uint16_t vendor = 0;
        std::uint16_t device = 0;
        std::uint8_t revision = 0;
        std::uint32_t class_code = 0;  // class, subclass, programming interface
        std::uint8_t header_type = 0;
    };

    explicit PciFunction(const Identity& identity);

    // Set-up: a register's value, and which of its bits the guest may change.
    void set(unsigned offset, std::uint8_t value) { bytes_[offset] = at_power_on_[offset] = value; }
    void set_word(unsigned offset, std::uint16_t value);
    void set_dword(unsigned offset, std::uint32_t value);
    void make_writable(unsigned offset, std::uint8_t bits) { writable_[offset] = bits; }
    // Called after each byte the guest has written.
    void on_write(std::function<void(unsigned offset)> action) { on_write_ = std::move(action); }

    // Every register to what set-up gave it.
    void reset();

    [[nodiscard]] std::uint8_t read(unsigned offset) const { return bytes_[offset]; }
    [[nodiscard]] std::uint32_t read_dword(unsigned offset) const;
    void write(unsigned offset, std::uint8_t value);

    void visit_state(bus::StateVisitor& state);

private:
    std::array<std::uint8_t, kBytes> bytes_{};
    std::array<std::uint8_t, kBytes> at_power_on_{};
    std::array<std::uint8_t, kBytes> writable_{};
    std::function<void(unsigned)> on_write_;
};

}  // namespace sla::device
