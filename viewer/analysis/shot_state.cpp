#include "viewer/analysis/shot_state.h"

namespace sla::analysis {

std::string ShotState::text() const {
    const auto channels = [](std::size_t count) { return std::to_string(count) + (count == 1 ? " channel" : " channels"); };
    std::string out;
    if (not_kept > 0) out = "not kept: " + channels(not_kept);
    if (lossy > 0) out += (out.empty() ? "lost: " : "; lost: ") + channels(lossy);
    if (!out.empty()) return out;
    return is_filling ? "filling" : "whole";
}

ShotState state_of(const store::Session& session, const store::Shot& shot) {
    ShotState state;
    state.is_filling = !session.ended() && session.watermark() < shot.end_tick;
    for (const store::Lane* lane : session.lanes()) {
        bool lossy = false;
        bool not_kept = false;
        const auto& gaps = lane->gaps();
        for (std::size_t i = lane->first_gap_touching(shot.begin_tick); i < gaps.size() && gaps[i].tick <= shot.end_tick;
             ++i) {
            if (gaps[i].until_tick < shot.begin_tick || gaps[i].cause == wire::LossCause::kLeftOut) continue;
            (gaps[i].is_not_kept() ? not_kept : lossy) = true;
            if (lossy && not_kept) break;
        }
        state.lossy += lossy ? 1 : 0;
        state.not_kept += not_kept ? 1 : 0;
    }
    return state;
}

}  // namespace sla::analysis
