#include "viewer/timeline/pictures/minimap.h"

#include "viewer/timeline/pictures/columns.h"

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
    if (lane.pages() == nullptr) {
        visit_columns(lane, building_view_, [&](const Column& column) {
            building_[static_cast<std::size_t>(column.x)].events += column.last - column.first;
        });
    } else {
        add_pages(lane);
    }
    const auto& gaps = lane.gaps();
    const auto column_of = [&](std::uint64_t tick) {  // a loss may last far beyond the view
        return static_cast<int>(std::clamp(std::floor(building_view_.x_of(tick)), -1.0, static_cast<double>(width)));
    };
    std::size_t at = 0;
    while (at < gaps.size()) {
        const int first = std::max(0, column_of(gaps[at].tick));
        const int last = std::min(width - 1, column_of(gaps[at].until_tick));
        const bool not_kept = gaps[at].is_not_kept();
        for (int x = first; x <= last; ++x) {
            MinimapColumn& column = building_[static_cast<std::size_t>(x)];
            (not_kept ? column.not_kept : column.lost) = true;
        }
        const std::uint64_t beyond = building_view_.first_tick_from(std::max(last, first) + 1);
        const std::size_t next = std::max(at + 1, lane.first_gap_touching(beyond));
        // One of the other sort in the same column has to be seen too.
        at = std::max(at + 1, std::min(next, lane.end_of_gap_sort(at)));
    }
}

// Pages, and what is not in them yet, are shared out over the columns they reach into: as good as a strip this small can
// show.
void Minimap::add_pages(const store::Lane& lane) {
    const auto width = static_cast<double>(building_.size());
    const auto share_out = [&](const store::Page& page) {
        const double x0 = std::floor(building_view_.x_of(page.first_tick));
        const double x1 = std::floor(building_view_.x_of(page.last_tick));
        const auto share = static_cast<std::uint64_t>(std::ceil(static_cast<double>(page.rows) / (x1 - x0 + 1)));
        for (double x = std::max(x0, 0.0); x <= std::min(x1, width - 1); ++x) {
            building_[static_cast<std::size_t>(x)].events += share;
        }
    };
    for (const store::Page& page : lane.pages()->pages_between(0, store::kNever, 4 * building_.size())) share_out(page);
    if (!lane.tail().empty()) share_out(store::page_of(lane.tail()));
}

void Minimap::publish() {
    shown_ = building_;
    shown_view_ = building_view_;
    shown_revision_ = building_revision_;
    busy_ = false;
    std::uint64_t busiest = 1;
    for (const MinimapColumn& column : shown_) busiest = std::max(busiest, column.events);
    const double most = std::log1p(static_cast<double>(busiest));
    for (MinimapColumn& column : shown_) {
        column.density = static_cast<float>(std::log1p(static_cast<double>(column.events)) / most);
    }
}

}  // namespace sla::timeline
