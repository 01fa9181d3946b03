// Intel 8254 programmable interval timer: three counters at 105/88 MHz. Counter 0 drives IRQ 0, counter 2 the speaker and
// the guest's own measurements (its gate is port 61h bit 0).
//
// Only counter 0 needs to be awake: its next edge waits in the event queue. A machine that was held up for long (stopped,
// starved) skips the edges it missed instead of replaying them at a wrong time. Owned by the machine's thread.
#pragma once

#include "emu/bus/crystal.h"
#include "emu/bus/event_queue.h"
#include "emu/bus/irq_line.h"
#include "emu/bus/port_device.h"
#include "emu/bus/state_visitor.h"
#include "emu/device/timer/pit8254_counter.h"

#include <array>

namespace sla::device {

class Pit8254 final : public bus::PortDevice {
public:
    static constexpr std::uint16_t kFirstPort = 0x40;
    static constexpr std::uint16_t kControlPort = 0x43;
    static constexpr bus::Nanoseconds kMaxLag = 50'000'000;

    Pit8254(bus::EventQueue& events, bus::IrqLine irq);

    [[nodiscard]] bool output(unsigned counter);
    void set_gate(unsigned counter, bool high);

    [[nodiscard]] std::string_view name() const override { return "pit"; }
    std::uint32_t read_port(std::uint16_t port, bus::Width width) override;
    void write_port(std::uint16_t port, bus::Width width, std::uint32_t value) override;

    // 14.31818 MHz / 12 = 105/88 MHz: 105 ticks every 88 us.
    static constexpr bus::Crystal kInput{105, 88'000};
    // Its input is off by so much; at time 0.
    void set_error(std::int64_t parts_per_million, std::int64_t thousandths) {
        input_.set_error(parts_per_million, thousandths);
    }

    void visit_state(bus::StateVisitor& state);

private:
    [[nodiscard]] Pit8254Counter::Tick ticks_now() const { return input_.ticks_at(events_.now()); }
    void show_counters(bus::StateVisitor& state) const;
    void write_control(std::uint8_t control);
    void read_back(std::uint8_t command);
    void follow_counter0(Pit8254Counter::Tick at);
    void on_edge(bus::Nanoseconds due);

    bus::EventQueue& events_;
    bus::IrqLine irq_;
    bus::EventQueue::TimerId timer_;
    bus::Crystal input_ = kInput;
    std::array<Pit8254Counter, 3> counters_{Pit8254Counter(true), Pit8254Counter(true), Pit8254Counter(false)};
};

}  // namespace sla::device
