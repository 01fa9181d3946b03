// The time of one emulated PC, in nanoseconds since its power came on. One clock per machine, never two mixed: a guest that
// compares device time with another time breaks.
#pragma once

#include <cstdint>

namespace sla::bus {

using Nanoseconds = std::int64_t;

class Clock {
public:
    virtual ~Clock() = default;

    [[nodiscard]] virtual Nanoseconds now() const = 0;

    // The same guest sees the same time in every run.
    [[nodiscard]] virtual bool repeatable() const = 0;

    // Where its time stands, of a clock that moves only when somebody below says so; constant. Null: time goes on by itself.
    [[nodiscard]] virtual const Nanoseconds* standing_time() const { return nullptr; }

    // How many bytes of guest code may run before somebody must look at the clock again, at least 1.
    [[nodiscard]] virtual std::uint64_t code_bytes_until(Nanoseconds deadline) const = 0;

    // The CPU ran that many bytes of code.
    virtual void executed(std::uint64_t code_bytes) = 0;

    // Nothing to do before the deadline. May return earlier.
    virtual void wait_until(Nanoseconds deadline) = 0;

    // The guest stands still for those around it, or goes on.
    virtual void stand_still(bool) {}

    // It is that time now: a machine goes on from a snapshot.
    virtual void set(Nanoseconds now) = 0;

    // Until `let_go` it is the instant of that reading of the TSC, which was made just now: what an access to a chip shows and what its
    // chip sees are of one instant, by one reading. 0: of none, time goes on. A clock by guest code stands still meanwhile anyway.
    void hold_at(std::uint64_t tick) { held_ = tick; }
    void let_go() { held_ = 0; }

protected:
    [[nodiscard]] std::uint64_t held() const { return held_; }

private:
    std::uint64_t held_ = 0;
};

}  // namespace sla::bus
