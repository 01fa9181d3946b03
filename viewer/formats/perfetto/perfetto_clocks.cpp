#include "viewer/formats/perfetto/perfetto_clocks.h"

#include <algorithm>

namespace sla::formats {

namespace {

constexpr std::uint64_t kEndOfTime = std::uint64_t{1} << 62;

bool is_builtin(const sla::perfetto::ClockSnapshot::Clock& clock) {
    return clock.clock_id() != 0 && clock.clock_id() < kPerfettoFirstOwn && clock.timestamp() < kEndOfTime;
}

// The clock that a snapshot makes the trace's; 0: none. The wall clock, which may be set, only where there is no other.
std::uint32_t primary_of(const sla::perfetto::ClockSnapshot& snapshot) {
    const std::uint32_t said = snapshot.primary_trace_clock() == 0 ? kPerfettoBoottime : snapshot.primary_trace_clock();
    std::uint32_t best = 0;
    for (const auto& clock : snapshot.clocks()) {
        if (!is_builtin(clock)) continue;
        if (clock.clock_id() == said) return said;
        if (best == 0 || best == kPerfettoRealtime) best = clock.clock_id();
    }
    return best;
}

}  // namespace

void PerfettoTraceClock::take(const sla::perfetto::ClockSnapshot& snapshot) {
    if (primary_ == 0) {
        primary_ = primary_of(snapshot);
        if (primary_ == 0) return;
        to_add_[primary_] = 0;
    }
    const auto taken = time_of(snapshot);
    if (!taken) return;
    for (const auto& clock : snapshot.clocks()) {
        if (is_builtin(clock) && clock.clock_id() != primary_) to_add_[clock.clock_id()] = *taken - clock.timestamp();
    }
}

// By the trace's own clock where the snapshot reads it.
std::optional<std::uint64_t> PerfettoTraceClock::time_of(const sla::perfetto::ClockSnapshot& snapshot) const {
    std::optional<std::uint64_t> taken;
    for (const auto& clock : snapshot.clocks()) {
        const auto known = is_builtin(clock) ? to_add_.find(clock.clock_id()) : to_add_.end();
        if (known == to_add_.end()) continue;
        if (clock.clock_id() == primary_) return clock.timestamp();
        if (!taken) taken = time_of(clock.clock_id(), clock.timestamp());
    }
    return taken;
}

std::optional<std::uint64_t> PerfettoTraceClock::time_of(std::uint32_t id, std::uint64_t timestamp) const {
    const auto known = to_add_.find(id);
    if (known == to_add_.end() || id == primary_) return timestamp;
    const std::uint64_t time = timestamp + known->second;
    if (timestamp >= kEndOfTime || time >= kEndOfTime) return std::nullopt;
    return time;
}

void PerfettoClocks::take(const sla::perfetto::ClockSnapshot& snapshot, std::uint64_t taken_ns) {
    for (const auto& clock : snapshot.clocks()) {
        if (clock.clock_id() < kPerfettoFirstOwn) continue;
        const std::uint64_t unit = clock.unit_multiplier_ns() == 0 ? 1 : clock.unit_multiplier_ns();
        clocks_[clock.clock_id()] = {taken_ns, clock.timestamp(), clock.timestamp(), unit, clock.is_incremental()};
    }
}

std::optional<std::uint64_t> PerfettoClocks::time_of(std::uint32_t id, std::uint64_t timestamp) {
    constexpr std::uint64_t kMaxNs = std::uint64_t{1} << 58;
    const auto at = clocks_.find(id);
    if (at == clocks_.end()) return std::nullopt;
    Reading& clock = at->second;
    clock.last = clock.is_incremental ? clock.last + timestamp : timestamp;
    const bool is_possible = clock.last >= clock.at_snapshot && clock.last - clock.at_snapshot < kMaxNs / clock.unit;
    if (!is_possible) return std::nullopt;
    return clock.taken_ns + (clock.last - clock.at_snapshot) * clock.unit;
}

}  // namespace sla::formats
