// How many threads are worth starting.
#pragma once

#include <sched.h>

#include <algorithm>
#include <cstddef>
#include <thread>

namespace sla {

// CPUs that this thread may run on; those there are where the kernel does not say.
inline std::size_t usable_cores() {
    cpu_set_t usable;
    if (sched_getaffinity(0, sizeof usable, &usable) == 0) return static_cast<std::size_t>(CPU_COUNT(&usable));
    return std::max(1U, std::thread::hardware_concurrency());
}

}  // namespace sla
