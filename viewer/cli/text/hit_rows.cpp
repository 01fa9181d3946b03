#include "viewer/cli/text/hit_rows.h"

#include "proto/time/duration.h"
#include "viewer/analysis/damage.h"

#include <algorithm>
#include <utility>

namespace sla::cli {

HitRows::HitRows(const store::Session& session, const analysis::TimeRange& range, formats::FlowingTable& table,
                 bool is_for_people)
    : clock_(session.clock()), table_(table), is_for_people_(is_for_people) {
    analysis::set_range(range_, session, range);
    if (range_.from == 0) return;
    for (const store::Lane* lane : session.lanes()) {
        for (const store::Gap& gap : analysis::losses_into(*lane, range_.from)) losses_before_.insert(gap.tick);
    }
}

std::vector<std::string> HitRows::names(bool is_for_people) {
    if (is_for_people) return {"hit", "time", "since the hit before", "answer", "what"};
    return {"hit", "tick", "time_ns", "delta_hit_ns", "error_ns", "answer", "what"};
}

Result<bool> HitRows::add(const analysis::FoundHit& hit) {
    if (hit.tick >= range_.until) return true;
    if (hit.tick < range_.from) {
        if (!hit.certain && !before_range_ && losses_before_.contains(hit.tick))
            before_range_ = analysis::FoundHit{range_.from, false, hit.what};
        return true;
    }
    if (const auto before = finish(); !before.ok() || !*before) return before;
    return put(hit);
}

Result<bool> HitRows::finish() {
    if (!before_range_) return true;
    return put(*std::exchange(before_range_, std::nullopt));
}

Result<bool> HitRows::put(const analysis::FoundHit& hit) {
    const std::int64_t at = clock_.to_ps(hit.tick);
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
