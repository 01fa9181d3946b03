#include "emu/device/storage/dma_pair.h"

#include "proto/base/check.h"

#include <algorithm>

namespace sla::device {

namespace {

constexpr std::array<unsigned, 8> kPageOfChannel{0x7, 0x3, 0x1, 0x2, 0xF, 0xB, 0x9, 0xA};
constexpr unsigned kFirstWordChannel = 4;

}  // namespace

void DmaPair::reset() {
    chips_.fill({});
    pages_.fill(0);
}

std::uint32_t DmaPair::address_of(unsigned channel) const {
    const std::uint32_t page = pages_[kPageOfChannel[channel]];
    const std::uint32_t unit = chips_[channel / 4].address(channel % 4);
    if (channel >= kFirstWordChannel) return (page & 0xFE) << 16 | unit << 1;
    return page << 16 | unit;
}

// copy(i, byte of memory) for every byte. Addresses wrap inside the page, as the counter does.
template <typename Copy>
DmaPair::Moved DmaPair::move(unsigned channel, std::size_t bytes, Dma8237::Direction wanted, Copy copy) {
    SLA_CHECK(channel < 8 && channel != kFirstWordChannel);
    Dma8237& chip = chips_[channel / 4];
    const unsigned number = channel % 4;
    const auto direction = chip.direction(number);
    const bool verify = direction == Dma8237::Direction::kVerify;
    if (!chip.enabled(number) || (direction != wanted && !verify)) return {};
    const std::uint32_t unit = channel >= kFirstWordChannel ? 2 : 1;
    const auto units = static_cast<std::uint32_t>(std::min<std::size_t>(bytes / unit, chip.left(number)));
    if (units == 0) return {};

    const std::uint32_t start = address_of(channel);
    const std::uint32_t mask = unit * 0x10000 - 1;
    std::uint32_t lowest = start;
    std::uint32_t highest = start;
    for (std::uint32_t i = 0; i < units * unit && !verify; ++i) {
        const std::uint32_t step = chip.counts_down(number) ? i % unit - i / unit * unit : i;
        const std::uint32_t address = (start & ~mask) | ((start + step) & mask);
        lowest = std::min(lowest, address);
        highest = std::max(highest, address);
        const auto at = memory_.at(address, 1);
        if (!at.empty()) copy(i, at[0]);
    }
    const Moved done{std::size_t{units} * unit, chip.moved(number, units)};
    if (observer_ == nullptr) return done;
    const bool to_memory = wanted == Dma8237::Direction::kToMemory && !verify;
    const std::size_t written = to_memory ? std::size_t{highest - lowest} + 1 : 0;
    observer_->dma_moved({channel, start, done.bytes, to_memory, done.terminal_count, lowest, written});
    return done;
}

DmaPair::Moved DmaPair::to_memory(unsigned channel, std::span<const std::uint8_t> data) {
    return move(channel, data.size(), Dma8237::Direction::kToMemory,
                [&](std::uint32_t i, std::uint8_t& memory) { memory = data[i]; });
}

DmaPair::Moved DmaPair::from_memory(unsigned channel, std::span<std::uint8_t> data) {
    return move(channel, data.size(), Dma8237::Direction::kFromMemory,
                [&](std::uint32_t i, const std::uint8_t& memory) { data[i] = memory; });
}

std::uint32_t DmaPair::read_port(std::uint16_t port, bus::Width) {
    if (port >= kSecondPort) return chips_[1].read((port - kSecondPort) / 2U);
    if (port >= kFirstPagePort) return pages_[port & 0xF];
    return chips_[0].read(port);
}

void DmaPair::write_port(std::uint16_t port, bus::Width, std::uint32_t value) {
    const auto byte = static_cast<std::uint8_t>(value);
    if (port >= kSecondPort) {
        chips_[1].write((port - kSecondPort) / 2U, byte);
    } else if (port >= kFirstPagePort) {
        pages_[port & 0xF] = byte;
    } else {
        chips_[0].write(port, byte);
    }
}

void DmaPair::visit_state(bus::StateVisitor& state) {
    state.section("dma");
    state.parts("chip", chips_);
    state.field("pages", pages_);
}

}  // namespace sla::device
