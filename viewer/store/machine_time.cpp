#include "viewer/store/machine_time.h"

#include <algorithm>

namespace sla::store {

bool has_own_time(const Session& session, const Lane& lane) {
    const Source* source = session.source_of(lane);
    return source != nullptr && source->clock_domain != 0;
}

bool has_own_times(const Session& session) {
    return std::ranges::any_of(session.sources(), [](const auto& source) { return source.second.clock_domain != 0; });
}

MachineRows rows_by_machine(const Session& session) {
    MachineRows rows;
    for (const Lane* lane : session.lanes()) {
        if (lane->empty() || has_own_time(session, *lane)) continue;
        rows = {std::min(rows.first, lane->first_tick()), std::max(rows.last, lane->last_tick())};
    }
    return rows;
}

std::uint64_t late_begin(const Session& session) {
    if (!session.begins_late()) return 0;
    const std::uint64_t first = rows_by_machine(session).first;
    return first == kNever ? 0 : first;
}

std::uint64_t known_by_machine(const Session& session) {
    return session.watermark() > 0 ? session.watermark() : rows_by_machine(session).last;
}

}  // namespace sla::store
