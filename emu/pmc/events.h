// The events a Pentium's counters can count, and how well this emulated one can.
#pragma once

#include "emu/cpu/executed.h"
#include "emu/pmc/p5_counts.h"
#include "proto/common/pentium_events.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace sla::pmc {

using common::Offer;
using Event = common::PentiumEvent;

// In order of their select.
std::span<const Event> events();
const Event* find_event(std::uint8_t select);

// All that is counted: by the CPU, and by the models.
struct Tally {
    const cpu::EventCounts& exact;
    const P5Counts& modelled;
    cpu::Counting kept = cpu::Counting::kEverything;  // of exact; the models need everything
};

// How often the event happened; nothing for those not offered, or not by this CPU.
std::optional<std::uint64_t> count_of(std::uint8_t select, const Tally& tally);
// It is of the code that runs: not an access to a port, nor an interrupt.
bool is_of_code(std::uint8_t select);
// The models must run for it (p5.h), though the number may be exact: code reads.
bool is_of_models(std::uint8_t select);

// The same of all events at once, by their select; 0 for those not offered.
inline constexpr std::size_t kEventCount = 42;
using Counts = std::array<std::uint64_t, kEventCount>;
Counts all_counts(const Tally& tally);

}  // namespace sla::pmc
