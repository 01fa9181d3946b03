// A trace.dat as trace-cmd 6 writes it: events of one kind, `sla:ping` with a number, of some cores. Written by hand from the
// format's manual, trace-cmd.dat(5).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace sla::support {

struct Ping {
    std::uint64_t ns = 0;
    std::int32_t pid = 0;  // 41: worker, 42: other
    std::int32_t number = 0;
};

// By core; each core's fit in one page of the ring buffer, and none is without.
std::string trace_dat(const std::vector<std::vector<Ping>>& cores);

}  // namespace sla::support
