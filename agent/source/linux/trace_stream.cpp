#include "agent/source/linux/trace_stream.h"

#include <algorithm>
#include <utility>

namespace sla::source {

TraceStream::Filled TraceStream::fill(std::uint64_t now, std::size_t pages_per_cpu, Reach reach) {
    Filled filled;
    filled.bound = now - kUnreadableTicks;
    const std::uint64_t until = reach == Reach::kToTheEnd ? std::numeric_limits<std::uint64_t>::max() : filled.bound;
    const bool is_another_moment = std::exchange(filled_at_, now) != now;
    for (CpuReader& cpu : cpus_) {
        const bool is_done = cpu.drained() && !is_another_moment;
        const std::size_t pages = is_done ? 0 : cpu.fill(pages_per_cpu, until);
        filled.pages = std::max(filled.pages, pages);
        filled.pressed |= pages == pages_per_cpu;
        filled.drained &= cpu.drained();
        if (!cpu.drained()) filled.bound = std::min(filled.bound, cpu.newest_page_tick());
    }
    return filled;
}

}  // namespace sla::source
