#include "agent/member/twin_watch.h"

namespace sla::member {

std::optional<std::string> TwinWatch::see(const fleet::RunEntry& entry) {
    if (entry.capture == own_ || entry.ended_ns != 0) return std::nullopt;
    if (entry.capture != other_) {
        other_ = entry.capture;
        seen_ns_ = entry.seen_ns;
        is_said_ = false;
        return std::nullopt;
    }
    if (is_said_ || entry.seen_ns == seen_ns_) return std::nullopt;
    is_said_ = true;
    return "another agent publishes as '" + entry.host + "' too (capture " + entry.capture + ", pid " +
           std::to_string(entry.pid) +
           " there): who reads that host gets the newest of both, and what the fleet asks of it is asked of both. Give each "
           "a name of its own by --host";
}

}  // namespace sla::member
