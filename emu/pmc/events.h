// The events a Pentium's counters can count, and how well this emulated one can.
#pragma once

#include "emu/cpu/executed.h"
#include "emu/pmc/p5_counts.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace sla::pmc {

enum class Offer {
    kExact,       // counted, on a CPU that sees every instruction
    kModelled,    // counted by a model of the chip's caches, TLBs, branch prediction or pipes (p5.h), on such a CPU
    kNotOffered,  // would need a model of buses, write buffers or debug registers; nothing is counted
};

struct Event {
    std::uint8_t select = 0;  // CESR's event select
    std::string_view name;
    Offer offer = Offer::kNotOffered;
};

// In order of their select.
std::span<const Event> events();
const Event* find_event(std::uint8_t select);

// All that is counted: by the CPU, and by the models.
struct Tally {
    const cpu::EventCounts& exact;
    const P5Counts& modelled;
};

// How often the event happened; nothing for those not offered.
std::optional<std::uint64_t> count_of(std::uint8_t select, const Tally& tally);

}  // namespace sla::pmc
