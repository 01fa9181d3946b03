// The clocks that a Perfetto trace's packets count by.
#pragma once

#include "viewer/formats/perfetto/perfetto.pb.h"

#include <cstdint>
#include <map>
#include <optional>

namespace sla::formats {

// Builtin clocks; from the third number on clocks count as their sequence says.
inline constexpr std::uint32_t kPerfettoRealtime = 1;
inline constexpr std::uint32_t kPerfettoBoottime = 6;
inline constexpr std::uint32_t kPerfettoFirstOwn = 64;

// The builtin clock that a trace's times are of: that which its first snapshot calls the primary one. Times of other builtin clocks
// are moved there by the newest snapshot that has both, and are as they stand before any has.
class PerfettoTraceClock {
public:
    void take(const sla::perfetto::ClockSnapshot& snapshot);
    // When a snapshot was taken; nothing: it reads no builtin clock that is known.
    [[nodiscard]] std::optional<std::uint64_t> time_of(const sla::perfetto::ClockSnapshot& snapshot) const;
    // Of a builtin clock, 0: the trace's own; nothing when it gives no possible time.
    [[nodiscard]] std::optional<std::uint64_t> time_of(std::uint32_t id, std::uint64_t timestamp) const;

private:
    std::uint32_t primary_ = 0;                      // 0: no snapshot came yet
    std::map<std::uint32_t, std::uint64_t> to_add_;  // to each known clock's times, modulo 2^64
};

// The clocks of one sequence that count from a snapshot on, each packet's time perhaps from the packet before.
class PerfettoClocks {
public:
    void take(const sla::perfetto::ClockSnapshot& snapshot, std::uint64_t taken_ns);
    // Nanoseconds; nothing when the clock was never read, or it gives no possible time.
    std::optional<std::uint64_t> time_of(std::uint32_t id, std::uint64_t timestamp);

private:
    struct Reading {
        std::uint64_t taken_ns = 0;
        std::uint64_t at_snapshot = 0;
        std::uint64_t last = 0;
        std::uint64_t unit = 1;
        bool is_incremental = false;
    };
    std::map<std::uint32_t, Reading> clocks_;
};

}  // namespace sla::formats
