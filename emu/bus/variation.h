// What differs from one PC of a kind to the next, and from one moment to the next: how long disks and keyboards take, when the
// CPU notices an interrupt, how far crystals are off. Drawn from a seed, so that the same seed has the same PC; without
// one (0) nothing varies, and everything takes its usual time. What may vary by how much is said where it is asked for.
//
// Owned by the machine's thread.
#pragma once

#include "emu/bus/clock.h"
#include "emu/bus/state_visitor.h"

#include <cstdint>

namespace sla::bus {

class Variation {
public:
    explicit Variation(std::uint64_t seed = 0) : on_(seed != 0), state_(seed) {}

    [[nodiscard]] bool on() const { return on_; }
    // Each value from `least` to `most` as likely as the others; only where it is on.
    std::int64_t between(std::int64_t least, std::int64_t most);
    // Once in so many times.
    bool once_in(std::int64_t times) { return between(1, times) == 1; }

    // What is drawn next; the seed is the same here and there.
    void visit_state(StateVisitor& state);

private:
    bool on_;
    std::uint64_t state_;
};

}  // namespace sla::bus
