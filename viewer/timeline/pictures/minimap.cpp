#include "viewer/timeline/pictures/minimap.h"

#include "viewer/timeline/pictures/columns.h"

#include <algorithm>
#include <cmath>

namespace sla::timeline {

namespace {

constexpr std::size_t kMostColumns = 4000;  // of lanes, a frame, once there is something to show: a quarter of a millisecond

}  // namespace

bool Minimap::refresh(const store::Session& session, const Viewport& view, std::size_t lanes_per_frame) {
    if (counts_ != nullptr && !counts_->fit(session, view)) counts_.reset();
    if (!busy_) {
        if (shown_revision_ == session.revision() && shown_view_ == view && shown_counts_ == counts_) return true;
        begin(session, view);
    }
    const std::size_t end = std::min(next_lane_ + lanes_per_frame, session.lanes().size());
    const bool is_first = shown_.empty();
    for (looked_up_ = 0; next_lane_ < end && (is_first || looked_up_ < kMostColumns); ++next_lane_)
        add_lane(*session.lanes()[next_lane_]);
    if (next_lane_ < session.lanes().size()) return false;
    publish();
    return true;
}

void Minimap::begin(const store::Session& session, const Viewport& view) {
    building_.assign(static_cast<std::size_t>(std::ceil(view.width())), {});
    building_view_ = view;
    building_revision_ = session.revision();
    building_counts_ = counts_;
    next_lane_ = 0;
    busy_ = true;
    if (counts_ == nullptr) return;
    counts_->visit([&](std::uint64_t tick, std::uint64_t events) {
        const double x = std::clamp(std::floor(view.x_of(tick)), 0.0, static_cast<double>(building_.size() - 1));
        building_[static_cast<std::size_t>(x)].events += events;
    });
}

void Minimap::add_lane(const store::Lane& lane) {
    const auto counted = building_counts_ == nullptr ? MinimapCounts::Counted() : building_counts_->of(lane.channel().id);
    if (lane.pages() != nullptr) add_pages(lane, counted);
    const auto add = [&](const Column& column) {
        building_[static_cast<std::size_t>(column.x)].events += column.last - column.first;
        ++looked_up_;
    };
    const std::uint64_t from = std::max(counted.rows, lane.tail().first_index());
    if (from < lane.size()) visit_columns(lane, building_view_, add, from);
    add_gaps(lane);
}

void Minimap::add_gaps(const store::Lane& lane) {
    const auto width = static_cast<int>(building_.size());
    const auto& gaps = lane.gaps();
    const auto column_of = [&](std::uint64_t tick) {  // a loss may last far beyond the view
        return static_cast<int>(std::clamp(std::floor(building_view_.x_of(tick)), -1.0, static_cast<double>(width)));
    };
    const std::uint64_t newest = building_view_.visible().last;
    std::size_t at = 0;
    while (at < gaps.size()) {
        // One that begins at the newest tick of all is seen, too.
        const int first = std::clamp(column_of(gaps[at].tick), 0, gaps[at].tick <= newest ? width - 1 : width);
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

// Coarser pages where there are very many; what of them reaches over a column's edge is looked at page by page.
void Minimap::add_pages(const store::Lane& lane, const MinimapCounts::Counted& counted) {
    const store::PageTable& pages = *lane.pages();
    const std::uint64_t from = counted.rows == 0 ? 0 : counted.last_tick;
    for (const store::Page& page : pages.pages_between(from, store::kNever, 4 * building_.size())) {
        if (page.end() <= counted.rows) continue;
        if (std::floor(building_view_.x_of(page.first_tick)) == std::floor(building_view_.x_of(page.last_tick))) {
            add_page(page, counted);
            continue;
        }
        for (std::size_t at = pages.page_of(std::max(page.first, counted.rows));
             at < pages.pages().size() && pages.pages()[at].first < page.end(); ++at) {
            add_page(pages.pages()[at], counted);
        }
    }
}

// Shared out evenly over the columns it reaches into: as good as a strip this small can show, unless it is long.
void Minimap::add_page(const store::Page& page, const MinimapCounts::Counted& counted) {
    const bool is_begun = page.first < counted.rows;
    const std::uint64_t rows = page.end() - std::max(page.first, counted.rows);
    const double x0 = std::floor(building_view_.x_of(is_begun ? counted.last_tick : page.first_tick));
    const double x1 = std::floor(building_view_.x_of(page.last_tick));
    const auto share = static_cast<std::uint64_t>(std::ceil(static_cast<double>(rows) / (x1 - x0 + 1)));
    const bool is_long = needs_rows(page, building_view_.ticks_per_pixel());
    for (double x = std::max(x0, 0.0); x <= std::min(x1, static_cast<double>(building_.size()) - 1); ++x) {
        MinimapColumn& column = building_[static_cast<std::size_t>(x)];
        column.events += share;
        column.is_uncertain |= is_long;
    }
}

void Minimap::publish() {
    shown_ = building_;
    shown_view_ = building_view_;
    shown_revision_ = building_revision_;
    shown_counts_ = building_counts_;
    is_uncertain_ = std::ranges::any_of(shown_, &MinimapColumn::is_uncertain);
    busy_ = false;
    std::uint64_t busiest = 1;
    for (const MinimapColumn& column : shown_) busiest = std::max(busiest, column.events);
    const double most = std::log1p(static_cast<double>(busiest));
    for (MinimapColumn& column : shown_) {
        column.density = static_cast<float>(std::log1p(static_cast<double>(column.events)) / most);
    }
}

}  // namespace sla::timeline
