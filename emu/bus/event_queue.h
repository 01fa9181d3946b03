// What the chips want done, and when. A machine has a handful of timers, so the queue is a plain list; equal times run in
// the order in which the timers were made, which keeps runs repeatable.
//
// Owned by the machine's thread.
#pragma once

#include "emu/bus/clock.h"
#include "emu/bus/state_visitor.h"
#include "emu/bus/variation.h"

#include <functional>
#include <optional>
#include <vector>

namespace sla::bus {

// Sees when the chips' requests come and when they are done.
class EventQueueObserver {
public:
    virtual ~EventQueueObserver() = default;
    virtual void timer_set(Nanoseconds due) = 0;
    virtual void timer_fires(Nanoseconds due) = 0;
};

// Interrupt lines that an action may raise, now or by what it sets off: bit n is IRQ n.
using IrqLines = std::uint32_t;
inline constexpr IrqLines kAnyLine = 0xFFFF;
inline constexpr IrqLines kLapicTimer = 1U << 16;  // no line: the local APIC's own
constexpr IrqLines irq_line_bit(unsigned line) {
    return IrqLines{1} << line;
}

class EventQueue {
public:
    using TimerId = std::size_t;

    explicit EventQueue(const Clock& clock) : clock_(clock) {}

    // A timer is made once, at set-up, and armed as often as needed. The action gets the time for which it was armed.
    TimerId add_timer(std::function<void(Nanoseconds due)> action, IrqLines lines = kAnyLine);
    void arm(TimerId timer, Nanoseconds due);
    void disarm(TimerId timer);

    // What takes its usual time from now on takes one that is drawn; at set-up.
    void vary(std::uint64_t seed) { variation_ = Variation(seed); }
    [[nodiscard]] Variation& variation() { return variation_; }
    // How long a thing takes this time: as usual, or between two bounds that a real one has.
    [[nodiscard]] Nanoseconds lasting(Nanoseconds usual, Nanoseconds least, Nanoseconds most) {
        return variation_.on() ? variation_.between(least, most) : usual;
    }

    // At most one; null: nobody.
    void observe(EventQueueObserver* observer) { observer_ = observer; }

    [[nodiscard]] Nanoseconds now() const { return clock_.now(); }
    [[nodiscard]] std::optional<Nanoseconds> next_due() const { return next_; }

    // Of all timers that are armed.
    [[nodiscard]] IrqLines armed_lines() const;

    // When that timer is due. Loading reports nothing to the observer, and runs nothing.
    void visit_timer(StateVisitor& state, TimerId timer);

    // Runs what is due now, earliest first. An action may arm timers; what it arms for the past waits for the next call, so
    // that a guest which programs absurd rates cannot hold the machine here.
    void run_due();

private:
    struct Timer {
        std::function<void(Nanoseconds)> action;
        IrqLines lines = kAnyLine;
        std::optional<Nanoseconds> due;
        bool ran = false;
    };

    void find_next();

    const Clock& clock_;
    Variation variation_;
    EventQueueObserver* observer_ = nullptr;
    std::vector<Timer> timers_;
    std::optional<Nanoseconds> next_;  // the earliest of all due times: most calls of run_due find nothing to do
};

}  // namespace sla::bus
