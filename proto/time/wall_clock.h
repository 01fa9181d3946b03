// What the kernel says of its wall clock: how far CLOCK_REALTIME can be off UTC, and whether anybody keeps it there.
#pragma once

#include <cstdint>
#include <string>

struct timex;

namespace sla::time {

enum class WallState : std::uint8_t {
    kNotAsked,
    kSynchronised,    // max_error_ns is the kernel's bound
    kUnsynchronised,  // the kernel knows no bound
    kRefused,         // this process may not ask
    kNotThere,        // this kernel does not say
};

enum class LeapState : std::uint8_t { kNone, kInsert, kDelete, kNow, kDone };

struct WallClock {
    WallState state = WallState::kNotAsked;
    LeapState leap = LeapState::kNone;
    bool by_pps = false;            // a pulse per second disciplines it
    std::int32_t tai_offset_s = 0;  // TAI - UTC; 0: not known
    std::int64_t max_error_ns = 0;
    std::int64_t estimated_error_ns = 0;
    std::int64_t offset_ns = 0;  // that is still being slewed away

    std::int32_t ptp_device = kNoPtp;     // number of a PTP clock that was read beside it
    std::int64_t ptp_offset_ns = 0;       // that clock less CLOCK_REALTIME
    std::int64_t ptp_error_ns = 0;        // of that reading
    std::int64_t ptp_clock_error_ns = 0;  // how far that clock can be off UTC or TAI, as the operator said; 0: nobody did

    static constexpr std::int32_t kNoPtp = -1;

    [[nodiscard]] bool is_bounded() const { return state == WallState::kSynchronised; }
    [[nodiscard]] bool is_reported() const { return is_bounded() || state == WallState::kUnsynchronised; }
    bool operator==(const WallClock&) const = default;
};

// What adjtimex(2) filled in, and what it returned or set errno to.
WallClock wall_clock_from(const timex& kernel, int returned, int error_number);
// Asks the kernel, without changing anything: some 300 ns, no privilege.
WallClock read_wall_clock();

// One line for people: "synchronised, within ± 3.2 ms of UTC", "not synchronised: ...".
std::string text_of(const WallClock& wall);
// What a person must know before comparing times with another host's; empty: it is synchronised, or nothing was said.
std::string problem_of(const WallClock& wall);

}  // namespace sla::time
