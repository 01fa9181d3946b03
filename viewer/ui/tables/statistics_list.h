// Statistics of all lanes over what is in view, or between the cursors when both stand: a row a lane, put in order by any of
// its numbers; a click goes to the lane, whose histogram the inspector shows.
#pragma once

#include "viewer/ui/tables/grid.h"
#include "viewer/workspace/jobs/lane_statistics.h"

#include <cstdint>
#include <vector>

namespace sla::ui {

class StatisticsList {
public:
    void draw(Context& context, const Rect& place, const Rect& strip);
    [[nodiscard]] const LaneStatistics& numbers() const { return numbers_; }
    [[nodiscard]] bool is_counting() const { return is_shown_ && numbers_.is_counting(); }
    // Another tab is shown: nothing is counted.
    void rest() { is_shown_ = false; }
    // Takes over the order of another one.
    void go_on_from(const StatisticsList& before) { grid_ = before.grid_; }
    // The lane of a row, as they are in order now.
    [[nodiscard]] const store::Lane* lane_at(std::size_t row) const { return numbers_.rows()[order_[row]].lane; }

private:
    void refresh(Context& context);
    void sort(const store::Session& session);
    void draw_strip(Context& context, const Rect& strip, const Grid::Fill& fill_cells) const;

    LaneStatistics numbers_;
    Grid grid_;
    std::vector<std::size_t> order_;  // of its rows
    std::optional<ColumnOrder> sorted_by_;
    std::uint64_t sorted_revision_ = ~std::uint64_t{0};
    bool is_shown_ = false;
};

}  // namespace sla::ui
