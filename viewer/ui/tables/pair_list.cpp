#include "viewer/ui/tables/pair_list.h"

#include "viewer/analysis/limits/interval_check.h"
#include "viewer/timeline/readable.h"
#include "viewer/ui/widgets/paint.h"
#include "viewer/ui/widgets/widgets.h"
#include "viewer/workspace/document.h"

#include <fmt/format.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <array>
#include <numeric>

namespace sla::ui {

namespace {

constexpr std::array<GridColumn, 7> kPairColumns{{
    {"pair", 60, 0, true, "In order of where they end"},
    {"from", 136, 0, true, "Where it begins, since t = 0", true},
    {"to", 136, 0, true, "Where it ends"},
    {"\xCE\x94", 92, 0, true, "From the first event to the second", true},
    {"\xC2\xB1", 68, 0, true, "Error of the \xCE\x94"},
    {"verdict", 84, 0, false, "Against the limit; near the bound the error decides that it cannot be told", true},
    {"note", 80, 1.0F, false, "What is odd about it"},
}};
constexpr std::size_t kFromColumn = 1;
constexpr std::size_t kDeltaColumn = 3;
constexpr std::size_t kSortedAtOnce = 20'000;  // a millisecond

const char* verdict_word(PairVerdict verdict) {
    static constexpr const char* kWords[] = {"", "pass", "fail", "cannot tell"};
    return kWords[static_cast<std::size_t>(verdict)];
}

std::vector<std::uint32_t> order_of(const FoundPairs& found, const ColumnOrder& by,
                                    const std::optional<analysis::Limit>& limit, const time::ClockMap& clock) {
    const auto rank = [&](const analysis::Interval& pair) -> std::uint64_t {
        if (by.column == kDeltaColumn) return pair.width();
        if (by.column == kFromColumn) return pair.begin_tick;
        return limit ? static_cast<std::uint64_t>(pair_verdict(pair, *limit, clock)) : 0;
    };
    std::vector<std::uint64_t> ranks;
    ranks.reserve(found.pairs.size());
    for (const analysis::Interval& pair : found.pairs) ranks.push_back(rank(pair));
    std::vector<std::uint32_t> order(found.pairs.size());
    std::iota(order.begin(), order.end(), 0U);
    std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
        return by.descending ? ranks[b] < ranks[a] : ranks[a] < ranks[b];
    });
    return order;
}

}  // namespace

void PairList::set_limit(const std::string& text) {
    limit_text_ = text;
    const auto limit = parse_pair_limit(text);
    limit_ = limit ? *limit : std::nullopt;
    limit_problem_ = limit ? std::string() : limit.error().message;
}

void PairList::go_on_from(const PairList& before) {
    set_limit(before.limit_text_);
    grid_ = before.grid_;
}

void PairList::clear(const char* why) {
    found_ = std::make_shared<FoundPairs>();
    problem_ = why;
    unsort();
}

void PairList::unsort() {
    sorted_.clear();
    sorted_by_.reset();
    order_.reset();
    sorting_.leave();
}

void PairList::refresh(const Context& context) {
    const PanelState& chosen = context.document.panels;
    const store::Lane* a = context.tree.lane_of(chosen.pair_from);
    const store::Lane* b = context.tree.lane_of(chosen.pair_to);
    if (a == nullptr || b == nullptr)
        return clear("Choose two lanes: from the first each event, to the next one of the second.");
    const timeline::TickRange range = timeline::earlier(context.measured_range(), context.offset_of(*a));
    const std::array rows{rows_until(*a, range.last), rows_until(*b, range.last)};
    const auto* const found = background_.ask(context.session, {a->channel().id, b->channel().id, range, limit_text_, rows},
                                              context.tree.derived());
    if (found == nullptr) return clear("Looking\xE2\x80\xA6");
    if (!found->answer) return clear("They were not looked for: there was not enough memory. Zoom in, or move A and B.");
    if (*found->answer != found_) show(*found->answer);
}

void PairList::show(std::shared_ptr<const FoundPairs> found) {
    clear(found->pairs.empty() ? "No such pair here. Zoom out, or move A and B." : "");
    if (found->events > FoundPairs::kMaxEvents)
        problem_ = fmt::format("{} events here: too many for a list. Zoom in, or place A and B around the part you mean.",
                               timeline::grouped(found->events));
    found_ = std::move(found);
}

// By the grid's order: a job's where there are very many.
void PairList::sort(const time::ClockMap& clock) {
    if (order_ != nullptr && !sorting_.is_running()) {
        sorted_ = std::move(*order_);
        order_.reset();
    }
    if (sorted_by_ == grid_.order() || pairs().empty()) return;
    unsort();
    sorted_by_ = grid_.order();
    if (!sorted_by_) return;
    order_ = std::make_shared<std::vector<std::uint32_t>>();
    const auto work = [to = order_, of = found_, by = *sorted_by_, limit = limit_, clock] {
        *to = order_of(*of, by, limit, clock);
    };
    if (pairs().size() <= kSortedAtOnce) return work();
    sorting_ = JobRunner::shared().start("sorting pairs", [work](JobRunner::Control& /*control*/) { work(); });
}

void PairList::draw_choices(Context& context, const Rect& strip) {
    const float limit = context.px(92);
    const float lane = std::min(context.px(150), (strip.width - limit - context.px(40)) / 2);
    if (lane < context.px(60)) return;
    const float arrow = context.px(16);
    float x = strip.right() - lane * 2 - arrow - limit - context.px(8);
    const float y = strip.y + context.px(2);
    ImGui::PushFont(context.fonts.small);
    ImGui::SetCursorScreenPos({x, y});
    picker_.draw(context, "##pair from", context.document.panels.pair_from, lane);
    x += lane;
    draw_text(context.list, context.fonts.text, {x, strip.y, arrow, strip.height}, context.theme.dim, "\xE2\x86\x92",
              Align::kCentre);
    x += arrow;
    ImGui::SetCursorScreenPos({x, y});
    picker_.draw(context, "##pair to", context.document.panels.pair_to, lane);
    ImGui::SetCursorScreenPos({x + lane + context.px(8), y});
    ImGui::SetNextItemWidth(limit);
    std::string text = limit_text_;
    if (ImGui::InputTextWithHint("##limit", "< 50us", &text)) set_limit(text);
    if (ImGui::IsItemHovered())
        tooltip(context, limit_problem_.empty() ? "The limit that every pair must hold" : limit_problem_);
    ImGui::PopFont();
    const float summary_end = strip.right() - lane * 2 - arrow - limit - context.px(20);
    std::string summary;
    if (!limit_problem_.empty()) {
        summary = limit_problem_;
    } else if (limit_ && !pairs().empty()) {
        summary =
            fmt::format("{} pass, {} fail, {} cannot tell", timeline::grouped(count(PairVerdict::kPass)),
                        timeline::grouped(count(PairVerdict::kFail)), timeline::grouped(count(PairVerdict::kCannotTell)));
    }
    const bool bad = !limit_problem_.empty() || count(PairVerdict::kFail) > 0;
    draw_text(context.list, context.fonts.small, {strip.x, strip.y, std::max(0.0F, summary_end - strip.x), strip.height},
              bad ? context.theme.loss : context.theme.dim, summary, Align::kRight);
}

void PairList::draw(Context& context, const Rect& place, const Rect& strip) {
    refresh(context);
    draw_choices(context, strip);
    if (pairs().empty()) {
        draw_hint_text(context, place, problem_);
        return;
    }
    const store::Lane* a = context.tree.lane_of(context.document.panels.pair_from);
    const store::Lane* b = context.tree.lane_of(context.document.panels.pair_to);
    const time::ClockMap clock =
        a != nullptr && b != nullptr ? context.session.clock_between(*a, *b) : context.session.clock();
    sort(clock);
    const auto fill_cells = [&](std::size_t row, std::vector<GridCell>& cells) {
        const analysis::Interval& pair = shown(row);
        const analysis::Measured measured = analysis::measured(clock, pair);  // what the verdict is about
        const std::size_t number = sorted_.empty() ? row : sorted_[row];
        cells.push_back({timeline::grouped(number + 1), context.theme.dim});
        cells.push_back({timeline::readable_time(context.time_ps(pair.begin_tick), 1'000)});
        const bool has_end = pair.state != analysis::IntervalState::kUnfinished;
        const std::string lasted = timeline::readable_delta(static_cast<std::int64_t>(measured.ps));
        cells.push_back({has_end ? timeline::readable_time(context.time_ps(pair.end_tick), 1'000) : std::string()});
        cells.push_back({has_end ? lasted : "> " + lasted});
        cells.push_back({timeline::readable_delta(static_cast<std::int64_t>(measured.error)), context.theme.dim});
        const auto verdict = limit_ ? pair_verdict(pair, *limit_, clock) : PairVerdict::kNone;
        cells.push_back({verdict_word(verdict), verdict == PairVerdict::kFail   ? context.theme.loss
                                                : verdict == PairVerdict::kPass ? context.theme.live
                                                                                : context.theme.cursor_a});
        const bool lossy = pair.state == analysis::IntervalState::kLossy;
        cells.push_back({lossy                                                ? "events were lost inside"
                         : pair.state == analysis::IntervalState::kUnfinished ? "another one began before its end"
                                                                              : "",
                         lossy ? context.theme.loss : context.theme.dim});
    };
    if (const auto row = grid_.draw(context, "pairs", place, kPairColumns, pairs().size(), fill_cells)) {
        const analysis::Interval& pair = shown(*row);
        const std::int64_t offset = a == nullptr ? 0 : context.offset_of(*a);
        const timeline::TickRange where{pair.begin_tick, std::max(pair.end_tick, pair.begin_tick + 1)};
        context.view.show(timeline::earlier(where, -offset), 0.2);
    }
}

}  // namespace sla::ui
