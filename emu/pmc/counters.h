// The Pentium's two performance counters: MSRs 11h (CESR), 12h and 13h (CTR0, CTR1), 40 bits each.
//
//   CESR, per counter   9: pin signals overflows, not increments │ 8: clocks, not events │ 7: ring 3 │ 6: rings 0-2
//                       5-0: event │ 10-15 are reserved and keep what was written │ counter 1's are 16 higher
//
// A counter whose pin signals overflows also interrupts at each, as if the pins were wired to the local APIC's entry for
// performance counters: one that starts at -N interrupts after N events. Counting clocks while a condition holds (bit 8)
// needs a model of time in the pipes: not offered, as the events of which events.h says so. Such a counter stands still,
// and the observer gets a note.
#pragma once

#include "emu/bus/state_visitor.h"
#include "emu/pmc/events.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>

namespace sla::pmc {

class CounterObserver {
public:
    virtual ~CounterObserver() = default;
    // Pin PM0 or PM1: the counter grew by that much, or, if its pin control says so, went over its end.
    // Its value now, 40 bits.
    virtual void pin(unsigned counter, std::uint64_t by, std::uint64_t value) = 0;
    // The pin signals overflows, and this is one.
    virtual void overflow() = 0;
    virtual void not_offered(const std::string& what) = 0;
};

class Counters {
public:
    static constexpr std::uint32_t kCesr = 0x11;
    static constexpr std::uint32_t kCtr0 = 0x12;
    static constexpr std::uint64_t kMask = (std::uint64_t{1} << 40) - 1;

    explicit Counters(CounterObserver& observer) : observer_(observer) {}

    // What the CPU has done up to now, all in this ring. Null: a CPU that does not count.
    void update(const Tally* tally, unsigned ring);

    [[nodiscard]] std::uint64_t cesr() const { return cesr_; }
    void write_cesr(std::uint64_t value, const Tally* tally);
    [[nodiscard]] std::uint64_t read(unsigned counter) const { return counters_[counter].value; }
    // What it would read after an update.
    [[nodiscard]] std::uint64_t value_at(unsigned counter, const Tally* tally, unsigned ring) const;
    void write(unsigned counter, std::uint64_t value) { counters_[counter].value = value & kMask; }

    // Some counter counts: update() is wanted at every instruction.
    [[nodiscard]] bool active() const { return counters_[0].counting() || counters_[1].counting(); }
    // One of them counts what code does, beside accesses to ports and interrupts.
    [[nodiscard]] bool needs_code() const { return counters_[0].of_code() || counters_[1].of_code(); }
    // One of them counts what a model does.
    [[nodiscard]] bool needs_models() const { return counters_[0].models() || counters_[1].models(); }

    // `tally` as above.
    void visit_state(bus::StateVisitor& state, const Tally* tally);

private:
    struct Counter {
        std::uint8_t event = 0;
        bool rings_012 = false;
        bool ring_3 = false;
        bool clocks = false;
        bool pin_overflow = false;
        bool offered = false;
        bool of_models = false;
        std::uint64_t seen = 0;  // of the event, up to the last update
        std::uint64_t value = 0;

        [[nodiscard]] bool counting() const { return offered && (rings_012 || ring_3); }
        [[nodiscard]] bool counts_in(unsigned ring) const { return ring == 3 ? ring_3 : rings_012; }
        [[nodiscard]] bool of_code() const { return counting() && is_of_code(event); }
        [[nodiscard]] bool models() const { return of_models && counting(); }
    };

    static void decode(Counter& counter, std::uint32_t bits, const Tally* tally);
    void select(unsigned number, std::uint32_t bits, const Tally* tally);

    CounterObserver& observer_;
    std::uint64_t cesr_ = 0;
    std::array<Counter, 2> counters_;
};

}  // namespace sla::pmc
