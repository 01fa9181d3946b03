// The events a Pentium's counters can count, and how well this emulated one can.
#pragma once

#include "emu/cpu/event_counts.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace sla::pmc {

enum class Offer {
    kExact,       // counted, on a CPU that sees every instruction
    kNotOffered,  // would need a model of caches, pipes or buses; nothing is counted
};

struct Event {
    std::uint8_t select = 0;  // CESR's event select
    std::string_view name;
    Offer offer = Offer::kNotOffered;
};

// In order of their select.
std::span<const Event> events();
const Event* find_event(std::uint8_t select);

// How often the event happened; nothing for those not offered.
std::optional<std::uint64_t> count_of(std::uint8_t select, const cpu::EventCounts& counts);

}  // namespace sla::pmc
