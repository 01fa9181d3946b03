// One Intel 8237A DMA controller (data sheet 231466): four channels, each with address, count and mode.
//
// A transfer happens at once when a device asks for it: cycles are not stolen from the CPU. The chip knows addresses within
// 64 K units only; DmaPair adds pages and memory. Owned by the machine's thread.
#pragma once

#include "emu/bus/state_visitor.h"

#include <array>
#include <cstdint>

namespace sla::device {

class Dma8237 {
public:
    static constexpr unsigned kChannels = 4;

    enum class Direction : std::uint8_t { kVerify = 0, kToMemory = 1, kFromMemory = 2, kIllegal = 3 };

    // Register 0-15 in data sheet order: address and count of the channels, then status/command, request, mask bit, mode,
    // clear byte pointer, temporary/master clear, clear mask, write all masks.
    std::uint8_t read(unsigned reg);
    void write(unsigned reg, std::uint8_t value);

    [[nodiscard]] bool enabled(unsigned channel) const;
    [[nodiscard]] Direction direction(unsigned channel) const;
    [[nodiscard]] bool counts_down(unsigned channel) const;
    [[nodiscard]] std::uint16_t address(unsigned channel) const { return channels_[channel].address; }
    // Units left, at least 1.
    [[nodiscard]] std::uint32_t left(unsigned channel) const { return channels_[channel].count + 1U; }

    // The channel moved that many units, at most left(). True at terminal count, where an auto-initialized channel starts
    // again and any other masks itself.
    bool moved(unsigned channel, std::uint32_t units);

    void visit_state(bus::StateVisitor& state);

private:
    struct Channel {
        std::uint16_t base_address = 0;
        std::uint16_t base_count = 0;
        std::uint16_t address = 0;
        std::uint16_t count = 0;
        std::uint8_t mode = 0;
    };

    void master_clear();
    void write_bit(std::uint8_t& bits, std::uint8_t value);

    std::array<Channel, kChannels> channels_;
    std::uint8_t command_ = 0;
    std::uint8_t status_ = 0;  // TC bits 0-3; read clears them
    std::uint8_t request_ = 0;
    std::uint8_t mask_ = 0x0F;
    bool high_byte_next_ = false;  // the byte pointer flip-flop
};

}  // namespace sla::device
