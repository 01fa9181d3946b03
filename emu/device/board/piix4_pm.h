// The power management ports of the PIIX4 (data sheet 290562) that ACPI firmware uses, at a base that the guest chooses.
//
//   +0 PM1 status   +2 PM1 enable   +4 PM1 control (SCI_EN, SLP_TYP, SLP_EN)   +8 PM timer, 24 bits at 3.579545 MHz
//
// Soft-off (SLP_TYP 0 with SLP_EN) ends the run. No event source is behind PM1 status, so SCI never comes. Owned by the
// machine's thread.
#pragma once

#include "emu/bus/crystal.h"
#include "emu/bus/event_queue.h"
#include "emu/bus/port_table.h"
#include "emu/bus/state_visitor.h"

#include <functional>
#include <utility>

namespace sla::device {

class Piix4Pm final : public bus::PortDevice {
public:
    static constexpr std::uint16_t kPorts = 64;

    Piix4Pm(bus::EventQueue& events, bus::PortTable& ports, std::function<void()> power_off)
        : events_(events), ports_(ports), power_off_(std::move(power_off)) {}

    // Its crystal, which is also the 8254's, is off by so much; at time 0.
    void set_error(std::int64_t parts_per_million) { crystal_.set_error(parts_per_million, 0); }
    void reset() { enable_ = control_ = 0; }
    // 0: not in the port table.
    void set_base(std::uint16_t base);

    [[nodiscard]] std::string_view name() const override { return "pm"; }
    [[nodiscard]] bus::Width widest() const override { return bus::Width::kDword; }
    std::uint32_t read_port(std::uint16_t port, bus::Width width) override;
    void write_port(std::uint16_t port, bus::Width width, std::uint32_t value) override;

    void visit_state(bus::StateVisitor& state);

private:
    [[nodiscard]] std::uint32_t timer(bus::Nanoseconds now) const;

    bus::EventQueue& events_;
    bus::PortTable& ports_;
    std::function<void()> power_off_;
    bus::Crystal crystal_{3'579'545, 1'000'000'000};
    std::uint16_t base_ = 0;
    std::uint16_t enable_ = 0;
    std::uint16_t control_ = 0;
};

}  // namespace sla::device
