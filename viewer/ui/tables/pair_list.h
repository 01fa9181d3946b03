// A→B: from each event of one lane to the next one of another, one row a pair, held against a limit with three verdicts.
// Over what lies between the cursors, else over what is in view.
#pragma once

#include "viewer/ui/tables/grid.h"
#include "viewer/ui/tables/lane_picker.h"
#include "viewer/workspace/jobs/job_runner.h"
#include "viewer/workspace/jobs/pair_finder.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sla::ui {

class PairList {
public:
    void draw(Context& context, const Rect& place, const Rect& strip);
    // The pair in a row, in the order that is shown.
    [[nodiscard]] const analysis::Interval& shown(std::size_t row) const {
        return pairs()[sorted_.empty() ? row : sorted_[row]];
    }
    void set_limit(const std::string& text);
    [[nodiscard]] const std::string& limit() const { return limit_text_; }
    // Takes over the limit and the order of another one.
    void go_on_from(const PairList& before);
    [[nodiscard]] const std::vector<analysis::Interval>& pairs() const { return found_->pairs; }
    [[nodiscard]] std::size_t count(PairVerdict verdict) const { return found_->counts[static_cast<std::size_t>(verdict)]; }

private:
    void clear(const char* why);
    void unsort();
    void refresh(const Context& context);
    void show(std::shared_ptr<const FoundPairs> found);
    void sort(const time::ClockMap& clock);
    void draw_choices(Context& context, const Rect& strip);

    LanePicker picker_;  // of both: one at a time is open
    std::string limit_text_;
    std::optional<analysis::Limit> limit_;
    std::string limit_problem_;
    BackgroundPairs background_;
    std::shared_ptr<const FoundPairs> found_ = std::make_shared<FoundPairs>();
    std::vector<std::uint32_t> sorted_;  // rows to pairs, while they are in another order than time's
    std::optional<ColumnOrder> sorted_by_;
    std::shared_ptr<std::vector<std::uint32_t>> order_;  // what the job makes, for sorted_
    JobRunner::Job sorting_;
    std::string problem_;
    Grid grid_;
};

}  // namespace sla::ui
