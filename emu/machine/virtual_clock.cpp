#include "emu/machine/virtual_clock.h"

#include <algorithm>

namespace sla::machine {

std::uint64_t VirtualClock::code_bytes_until(bus::Nanoseconds deadline) const {
    if (deadline <= now_) return 1;
    // A deadline may be "never": divide before adding.
    const auto bytes = static_cast<std::uint64_t>((deadline - now_ - 1) / kNanosecondsPerByte + 1);
    return std::min(bytes, kMaxBytes);
}

void VirtualClock::executed(std::uint64_t code_bytes) {
    now_ += static_cast<bus::Nanoseconds>(code_bytes) * kNanosecondsPerByte;
}

void VirtualClock::wait_until(bus::Nanoseconds deadline) {
    now_ = std::max(now_, deadline);
}

}  // namespace sla::machine
