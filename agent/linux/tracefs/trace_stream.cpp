#include "agent/linux/tracefs/trace_stream.h"

#include <algorithm>

namespace sla::linux {

TraceStream::Filled TraceStream::fill(std::uint64_t now, std::size_t pages_per_cpu, Reach reach, Ask ask) {
    Filled filled;
    filled.bound = now - kUnreadableTicks;
    const std::uint64_t until = reach == Reach::kToTheEnd ? std::numeric_limits<std::uint64_t>::max() : filled.bound;
    for (CpuReader& cpu : cpus_) {
        const bool is_done = ask == Ask::kThoseWithMore && cpu.drained();
        const std::size_t pages = is_done ? 0 : cpu.fill(pages_per_cpu, until);
        filled.pages = std::max(filled.pages, pages);
        filled.pressed |= pages == pages_per_cpu;
        filled.drained &= cpu.drained();
        if (!cpu.drained()) filled.bound = std::min(filled.bound, cpu.newest_page_tick());
    }
    return filled;
}

}  // namespace sla::linux
