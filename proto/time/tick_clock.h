// The machine's time-stamp counter: reading it, setting it against the kernel's clocks, and whether it can be trusted.
//
// All functions may be called from any thread; none keeps state. Units are ticks of the TSC.
#pragma once

#include "proto/time/clock_map.h"

#include <cstdint>
#include <string>

namespace sla::time {

// The counter as a marker reads it: RDTSC without fences.
inline std::uint64_t read_tsc() {
    return __builtin_ia32_rdtsc();
}

// CLOCK_MONOTONIC_RAW read between two TSC readings, the tightest of 16 tries; error_ticks is half the bracket.
// CLOCK_REALTIME is read right after it (later by one clock reading, some tens of nanoseconds). stamp_ticks stays 0. Some 2
// µs.
ClockSnapshot take_snapshot();

// What one stamp costs: the difference most often seen between two RDTSCs in a row. Some 100 µs.
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
