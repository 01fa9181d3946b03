#include "emu/tap/tap.h"

#include "emu/tap/format.h"

#include <fmt/format.h>

namespace sla::tap {

namespace {

constexpr const char* kPortFormat = "x86.port";
constexpr const char* kMemoryFormat = "x86.mem";
constexpr std::uint64_t kBlock = 3;  // its width

std::uint64_t pack_memory(std::uint32_t address, std::uint64_t width, bool write) {
    return std::uint64_t{address} | width << 32 | std::uint64_t{write} << 34;
}

}  // namespace

std::string Tap::irq_service_name(unsigned irq) {
    return fmt::format("irq.{}.isr", irq);
}

std::string Tap::apic_service_name(std::uint8_t vector) {
    return fmt::format("irq.apic.{:02x}h", vector);
}

void Tap::irq_line(unsigned irq, bool high) {
    sink_.plain(channel_of(irq_lines_[irq], kNoFormat, [=] { return fmt::format("irq.{}", irq); }), SLA_CODE_LEVEL,
                high ? 1 : 0);
}

void Tap::irq_service_begins(unsigned irq, std::uint8_t vector, const bus::CodeAddress& interrupted) {
    const ChannelId taken =
        channel_of(irq_acknowledges_[irq], kAddressFormat, [=] { return fmt::format("irq.{}.ack", irq); });
    sink_.wide(taken, SLA_CODE_TICK_VALUE, vector, 0, pack(interrupted));
    const ChannelId to = channel_of(irq_services_[irq], kAddressFormat, [=] { return irq_service_name(irq); });
    sink_.wide(to, SLA_CODE_BEGIN, 0, 0, pack(interrupted));
}

void Tap::irq_service_ends(unsigned irq) {
    const ChannelId to = channel_of(irq_services_[irq], kAddressFormat, [=] { return irq_service_name(irq); });
    sink_.wide(to, SLA_CODE_END, 0, 0, 0);
}

void Tap::irq_spurious(unsigned irq) {
    sink_.plain(channel_of(irq_spurious_, kNoFormat, [] { return std::string("irq.spurious"); }), SLA_CODE_TICK_VALUE, irq);
}

ChannelId Tap::apic_channel(std::uint8_t vector) {
    return channel_of(apic_services_[vector], kAddressFormat, [=] { return apic_service_name(vector); });
}

void Tap::apic_service_begins(std::uint8_t vector, const bus::CodeAddress& interrupted) {
    sink_.wide(apic_channel(vector), SLA_CODE_BEGIN, 0, 0, pack(interrupted));
}

void Tap::apic_service_ends(std::uint8_t vector) {
    sink_.wide(apic_channel(vector), SLA_CODE_END, 0, 0, 0);
}

void Tap::nmi(const bus::CodeAddress& interrupted) {
    const ChannelId to = channel_of(nmi_, kAddressFormat, [] { return std::string("irq.nmi"); });
    sink_.wide(to, SLA_CODE_TICK, 0, 0, pack(interrupted));
}

void Tap::software_interrupt(std::uint8_t vector, std::uint16_t ax, const bus::CodeAddress& at) {
    const ChannelId to =
        channel_of(software_interrupts_[vector], kAddressFormat, [=] { return fmt::format("int.{:02x}h", vector); });
    sink_.wide(to, SLA_CODE_TICK_VALUE, ax, 0, pack(at));
}

void Tap::exception(std::uint8_t vector, std::uint32_t error_code, const bus::CodeAddress& at) {
    const ChannelId to = channel_of(exceptions_[vector], kAddressFormat, [=] { return fmt::format("exc.{:02}", vector); });
    sink_.wide(to, SLA_CODE_TICK_VALUE, error_code, 0, pack(at));
}

void Tap::halt_begins(const bus::CodeAddress& at) {
    const ChannelId to = channel_of(halt_, kAddressFormat, halt_name);
    sink_.wide(to, SLA_CODE_BEGIN, 0, 0, pack(at));
}

void Tap::halt_ends() {
    const ChannelId to = channel_of(halt_, kAddressFormat, halt_name);
    sink_.wide(to, SLA_CODE_END, 0, 0, 0);
}

ChannelId Tap::port_channel(unsigned device, std::string_view device_name) {
    return channel_of(ports_[device], kPortFormat, [=] { return fmt::format("port.{}", device_name); });
}

ChannelId Tap::mmio_channel(unsigned device, std::string_view device_name) {
    return channel_of(mmio_[device], kMemoryFormat, [=] { return fmt::format("mmio.{}", device_name); });
}

void Tap::mmio(ChannelId channel, const MemoryEvent& event, const bus::CodeAddress& at) {
    const std::uint64_t detail = pack_memory(event.address, width_code(event.width), event.write);
    sink_.wide(channel, SLA_CODE_TICK_VALUE, event.value, detail, pack(at));
}

void Tap::dma(unsigned channel, std::uint32_t address, std::size_t bytes, bool to_memory) {
    const ChannelId to = channel_of(dma_[channel], kMemoryFormat, [=] { return fmt::format("dma.{}", channel); });
    sink_.wide(to, SLA_CODE_TICK_VALUE, bytes, pack_memory(address, kBlock, to_memory), 0);
}

}  // namespace sla::tap
