#include "viewer/ingest/merged/clock_status.h"

#include <sla/ring_abi.h>

#include <algorithm>
#include <cmath>

namespace sla::ingest {

std::optional<wire::Frame> clock_status(const wire::Frame& frame) {
    if (!frame.has_status() || !frame.status().has_clock_health()) return std::nullopt;
    const wire::Status& all = frame.status();
    wire::Frame out;
    wire::Status& status = *out.mutable_status();
    status.set_tick(all.tick());
    status.set_ticks_per_second(all.ticks_per_second());
    status.set_clock_error_ppb(all.clock_error_ppb());
    *status.mutable_clock_health() = all.clock_health();
    return out;
}

std::optional<wire::Frame> widest_skew(const std::vector<StatusOfPart>& parts) {
    std::optional<wire::Frame> whole;
    for (const StatusOfPart& part : parts) {
        const wire::ClockHealth& own = part.status->status().clock_health();
        const double ticks = std::ceil(static_cast<double>(own.skew_ticks()) * part.scale);
        const auto skew = static_cast<std::uint64_t>(std::min(ticks, static_cast<double>(SLA_TICK_MASK)));
        if (!whole) {
            whole = *part.status;
            whole->mutable_status()->set_tick(part.tick);
            whole->mutable_status()->mutable_clock_health()->set_skew_ticks(skew);
            continue;
        }
        wire::ClockHealth& health = *whole->mutable_status()->mutable_clock_health();
        health.set_skew_ticks(std::max(health.skew_ticks(), skew));
        health.set_synchronized(health.synchronized() && own.synchronized());
    }
    return whole;
}

}  // namespace sla::ingest
