#include "viewer/analysis/damage.h"

#include "viewer/analysis/intervals/loss_reach.h"

#include <algorithm>

namespace sla::analysis {

bool is_undamaged(const store::Session& session, const Selection& range) {
    std::uint64_t behind = 0;
    for (const store::Note& note : session.notes()) behind += note.damage && note.tick != 0 && note.tick >= range.until;
    return behind == session.damage_count();
}

std::optional<Damaged> damaged_part(const store::Session& session, const Selection& range) {
    if (is_undamaged(session, range)) return std::nullopt;
    Damaged damaged{store::kNever, true};
    std::uint64_t told = 0;  // some may have been left out of the notes
    for (const store::Note& note : session.notes()) {
        told += note.damage;
        if (!note.damage || (note.tick != 0 && note.tick >= range.until)) continue;
        damaged.from = std::min(damaged.from, note.tick);
        damaged.is_end_known = damaged.is_end_known && note.tick != 0 && note.tick < session.watermark();
    }
    return told == session.damage_count() ? damaged : Damaged{};
}

std::vector<store::Gap> losses_into(const store::Lane& lane, std::uint64_t tick) {
    std::vector<store::Gap> losses;
    each_loss_in(lane, tick, tick, [&](const store::Gap& gap) { losses.push_back(gap); });
    return losses;
}

}  // namespace sla::analysis
