// Statistics of the focused lane over what is in view, or between the cursors when both stand: the time between its events,
// or the width of its spans, in numbers and as a histogram. Overhead is subtracted and outliers are left out on demand.
#pragma once

#include "viewer/analysis/intervals/intervals.h"
#include "viewer/ui/widgets/context.h"
#include "viewer/workspace/jobs/background_statistics.h"
#include "viewer/workspace/jobs/statistics_options.h"

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace sla::ui {

class StatisticsPanel {
public:
    // What is shown as a histogram.
    struct Bar {
        double height = 0;  // 0 to 1, over the count or its logarithm
        std::uint64_t from_ticks = 0;
        std::uint64_t until_ticks = 0;
        std::uint64_t count = 0;
    };
    [[nodiscard]] const std::vector<Bar>& bars() const { return bars_; }
    // As it is shown: "329 /s"; "" while it is not known.
    [[nodiscard]] std::string rate() const;

    // Returns the height it took.
    float draw(Context& context, const Rect& place);

private:
    struct Reading {
        const char* label;
        std::string value;
        std::uint64_t ticks = 0;  // a width to go to; 0: none
    };
    void refresh(const Context& context);
    void forget(const timeline::TickRange& range, const char* why);
    void show(const Context& context, const Counted& found);
    // Name, counts and times; returns the height they took.
    float draw_numbers(Context& context, const Rect& place);
    void draw_reading_cell(Context& context, const Reading& reading, const Rect& cell);
    // The two switches of how it is counted, in one line.
    void draw_counting(Context& context, const Rect& line) const;
    void draw_histogram(Context& context, const Rect& place);
    // To the next interval whose width is in [least, most], after what is shown; round about from the end to the beginning.
    void go_to_width(Context& context, std::uint64_t least, std::uint64_t most);

    const store::Lane* lane_ = nullptr;
    timeline::TickRange range_;
    StatisticsOptions counting_;
    analysis::Overhead overhead_;
    std::string title_;
    std::string count_, lost_;
    std::vector<Reading> readings_;
    std::set<std::string_view> wide_;  // labels that once needed a line of their own: numbers that come and go move nothing
    std::vector<Bar> bars_;            // over the width or its logarithm
    std::uint64_t last_begin_ = 0;     // of the interval that was gone to
    bool frozen_ = false;              // going there shall not change what is gone through
    std::uint64_t frozen_moves_ = 0;
    std::string least_, most_;
    BackgroundStatistics background_;
    std::optional<StatisticsQuestion> shown_;  // nothing: the numbers are not known yet
    bool can_go_there_ = false;                // to an interval: the rows are in memory
};

}  // namespace sla::ui
