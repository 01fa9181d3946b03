// One of the three counters of an Intel 8254 (data sheet 231164), as a function of time.
//
// Nothing is stepped: a counter knows at which CLK tick its counting element was loaded, and from that follow count, output
// and the next change of the output at any later tick. Ticks are those of the 1.193182 MHz input and never go backwards.
//
//   mode 0  OUT low, high for good at terminal count      mode 3  square wave, high for the larger half
//   mode 1  one-shot, low for N ticks after the gate      mode 4  low for one tick at terminal count
//   mode 2  low for the last tick of every N              mode 5  as 4, started by the gate
//
// Owned by the machine's thread.
#pragma once

#include "emu/bus/state_visitor.h"

#include <cstdint>
#include <optional>

namespace sla::device {

class Pit8254Counter {
public:
    using Tick = std::int64_t;

    explicit Pit8254Counter(bool gate) : gate_(gate) {}

    void write_control(Tick now, std::uint8_t control);  // RW1 RW0 M2 M1 M0 BCD in bits 5-0
    void write_count(Tick now, std::uint8_t byte);
    std::uint8_t read(Tick now);
    void latch_count(Tick now);
    void latch_status(Tick now);
    void set_gate(Tick now, bool high);

    // Brings a count that waits for the end of the period into force; output and next_edge want to see it first.
    void advance(Tick now);
    [[nodiscard]] bool output(Tick now) const;
    // The first tick after `now` at which the output differs; none: it stays as it is.
    [[nodiscard]] std::optional<Tick> next_edge(Tick now) const;

    void visit_state(bus::StateVisitor& state);
    // What follows from it at that time.
    void show_now(bus::StateVisitor& state, Tick now) const;

private:
    enum class Access : std::uint8_t { kLow = 1, kHigh = 2, kBoth = 3 };

    void load(Tick now, std::uint32_t period);
    void take_count(Tick now, std::uint16_t written);
    [[nodiscard]] bool is_periodic() const { return mode_ == 2 || mode_ == 3; }
    [[nodiscard]] bool is_gate_started() const { return mode_ == 1 || mode_ == 5; }
    [[nodiscard]] Tick elapsed(Tick now) const { return running_ ? now - start_ : frozen_; }
    [[nodiscard]] Tick high_ticks() const { return mode_ == 2 ? period_ - 1 : (period_ + 1) / 2; }
    [[nodiscard]] std::uint16_t count(Tick now) const;
    [[nodiscard]] std::uint8_t status(Tick now) const;

    std::uint8_t mode_ = 0;
    std::uint8_t written_mode_ = 0;  // as the status has it: 6 and 7 are 2 and 3
    bool bcd_ = false;
    Access access_ = Access::kBoth;
    bool gate_;

    bool loaded_ = false;   // a whole count was written since the control word
    bool running_ = false;  // the counting element moves
    Tick start_ = 0;        // while running: the tick at which it held period_
    Tick frozen_ = 0;       // while stopped: how far it had come
    Tick period_ = 65536;
    bool low_until_load_ = false;               // mode 1 retriggered during its pulse
    std::optional<std::uint32_t> next_period_;  // written, taken at the end of the period or by the gate

    std::optional<std::uint8_t> written_low_;  // first byte of two
    bool read_high_next_ = false;
    std::optional<std::uint16_t> latched_count_;
    std::optional<std::uint8_t> latched_status_;
};

}  // namespace sla::device
