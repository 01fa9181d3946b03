// The clock that stamps: the machine's time-stamp counter, or CLOCK_MONOTONIC_RAW where that counter is no clock. Reading
// it, setting it against the kernel's clocks, and whether it can be trusted.
//
// All functions may be called from any thread. Units are ticks of the clock: of the TSC, or nanoseconds.
#pragma once

#include "proto/time/clock_map.h"

#include <cstdint>
#include <string>

namespace sla::time {

// The counter as a marker reads it: RDTSC without fences.
inline std::uint64_t read_tsc() {
    return __builtin_ia32_rdtsc();
}
// RDTSC that neither overtakes what stands before it nor is overtaken by what follows.
std::uint64_t read_tsc_in_order();

enum class StampClock { kTsc, kMonotonicRaw };

// What this agent and its programs stamp with, the same from the first call to the last: the TSC, but CLOCK_MONOTONIC_RAW
// where the TSC is not invariant, or where the environment has SLA_CLOCK=raw.
StampClock stamp_clock();
// Now, in ticks of that clock. Some 20 ns.
std::uint64_t read_stamp();

// CLOCK_MONOTONIC_RAW read between two readings of the stamp clock, and CLOCK_REALTIME between the second and a third one, the
// tightest of 16 tries; error_ticks is half the first bracket, realtime_error_ticks reaches from `tick` to the third
// reading. stamp_ticks stays 0, nothing is said of the wall clock's own error. Some 2 µs.
ClockSnapshot take_snapshot();

// What one stamp costs: the difference most often seen between two readings of the stamp clock in a row, in the third of
// three runs (the first two warm the caches). Some 300 µs.
std::uint32_t measure_stamp_ticks();

// What CPUID says of the counter.
struct TscHealth {
    bool present = false;
    bool invariant = false;   // same rate in all power states: ticks are time
    bool hypervisor = false;  // a virtual machine: its host may trap or scale the counter
    double nominal_hz = 0;    // 0: CPUID does not say

    [[nodiscard]] bool good() const { return present && invariant; }
    // One line for people: what is the matter and what follows from it.
    [[nodiscard]] std::string text() const;
};

TscHealth tsc_health();

}  // namespace sla::time
