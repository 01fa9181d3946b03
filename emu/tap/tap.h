// Turns what happens in the emulated PC into events on named channels. The only place that knows channel names and formats.
//
//   irq.N        level  the line into the interrupt controller
//   irq.N.ack    tick   the CPU takes it, value: the vector; details: the code interrupted
//   irq.N.isr    span   from the injection to the end-of-interrupt command; details: the code interrupted
//   irq.spurious tick   value: 7 or 15
//   irq.apic.NNh span   the same of the local APIC, by vector
//   irq.nmi      tick   details: the code interrupted
//   int.NNh      tick   software INT, value AX; details: where
//   exc.NN       tick   exception by its decimal number, value the error code, 0 if it has none; details: where
//   port.DEVICE  tick   value: the data; details: port, width, direction, where
//   mmio.DEVICE  tick   value: the data; details: physical address, width, direction, where
//   dma.N        tick   a transfer on channel N, value: its bytes; details: the first address, direction
//   cpu.hlt      span   from HLT to the interrupt that ends it; details: where
//
// Channels open when first used. One thread, the machine's.
#pragma once

#include "emu/bus/code_address.h"
#include "emu/bus/port_device.h"
#include "emu/tap/sink.h"

#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace sla::tap {

struct PortEvent {
    std::uint16_t port = 0;
    bus::Width width = bus::Width::kByte;
    bool out = false;
    std::uint32_t value = 0;
};

struct MemoryEvent {
    std::uint32_t address = 0;
    bus::Width width = bus::Width::kByte;
    bool write = false;
    std::uint32_t value = 0;
};

// 0, 1, 2, as formatters have it.
inline std::uint64_t width_code(bus::Width width) {
    return bus::bytes_of(width) / 2;
}

// As one detail.
inline std::uint64_t pack(const PortEvent& event) {
    return std::uint64_t{event.port} | width_code(event.width) << 16 | std::uint64_t{event.out} << 18;
}

class Tap {
public:
    explicit Tap(Sink& sink) : sink_(sink) {}

    [[nodiscard]] Sink& sink() { return sink_; }

    [[nodiscard]] bool listens(ChannelId channel) const { return sink_.listens(channel); }

    // Channels of spans, for who says which are open. Their format is kAddressFormat.
    static std::string irq_service_name(unsigned irq);
    static std::string apic_service_name(std::uint8_t vector);
    static std::string halt_name() { return "cpu.hlt"; }

    void irq_line(unsigned irq, bool high);
    void irq_service_begins(unsigned irq, std::uint8_t vector, const bus::CodeAddress& interrupted);
    void irq_service_ends(unsigned irq);
    void irq_spurious(unsigned irq);
    void apic_service_begins(std::uint8_t vector, const bus::CodeAddress& interrupted);
    void apic_service_ends(std::uint8_t vector);
    void nmi(const bus::CodeAddress& interrupted);
    void software_interrupt(std::uint8_t vector, std::uint16_t ax, const bus::CodeAddress& at);
    void exception(std::uint8_t vector, std::uint32_t error_code, const bus::CodeAddress& at);
    void halt_begins(const bus::CodeAddress& at);
    void halt_ends();

    // Devices by their number in the port table.
    ChannelId port_channel(unsigned device, std::string_view device_name);
    // Devices by their number in the table of windows.
    ChannelId mmio_channel(unsigned device, std::string_view device_name);
    void mmio(ChannelId channel, const MemoryEvent& event, const bus::CodeAddress& at);
    void dma(unsigned channel, std::uint32_t address, std::size_t bytes, bool to_memory);

private:
    using Slot = std::optional<ChannelId>;
    ChannelId apic_channel(std::uint8_t vector);

    // The channel of a slot; name() is called once.
    template <typename Name>
    ChannelId channel_of(Slot& slot, const char* format, Name name) {
        if (!slot) slot = sink_.open(name(), format);
        return *slot;
    }

    Sink& sink_;
    std::array<Slot, 16> irq_lines_;
    std::array<Slot, 16> irq_acknowledges_;
    std::array<Slot, 16> irq_services_;
    Slot irq_spurious_;
    Slot nmi_;
    std::array<Slot, 256> apic_services_;
    std::array<Slot, 256> software_interrupts_;
    std::array<Slot, 256> exceptions_;
    std::array<Slot, 256> ports_;
    std::array<Slot, 256> mmio_;
    std::array<Slot, 8> dma_;
    Slot halt_;
};

}  // namespace sla::tap
