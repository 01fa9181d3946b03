// The traces of all CPUs as one stream in time order, up to a bound that nothing still to come can undercut.
//
//   cpu 0 ─► CpuReader ─┐
//   cpu 1 ─► CpuReader ─┼─► earliest first, while <= bound ─► visit(cpu, what)
//   ...                 ┘
//
// The bound: the least, over all CPUs, of "read to the end at `now`, less the time an event may take from its stamp to being
// readable" and "the newest page read begins here". One owner thread.
#pragma once

#include "agent/linux/tracefs/cpu_reader.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

namespace sla::linux {

// An event is stamped, written, and then readable; a virtual CPU can be taken away between. 5 ms at 3 GHz. One that takes
// longer is late: counted, and a gap says so.
inline constexpr std::uint64_t kUnreadableTicks = 15'000'000;

class TraceStream {
public:
    void add(CpuReader reader) { cpus_.push_back(std::move(reader)); }

    [[nodiscard]] const std::vector<CpuReader>& cpus() const { return cpus_; }

    struct Filled {
        std::size_t pages = 0;  // most of one CPU
        std::uint64_t bound = 0;
        bool pressed = false;  // there was more than one fill takes
        bool drained = true;   // nothing was left on any CPU
    };
    enum class Reach { kWhatCanBeTaken, kToTheEnd };
    // Again with the same `now`, those CPUs that had no more may be left alone: their bound stands, and asking costs a
    // microsecond each.
    enum class Ask { kAll, kThoseWithMore };
    Filled fill(std::uint64_t now, std::size_t pages_per_cpu, Reach reach = Reach::kToTheEnd, Ask ask = Ask::kAll);

    template <typename Visit>
    void take(std::uint64_t bound, Visit visit) {
        for (;;) {
            CpuReader* first = nullptr;
            std::uint64_t others = std::numeric_limits<std::uint64_t>::max();
            for (CpuReader& cpu : cpus_) {
                if (cpu.empty()) continue;
                if (first == nullptr || cpu.front_tick() < first->front_tick()) {
                    if (first != nullptr) others = first->front_tick();
                    first = &cpu;
                } else if (cpu.front_tick() < others) {
                    others = cpu.front_tick();
                }
            }
            if (first == nullptr || first->front_tick() > bound) return;
            const int cpu = first->cpu();
            first->take(std::min(others, bound), [&](const auto& what) { visit(cpu, what); });
        }
    }

private:
    std::vector<CpuReader> cpus_;
};

}  // namespace sla::linux
