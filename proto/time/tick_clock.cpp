#include "proto/time/tick_clock.h"

#include <cpuid.h>
#include <fmt/format.h>
#include <time.h>
#include <x86intrin.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <limits>
#include <string_view>

namespace sla::time {
namespace {

constexpr int kSnapshotTries = 16;
constexpr int kStampRuns = 3;
constexpr int kStampTries = 4096;
constexpr std::size_t kStampHistogram = 1024;

std::int64_t read_clock(clockid_t clock) {
    timespec now{};
    clock_gettime(clock, &now);
    return static_cast<std::int64_t>(now.tv_sec) * 1'000'000'000 + now.tv_nsec;
}

struct CpuidWords {
    unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
};

// All zero for a leaf the processor does not have.
CpuidWords cpuid(unsigned leaf) {
    CpuidWords words;
    __get_cpuid_count(leaf, 0, &words.eax, &words.ebx, &words.ecx, &words.edx);
    return words;
}

// Leaf 40000010h, agreed between hypervisors: EAX is the TSC's rate in kHz.
double hypervisor_hz() {
    CpuidWords words;
    __cpuid(0x40000000u, words.eax, words.ebx, words.ecx, words.edx);
    if (words.eax < 0x40000010u || words.eax > 0x400000ffu) return 0;
    __cpuid(0x40000010u, words.eax, words.ebx, words.ecx, words.edx);
    return words.eax * 1e3;
}

// Leaf 15h: EBX/EAX is the TSC's ratio to the crystal, ECX the crystal in Hz.
double crystal_hz() {
    const CpuidWords words = cpuid(0x15);
    return words.eax == 0 ? 0 : static_cast<double>(words.ecx) * words.ebx / words.eax;
}

std::uint32_t bounded(std::uint64_t ticks) {
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(ticks, std::numeric_limits<std::uint32_t>::max()));
}

template <typename Read>
std::uint32_t cost_of(Read read) {
    std::array<std::uint32_t, kStampHistogram> seen{};
    for (int run = 0; run < kStampRuns; ++run) {
        seen.fill(0);
        for (int attempt = 0; attempt < kStampTries; ++attempt) {
            const std::uint64_t before = read();
            const std::uint64_t after = read();
            const std::uint64_t cost = after - before;
            if (cost < seen.size()) ++seen[cost];
        }
    }
    return static_cast<std::uint32_t>(std::max_element(seen.begin(), seen.end()) - seen.begin());
}

}  // namespace

std::uint64_t read_tsc_in_order() {
    _mm_lfence();
    const std::uint64_t tick = read_tsc();
    _mm_lfence();
    return tick;
}

StampClock stamp_clock() {
    static const StampClock chosen = [] {
        const char* wanted = std::getenv("SLA_CLOCK");
        const bool raw = (wanted != nullptr && std::string_view(wanted) == "raw") || !tsc_health().good();
        return raw ? StampClock::kMonotonicRaw : StampClock::kTsc;
    }();
    return chosen;
}

std::uint64_t read_stamp() {
    return stamp_clock() == StampClock::kTsc ? read_tsc() : static_cast<std::uint64_t>(read_clock(CLOCK_MONOTONIC_RAW));
}

ClockSnapshot take_snapshot() {
    if (stamp_clock() == StampClock::kMonotonicRaw) {
        ClockSnapshot snapshot;
        snapshot.monotonic_raw_ns = read_clock(CLOCK_MONOTONIC_RAW);
        snapshot.realtime_ns = read_clock(CLOCK_REALTIME);
        const std::int64_t after = read_clock(CLOCK_MONOTONIC_RAW);
        snapshot.tick = static_cast<std::uint64_t>(snapshot.monotonic_raw_ns);
        snapshot.realtime_error_ticks = bounded(static_cast<std::uint64_t>(after - snapshot.monotonic_raw_ns) + 1);
        return snapshot;
    }
    ClockSnapshot best;
    std::uint64_t best_width = std::numeric_limits<std::uint64_t>::max();
    for (int attempt = 0; attempt < kSnapshotTries; ++attempt) {
        const std::uint64_t before = read_tsc_in_order();
        const std::int64_t raw_ns = read_clock(CLOCK_MONOTONIC_RAW);
        const std::uint64_t after = read_tsc_in_order();
        const std::int64_t realtime_ns = read_clock(CLOCK_REALTIME);
        const std::uint64_t last = read_tsc_in_order();
        if (last - before >= best_width) continue;
        best_width = last - before;
        const std::uint64_t width = after - before;
        best.tick = before + width / 2;
        best.monotonic_raw_ns = raw_ns;
        best.error_ticks = bounded(width / 2 + width % 2);
        best.realtime_ns = realtime_ns;
        best.realtime_error_ticks = bounded(last - best.tick);
    }
    return best;
}

std::uint32_t measure_stamp_ticks() {
    if (stamp_clock() == StampClock::kTsc) return cost_of([] { return read_tsc(); });
    return cost_of([] { return static_cast<std::uint64_t>(read_clock(CLOCK_MONOTONIC_RAW)); });
}

TscHealth tsc_health() {
    const CpuidWords features = cpuid(1);
    const CpuidWords power = cpuid(0x80000007u);
    TscHealth health;
    health.present = (features.edx >> 4 & 1) != 0;
    health.invariant = (power.edx >> 8 & 1) != 0;
    health.hypervisor = (features.ecx >> 31 & 1) != 0;
    health.nominal_hz = crystal_hz();
    if (health.nominal_hz == 0 && health.hypervisor) health.nominal_hz = hypervisor_hz();
    return health;
}

std::string TscHealth::text() const {
    if (!present) return "this processor has no time-stamp counter: nothing can be stamped";
    const std::string rate = nominal_hz > 0 ? fmt::format(", {:.3f} GHz by CPUID", nominal_hz / 1e9) : std::string();
    const std::string where = hypervisor ? ", in a virtual machine" : "";
    if (!invariant) {
        return "the time-stamp counter is not invariant" + rate + where +
               ": its rate may follow the processor's power states, so events are stamped with CLOCK_MONOTONIC_RAW instead";
    }
    return "the time-stamp counter is invariant" + rate + where;
}

}  // namespace sla::time
