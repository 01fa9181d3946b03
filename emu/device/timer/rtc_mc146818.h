// Motorola MC146818 real-time clock with its battery-backed memory (data sheet MC146818/D), ports 70h and 71h.
//
//   00 seconds 02 minutes 04 hours 06 day of week 07 day 08 month 09 year 32 century; 01 03 05 their alarms
//   0A  UIP DV2 DV1 DV0 RS3-RS0     0C  IRQF PF AF UF, cleared by reading
//   0B  SET PIE AIE UIE SQWE DM 24/12 DSE     0D  VRT
//
// The chip counts a 32768 Hz crystal from the power-on. Updates and periodic edges are worked out when somebody looks or an
// interrupt is enabled; otherwise the clock needs no timer and an idle machine may sleep. Owned by the machine's thread.
#pragma once

#include "emu/bus/crystal.h"
#include "emu/bus/event_queue.h"
#include "emu/bus/irq_line.h"
#include "emu/bus/port_device.h"
#include "emu/bus/state_visitor.h"

#include <array>
#include <cstdint>

namespace sla::device {

class RtcMc146818 final : public bus::PortDevice {
public:
    static constexpr std::uint16_t kIndexPort = 0x70;
    static constexpr std::uint16_t kDataPort = 0x71;
    static constexpr unsigned kBytes = 128;
    static constexpr std::int64_t kHertz = 32768;

    // `power_on`: seconds since 1970-01-01, what the clock shows at time 0.
    RtcMc146818(bus::EventQueue& events, bus::IrqLine irq, std::int64_t power_on);

    // Its RESET pin: interrupts off; time and memory are the battery's.
    void reset();

    // Its crystal is off by so much, and so many ticks of the present second were over at time 0: the battery keeps it running.
    // At time 0.
    void set_error(std::int64_t parts_per_million, std::int64_t ticks);

    // Bit 7 of the index port, inverted. No chip of this board raises an NMI by the line that it is for: those there are come
    // from the local APIC.
    [[nodiscard]] bool nmi_enabled() const { return nmi_enabled_; }

    // The memory behind the clock's registers, for whoever sets the machine up; the index is 0Eh or more.
    [[nodiscard]] std::uint8_t stored(unsigned index) const { return memory_[index]; }
    void store(unsigned index, std::uint8_t value);

    [[nodiscard]] std::string_view name() const override { return "cmos"; }
    [[nodiscard]] bool is_latch(std::uint16_t port, bus::Access) const override { return port == kIndexPort; }
    std::uint32_t read_port(std::uint16_t port, bus::Width width) override;
    void write_port(std::uint16_t port, bus::Width width, std::uint32_t value) override;

    void visit_state(bus::StateVisitor& state);

private:
    void visit_fields(bus::StateVisitor& state);

    using Tick = std::int64_t;  // of the crystal

    [[nodiscard]] std::uint8_t read(unsigned index);
    void write(unsigned index, std::uint8_t value);
    void write_a(std::uint8_t value);

    void advance(Tick now);
    [[nodiscard]] Tick period() const;  // 0: no periodic edges
    [[nodiscard]] bool divider_runs() const;
    [[nodiscard]] bool update_in_progress(Tick now) const;
    void follow_interrupt();

    bus::EventQueue& events_;
    bus::IrqLine irq_;
    bus::EventQueue::TimerId timer_;
    bus::Crystal crystal_{kHertz, 1'000'000'000};
    std::array<std::uint8_t, kBytes> memory_{};
    unsigned index_ = 0;
    bool nmi_enabled_ = true;
    Tick seen_ = 0;           // up to here updates and edges are in the registers
    Tick next_update_ = 0;    // the tick at which the next second begins
    Tick divider_start_ = 0;  // where the periodic edges count from
};

}  // namespace sla::device
