#include "agent/stream/failed_logins.h"

#include <algorithm>

namespace sla::stream {

std::chrono::milliseconds FailedLogins::add(const std::string& address, Time now) {
    forget_old(address, now);
    Seen& seen = seen_[address];
    seen.last = now;
    seen.delay = std::clamp(seen.delay * 2, kFirstDelay, kLongestDelay);
    return seen.delay;
}

// Before one more comes in, so that it never is the one to go.
void FailedLogins::forget_old(const std::string& but, Time now) {
    std::erase_if(seen_, [now](const auto& entry) { return now - entry.second.last >= kMemory; });
    if (seen_.size() < kMaxAddresses || seen_.contains(but)) return;
    seen_.erase(std::min_element(seen_.begin(), seen_.end(),
                                 [](const auto& one, const auto& other) { return one.second.last < other.second.last; }));
}

}  // namespace sla::stream
