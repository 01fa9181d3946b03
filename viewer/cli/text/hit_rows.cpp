#include "viewer/cli/text/hit_rows.h"

#include "proto/time/duration.h"

#include <algorithm>
#include <utility>

namespace sla::cli {

std::vector<std::string> HitRows::names(bool is_for_people) {
    if (is_for_people) return {"hit", "time", "since the hit before", "answer", "what"};
    return {"hit", "tick", "time_ns", "delta_hit_ns", "error_ns", "answer", "what"};
}

Result<bool> HitRows::add(const analysis::FoundHit& hit) {
    const std::int64_t at = clock_.to_ps(hit.tick);
    if ((range_.from_ps && at < *range_.from_ps) || (range_.until_ps && at >= *range_.until_ps)) return true;
    const bool first = table_.size() == 0;
    const auto away = static_cast<std::int64_t>(hit.tick - std::exchange(previous_, hit.tick));  // negative: it came late
    const std::uint64_t distance =
        first ? hit.tick - std::min(hit.tick, clock_.origin_tick()) : static_cast<std::uint64_t>(away < 0 ? -away : away);
    const std::int64_t error = clock_.delta_error_ps(distance);
    const std::string answer = hit.certain ? "yes" : "cannot tell";
    if (is_for_people_) {
        const std::string since = time::format_duration(clock_.ticks_to_ps(away)) + " ± " + time::format_duration(error);
        return table_.add({table_.size(), time::format_duration(at), first ? std::string() : since, answer, hit.what});
    }
    std::vector<formats::Field> row{table_.size(),      hit.tick, formats::Ps{at}, std::monostate(),
                                    formats::Ps{error}, answer,   hit.what};
    if (!first) row[3] = formats::Ps{clock_.ticks_to_ps(away)};
    return table_.add(std::move(row));
}

}  // namespace sla::cli
