#include "viewer/ui/tables/statistics_list.h"

#include "viewer/analysis/lane_rate.h"
#include "viewer/timeline/readable.h"
#include "viewer/ui/widgets/paint.h"
#include "viewer/ui/widgets/visible_lanes.h"
#include "viewer/ui/widgets/widgets.h"
#include "viewer/workspace/document.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace sla::ui {

namespace {

enum Column : std::size_t {
    kChannel,
    kOf,
    kCount,
    kLost,
    kRate,
    kMin,
    kMode,
    kP50,
    kMean,
    kP90,
    kP99,
    kP999,
    kMax,
    kStddev
};
constexpr std::array<GridColumn, kStddev + 1> kColumns{{
    {"channel", 96, 1.0F, false, "Its lane", true},
    {"of", 120, 0, false, "Between its events, or how wide its spans are", true, false},
    {"n", 64, 0, true, "How many were counted", true},
    {"lost", 52, 0, true, "Events of the lane that are missing in this range; +: and what nobody could count, see Gaps",
     true},
    {"rate", 76, 0, true, "Events a second, where this range is recorded", true},
    {"min", 84, 0, true, "The shortest", true},
    {"mode", 84, 0, true, "The most frequent", true, false},
    {"p50", 84, 0, true, "Half are shorter", true},
    {"mean", 84, 0, true, "Their sum by their number", true},
    {"p90", 84, 0, true, "Nine of ten are shorter", true, false},
    {"p99", 84, 0, true, "All but one in a hundred are shorter", true},
    {"p99.9", 84, 0, true, "All but one in a thousand are shorter", true, false},
    {"max", 84, 0, true, "The longest", true},
    {"stddev", 84, 0, true, "How far they scatter", true, false},
}};

// Nothing: not counted, or there are none.
std::optional<std::int64_t> time_of(const LaneStatistics::Row& row, std::size_t column) {
    if (!row.counted || row.counted->numbers.count == 0) return std::nullopt;
    const analysis::Statistics& numbers = row.counted->numbers;
    switch (column) {
        case kMin: return numbers.min_ps;
        case kMode: return numbers.mode_ps;
        case kP50: return numbers.p50_ps;
        case kMean: return numbers.mean_ps;
        case kP90: return numbers.p90_ps;
        case kP99: return numbers.p99_ps;
        case kP999: return numbers.p999_ps;
        case kMax: return numbers.max_ps;
        case kStddev: return numbers.stddev_ps;
        default: return std::nullopt;
    }
}

bool is_estimated(std::size_t column) {
    return column == kMode || column == kP50 || column == kP90 || column == kP99 || column == kP999;
}

double rate_of(const LaneStatistics::Row& row, const store::Session& session) {
    analysis::Selection range;
    range.from = row.range.first;
    range.until = row.range.last + 1;
    const double hertz = session.clock().ticks_per_second();
    return row.counted ? analysis::rate_of(*row.lane, range, row.counted->events, hertz).value_or(0) : 0;
}

// Of the lanes; empty: none is drawn elsewhere than where it happened.
std::vector<std::int64_t> offsets_of(const timeline::LaneTree& tree) {
    const auto& styles = tree.arrangement.lanes;
    const auto is_moved = [](const auto& one) { return one.second.offset_ticks != 0; };
    std::vector<std::int64_t> offsets;
    if (std::none_of(styles.begin(), styles.end(), is_moved)) return offsets;
    for (const store::Lane* lane : tree.lanes()) offsets.push_back(tree.style_of(*lane).offset_ticks);
    return offsets;
}

}  // namespace

void StatisticsList::refresh(Context& context) {
    const timeline::LaneTree& tree = context.tree;
    numbers_.step({&context.session, &tree.lanes(), &tree.derived(), context.measured_range(),
                   context.document.statistics_options, offsets_of(tree)});
}

void StatisticsList::sort(const store::Session& session) {
    if (sorted_by_ == grid_.order() && sorted_revision_ == numbers_.revision()) return;
    sorted_by_ = grid_.order();
    sorted_revision_ = numbers_.revision();
    const auto& rows = numbers_.rows();
    order_.resize(rows.size());
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    if (!sorted_by_) return;
    const std::size_t column = sorted_by_->column;
    const auto number = [&](std::size_t at) -> double {
        const LaneStatistics::Row& row = rows[at];
        if (!row.counted) return -1;
        if (column == kCount) return static_cast<double>(row.counted->numbers.count);
        if (column == kLost) return static_cast<double>(row.counted->lost_events);
        if (column == kRate) return rate_of(row, session);
        const auto time = time_of(row, column);
        return time ? static_cast<double>(*time) : -1;
    };
    const auto before = [&](std::size_t a, std::size_t b) {
        if (column == kChannel) return rows[a].lane->channel().name < rows[b].lane->channel().name;
        if (column == kOf)
            return std::string_view(name_of(counted_thing(*rows[a].lane))) < name_of(counted_thing(*rows[b].lane));
        return number(a) < number(b);
    };
    const bool descending = sorted_by_->descending;
    std::stable_sort(order_.begin(), order_.end(),
                     [&](std::size_t a, std::size_t b) { return descending ? before(b, a) : before(a, b); });
}

void StatisticsList::draw_strip(Context& context, const Rect& strip, const Grid::Fill& fill_cells) const {
    const ButtonStyle copy{Icon::kNone, "Copy", "All rows and columns to the clipboard, parted by tabs"};
    const float width = button_width(context, copy);
    if (button(context, "copy statistics",
               {strip.right() - width, strip.y + context.px(2), width, strip.height - context.px(4)}, copy)) {
        ImGui::SetClipboardText(text_of(kColumns, order_.size(), fill_cells).c_str());
        context.errors.notice(fmt::format("The statistics of {} lanes are copied", order_.size()));
    }
    const bool between = context.marks.cursors.a && context.marks.cursors.b;
    const std::string words = numbers_.is_counting()
                                  ? fmt::format("{} of {} lanes counted\xE2\x80\xA6", numbers_.counted(), order_.size())
                                  : std::string(between ? "between A and B" : "of what is in view");
    draw_text(context.list, context.fonts.small, {strip.x, strip.y, strip.width - width - context.px(10), strip.height},
              context.theme.dim, words, Align::kRight);
}

void StatisticsList::draw(Context& context, const Rect& place, const Rect& strip) {
    is_shown_ = true;
    refresh(context);
    if (numbers_.rows().empty()) {
        draw_hint_text(context, place, "Every lane has a row here, with the statistics of what is in view.");
        return;
    }
    sort(context.session);
    const auto fill_cells = [&](std::size_t at, std::vector<GridCell>& cells) {
        const LaneStatistics::Row& row = numbers_.rows()[order_[at]];
        const auto& counted = row.counted;
        cells.push_back({lane_label(context, *row.lane)});
        cells.push_back({name_of(counted_thing(*row.lane)), context.theme.dim});
        cells.push_back({counted ? timeline::grouped(counted->numbers.count) : "\xE2\x80\xA6"});
        const bool lost = counted && counted->lost_events > 0;
        const bool uncounted = row.lane->uncounted_losses() > 0;  // somewhere: see Gaps
        const std::string plus = uncounted ? " +" : "";
        cells.push_back({counted ? timeline::grouped(counted->lost_events) + plus : "",
                         lost || uncounted ? context.theme.loss : context.theme.dim});
        cells.push_back({counted ? timeline::readable_rate(rate_of(row, context.session)) : ""});
        for (std::size_t column = kMin; column < kColumns.size(); ++column) {
            const auto time = time_of(row, column);
            const bool about = counted && counted->numbers.quantile_error_ppm > 0 && is_estimated(column);
            cells.push_back({time ? (about ? "~ " : "") + timeline::readable_delta(*time) : ""});
        }
    };
    draw_strip(context, strip, fill_cells);
    std::optional<std::size_t> marked;
    for (std::size_t i = 0; i < order_.size(); ++i) {
        if (lane_at(i) == context.marks.focus) marked = i;
    }
    if (const auto clicked = grid_.draw(context, "statistics", place, kColumns, order_.size(), fill_cells, marked)) {
        context.marks.focus = lane_at(*clicked);
        scroll_to(context, *context.marks.focus);
    }
}

}  // namespace sla::ui
