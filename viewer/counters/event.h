// Events that counters count, by one vocabulary: `pentium:16` or `pentium:instructions` of the emulated PC (CESR's events,
// proto/common/pentium_events.h), `host:instructions` or `host:page-faults` of this machine (the processor's own and the
// kernel's, through perf_event_open).
#pragma once

#include "proto/base/result.h"
#include "proto/common/pentium_events.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sla::counters {

enum class World : std::uint8_t { kPentium, kHost };

struct Event {
    World world = World::kHost;
    std::string word;      // "instructions"
    std::string meaning;   // a few words
    std::uint32_t select;  // CESR's, of kPentium
    // Of kHost, as perf_event_open wants them.
    std::uint32_t type = 0;
    std::uint64_t config = 0;

    // "host:instructions"
    [[nodiscard]] std::string name() const;
    // The kernel's own, of which any number can be counted at a time.
    [[nodiscard]] bool is_software() const;
    // rHEX: by the processor's own number.
    [[nodiscard]] bool is_raw() const;
    friend bool operator==(const Event& a, const Event& b) { return a.name() == b.name(); }
};

// All that have a name, in the vocabulary's order.
std::vector<Event> events_of(World world);

// "all", "pentium:all", "pentium:16,host:page-faults,instructions": commas between; a word without a world is one of
// `usual`. Each once. Of the host also rHEX, the processor's own number.
Result<std::vector<Event>> parse_events(std::string_view list, World usual);

}  // namespace sla::counters
