// The PC's two 8237A with their page registers: channels 0-3 move bytes, 5-7 words, channel 4 is the cascade.
//
//   00-0F   first controller       81-83 87 89-8B 8F  pages, address bits 16-23 of channels 2 3 1 0, 6 7 5, refresh
//   C0-DF   second, even ports     84-86 88 8C-8E     page registers of no channel: plain storage
//
// Owned by the machine's thread.
#pragma once

#include "emu/bus/memory.h"
#include "emu/bus/port_device.h"
#include "emu/bus/state_visitor.h"
#include "emu/device/storage/dma8237.h"

#include <span>

namespace sla::device {

struct DmaTransfer {
    unsigned channel = 0;
    std::uint32_t address = 0;
    std::size_t bytes = 0;
    bool to_memory = false;  // false of a verify cycle too, which touches none
    bool terminal_count = false;
    // All that it wrote lies there, the whole 64 KB or 128 KB where it wrapped; 0 bytes: nothing.
    std::uint32_t written_from = 0;
    std::size_t written_bytes = 0;
};

class DmaObserver {
public:
    virtual ~DmaObserver() = default;
    virtual void dma_moved(const DmaTransfer& transfer) = 0;
};

class DmaPair final : public bus::PortDevice {
public:
    static constexpr std::uint16_t kFirstPort = 0x00;
    static constexpr std::uint16_t kSecondPort = 0xC0;
    static constexpr std::uint16_t kFirstPagePort = 0x81;
    static constexpr std::uint16_t kLastPagePort = 0x8F;

    explicit DmaPair(bus::Memory& memory) : memory_(memory) {}
    void observe(DmaObserver* observer) { observer_ = observer; }

    void reset();

    struct Moved {
        std::size_t bytes = 0;  // fewer than asked for: the channel is masked, set up the other way, or at its end
        bool terminal_count = false;
    };
    // A device's request on a channel.
    Moved to_memory(unsigned channel, std::span<const std::uint8_t> data);
    Moved from_memory(unsigned channel, std::span<std::uint8_t> data);

    [[nodiscard]] std::string_view name() const override { return "dma"; }
    std::uint32_t read_port(std::uint16_t port, bus::Width width) override;
    void write_port(std::uint16_t port, bus::Width width, std::uint32_t value) override;

    void visit_state(bus::StateVisitor& state);

private:
    template <typename Copy>
    Moved move(unsigned channel, std::size_t bytes, Dma8237::Direction wanted, Copy copy);
    [[nodiscard]] std::uint32_t address_of(unsigned channel) const;

    bus::Memory& memory_;
    std::array<Dma8237, 2> chips_;
    std::array<std::uint8_t, 16> pages_{};  // by the low digit of the port
    DmaObserver* observer_ = nullptr;
};

}  // namespace sla::device
