#include "emu/device/storage/dma8237.h"

namespace sla::device {

namespace {

enum DmaRegister : unsigned {
    kDmaCommand = 8,  // read: status
    kDmaRequest = 9,
    kDmaMaskBit = 10,
    kDmaMode = 11,
    kDmaClearBytePointer = 12,
    kDmaMasterClear = 13,
    kDmaClearMask = 14,
    kDmaAllMasks = 15,
};

constexpr std::uint8_t kControllerDisable = 0x04;
constexpr std::uint8_t kAutoInitialize = 0x10;
constexpr std::uint8_t kDecrement = 0x20;

void put_byte(std::uint16_t& word, bool high, std::uint8_t value) {
    word = static_cast<std::uint16_t>(high ? (word & 0x00FF) | value << 8 : (word & 0xFF00) | value);
}

}  // namespace

std::uint8_t Dma8237::read(unsigned reg) {
    if (reg < 2 * kChannels) {
        const Channel& channel = channels_[reg / 2];
        const std::uint16_t word = reg % 2 == 0 ? channel.address : channel.count;
        const bool high = high_byte_next_;
        high_byte_next_ = !high_byte_next_;
        return static_cast<std::uint8_t>(high ? word >> 8 : word);
    }
    if (reg == kDmaCommand) {
        const auto value = static_cast<std::uint8_t>(status_ | request_ << 4);
        status_ = 0;
        return value;
    }
    return reg == kDmaAllMasks ? static_cast<std::uint8_t>(0xF0 | mask_) : 0;
}

void Dma8237::write(unsigned reg, std::uint8_t value) {
    if (reg < 2 * kChannels) {
        Channel& channel = channels_[reg / 2];
        put_byte(reg % 2 == 0 ? channel.base_address : channel.base_count, high_byte_next_, value);
        put_byte(reg % 2 == 0 ? channel.address : channel.count, high_byte_next_, value);
        high_byte_next_ = !high_byte_next_;
        return;
    }
    switch (reg) {
        case kDmaCommand: command_ = value; break;
        case kDmaRequest: write_bit(request_, value); break;
        case kDmaMaskBit: write_bit(mask_, value); break;
        case kDmaMode: channels_[value & 3].mode = value & 0xFC; break;
        case kDmaClearBytePointer: high_byte_next_ = false; break;
        case kDmaMasterClear: master_clear(); break;
        case kDmaClearMask: mask_ = 0; break;
        default: mask_ = value & 0x0F; break;
    }
}

// Bits 1 and 0 name the channel, bit 2 is its new bit.
void Dma8237::write_bit(std::uint8_t& bits, std::uint8_t value) {
    const auto bit = static_cast<std::uint8_t>(1U << (value & 3));
    bits = static_cast<std::uint8_t>((value & 4) != 0 ? bits | bit : bits & ~bit);
}

void Dma8237::master_clear() {
    command_ = status_ = request_ = 0;
    mask_ = 0x0F;
    high_byte_next_ = false;
}

bool Dma8237::enabled(unsigned channel) const {
    return (command_ & kControllerDisable) == 0 && (mask_ >> channel & 1) == 0;
}

Dma8237::Direction Dma8237::direction(unsigned channel) const {
    return static_cast<Direction>(channels_[channel].mode >> 2 & 3);
}

bool Dma8237::counts_down(unsigned channel) const {
    return (channels_[channel].mode & kDecrement) != 0;
}

bool Dma8237::moved(unsigned number, std::uint32_t units) {
    Channel& channel = channels_[number];
    const bool terminal = units >= left(number);
    channel.address = static_cast<std::uint16_t>(counts_down(number) ? channel.address - units : channel.address + units);
    channel.count = static_cast<std::uint16_t>(channel.count - units);
    if (!terminal) return false;
    const auto bit = static_cast<std::uint8_t>(1U << number);
    status_ |= bit;
    request_ &= static_cast<std::uint8_t>(~bit);
    if ((channel.mode & kAutoInitialize) != 0) {
        channel.address = channel.base_address;
        channel.count = channel.base_count;
    } else {
        mask_ |= bit;
    }
    return true;
}

void Dma8237::visit_state(bus::StateVisitor& state) {
    for (unsigned i = 0; i < kChannels; ++i) {
        Channel& channel = channels_[i];
        state.part(bus::StateVisitor::numbered("channel", i), [&] {
            state.field("base_address", channel.base_address);
            state.field("base_count", channel.base_count);
            state.field("address", channel.address);
            state.field("count", channel.count);
            state.field("mode", channel.mode);
        });
    }
    state.field("command", command_);
    state.field("status", status_);
    state.field("request", request_);
    state.field("mask", mask_);
    state.field("byte_pointer", high_byte_next_);
}

}  // namespace sla::device
