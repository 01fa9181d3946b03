#include "viewer/workspace/source/gone_programs.h"

#include <algorithm>
#include <utility>

namespace sla::workspace {

namespace {

constexpr std::size_t kLookedAtAFrame = 512;

}  // namespace

void GonePrograms::refresh(const store::Session& session) {
    if (std::exchange(session_, &session) != &session) {
        is_looking_ = false;
        looked_at_ = ~std::uint64_t{0};
        if (!std::exchange(newest_, {}).empty()) ++revision_;
    }
    if (!is_looking_) {
        if (looked_at_ == session.revision()) return;
        looked_at_ = session.revision();
        looking_.clear();
        next_lane_ = 0;
        is_looking_ = true;
    }
    const auto& lanes = session.lanes();
    const std::size_t end = std::min(lanes.size(), next_lane_ + kLookedAtAFrame);
    for (; next_lane_ < end; ++next_lane_) {
        const store::Lane& lane = *lanes[next_lane_];
        const store::Source* const source = session.source_of(lane);
        if (source == nullptr || !source->ended || lane.empty()) continue;
        std::uint64_t& newest = looking_[source->id];
        newest = std::max(newest, lane.last_tick());
    }
    if (next_lane_ < lanes.size()) return;
    is_looking_ = false;
    if (looking_ == newest_) return;
    newest_.swap(looking_);
    ++revision_;
}

std::uint64_t GonePrograms::known_until(const store::Lane& lane, std::uint64_t now) const {
    if (newest_.empty() || session_->lane(lane.channel().id) != &lane) return now;  // an answer's lane is of no program
    const auto gone = newest_.find(lane.channel().source);
    return gone == newest_.end() ? now : std::min(gone->second, now);
}

}  // namespace sla::workspace
