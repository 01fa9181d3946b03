#include "viewer/timeline/minimap.h"

#include "viewer/timeline/columns.h"

#include <algorithm>
#include <cmath>

namespace sla::timeline {

bool Minimap::refresh(const store::Session& session, const Viewport& view, std::size_t lanes_per_frame) {
    if (!busy_) {
        if (shown_revision_ == session.revision() && shown_view_ == view) return true;
        building_.assign(static_cast<std::size_t>(std::ceil(view.width())), {});
        building_view_ = view;
        building_revision_ = session.revision();
        next_lane_ = 0;
        busy_ = true;
    }
    const std::size_t end = std::min(next_lane_ + lanes_per_frame, session.lanes().size());
    for (; next_lane_ < end; ++next_lane_) add_lane(*session.lanes()[next_lane_]);
    if (next_lane_ < session.lanes().size()) return false;
    publish();
    return true;
}

void Minimap::add_lane(const store::Lane& lane) {
    const auto width = static_cast<int>(building_.size());
    visit_columns(lane, building_view_, [&](const Column& column) {
        building_[static_cast<std::size_t>(column.x)].events += column.last - column.first;
    });
    const auto& gaps = lane.gaps();
    std::size_t at = 0;
    while (at < gaps.size()) {
        const int first = std::max(0, static_cast<int>(std::floor(building_view_.x_of(gaps[at].tick))));
        const int last = std::min(width - 1, static_cast<int>(std::floor(building_view_.x_of(gaps[at].until_tick))));
        for (int x = first; x <= last; ++x) building_[static_cast<std::size_t>(x)].lost = true;
        const std::uint64_t beyond = building_view_.first_tick_from(std::max(last, first) + 1);
        at = std::max(at + 1, lane.first_gap_touching(beyond));
    }
}

void Minimap::publish() {
    shown_ = building_;
    shown_view_ = building_view_;
    shown_revision_ = building_revision_;
    busy_ = false;
    busiest_ = 0;
    for (const MinimapColumn& column : shown_) busiest_ = std::max(busiest_, column.events);
}

}  // namespace sla::timeline
