// The PC/AT's system control ports: B (61h: gate of timer counter 2, speaker, refresh toggle) and A (92h: A20 gate, reset).
#pragma once

#include "emu/bus/port_device.h"
#include "emu/bus/state_visitor.h"
#include "emu/device/board/a20_gate.h"
#include "emu/device/timer/pit8254.h"

#include <functional>
#include <utility>

namespace sla::device {

class SystemControl final : public bus::PortDevice {
public:
    static constexpr std::uint16_t kPortB = 0x61;
    static constexpr std::uint16_t kPortA = 0x92;

    SystemControl(Pit8254& pit, A20Gate& a20, std::function<void()> reset)
        : pit_(pit), a20_(a20), reset_(std::move(reset)) {}

    // The processor was reset: bit 0 of port A is ready to do it again.
    void end_reset() { resetting_ = false; }
    // All of the board was.
    void reset();

    [[nodiscard]] std::string_view name() const override { return "system"; }
    std::uint32_t read_port(std::uint16_t port, bus::Width width) override;
    void write_port(std::uint16_t port, bus::Width width, std::uint32_t value) override;

    void visit_state(bus::StateVisitor& state);

private:
    Pit8254& pit_;
    A20Gate& a20_;
    std::function<void()> reset_;
    bool resetting_ = false;       // port A, bit 0
    std::uint8_t port_b_ = 0;      // bits 0-3 as written
    bool refresh_toggle_ = false;  // bit 4 changes with every read, as firmware's delay loops expect
};

}  // namespace sla::device
