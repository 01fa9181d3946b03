// What one channel recorded and what it lost, by cause; exact. offered = events + the sum of the losses.
#pragma once

#include "proto/wire/event.h"

#include <cstdint>

namespace sla::drain {

struct LossLedger {
    std::uint64_t events = 0;
    std::uint64_t overrun = 0;
    std::uint64_t late = 0;
    std::uint64_t torn = 0;
    std::uint64_t no_ring = 0;
    std::uint64_t damaged = 0;
    std::uint64_t filtered = 0;  // turned away by a filter that somebody asked for: never offered, not lost

    void add(wire::LossCause cause, std::uint64_t count) {
        switch (cause) {
            case wire::LossCause::kLate: late += count; break;
            case wire::LossCause::kTorn: torn += count; break;
            case wire::LossCause::kNoRing: no_ring += count; break;
            case wire::LossCause::kDamaged: damaged += count; break;
            default: overrun += count; break;
        }
    }
    void add(const LossLedger& other) {
        events += other.events;
        overrun += other.overrun;
        late += other.late;
        torn += other.torn;
        no_ring += other.no_ring;
        damaged += other.damaged;
        filtered += other.filtered;
    }
    [[nodiscard]] std::uint64_t lost() const { return overrun + late + torn + no_ring + damaged; }
};

}  // namespace sla::drain
