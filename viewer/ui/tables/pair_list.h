// A→B: from each event of one lane to the next one of another, one row a pair, held against a limit with three verdicts.
// Over what lies between the cursors, else over what is in view.
#pragma once

#include "viewer/analysis/intervals.h"
#include "viewer/analysis/limit.h"
#include "viewer/ui/tables/grid.h"

#include <string>
#include <vector>

namespace sla::ui {

enum class PairVerdict { kNone, kPass, kFail, kCannotTell };

// Held against the bound as `sla check` does, the error counting. One without an end of its own has a verdict only when it
// lasted too long already.
PairVerdict pair_verdict(const analysis::Interval& pair, const analysis::Limit& limit, const time::ClockMap& clock);

class PairList {
public:
    void draw(Context& context, const Rect& place, const Rect& strip);
    // The pair in a row, in the order that is shown.
    [[nodiscard]] const analysis::Interval& shown(std::size_t row) const {
        return pairs_[sorted_.empty() ? row : sorted_[row]];
    }
    void set_limit(const std::string& text);
    [[nodiscard]] const std::vector<analysis::Interval>& pairs() const { return pairs_; }
    [[nodiscard]] std::size_t count(PairVerdict verdict) const { return counts_[static_cast<std::size_t>(verdict)]; }

    static constexpr std::uint64_t kMaxEvents = 2'000'000;  // looked at in a frame; more is asked to be narrowed down

private:
    void refresh(const Context& context);
    void sort(const time::ClockMap& clock);
    void draw_choices(Context& context, const Rect& strip);
    void pick_lane(Context& context, const char* id, std::string& key, float width);

    std::string looked_for_;  // in the open chooser of lanes
    std::string limit_text_;
    std::optional<analysis::Limit> limit_;
    std::string limit_problem_;
    std::vector<analysis::Interval> pairs_;
    std::vector<std::uint32_t> sorted_;  // rows to pairs, while they are in another order than time's
    std::optional<ColumnOrder> sorted_by_;
    std::array<std::size_t, 4> counts_{};
    std::string problem_;
    // What the rows were made of.
    std::string seen_;
    timeline::TickRange seen_range_;
    std::uint64_t seen_sizes_ = 0;
    double rest_ = 0;  // seconds
    Grid grid_;
};

}  // namespace sla::ui
