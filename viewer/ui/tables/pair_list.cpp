#include "viewer/ui/tables/pair_list.h"

#include "viewer/analysis/interval_check.h"
#include "viewer/timeline/readable.h"
#include "viewer/ui/widgets/forms.h"
#include "viewer/ui/widgets/paint.h"
#include "viewer/ui/widgets/widgets.h"
#include "viewer/workspace/fuzzy.h"

#include <fmt/format.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <chrono>
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
    {"remark", 80, 1.0F, false, "What is odd about it"},
}};
constexpr std::size_t kFromColumn = 1;
constexpr std::size_t kDeltaColumn = 3;
constexpr double kRestPerCost = 10;
constexpr double kMinRest = 0.1;

timeline::TickRange range_of(const Context& context) {
    const timeline::CursorPair& cursors = context.view.cursors;
    if (!cursors.a || !cursors.b) return context.view.port().visible();
    const auto [first, last] = std::minmax(cursors.a->tick, cursors.b->tick);
    return {first, last};
}

const char* verdict_word(PairVerdict verdict) {
    static constexpr const char* kWords[] = {"", "pass", "fail", "cannot tell"};
    return kWords[static_cast<std::size_t>(verdict)];
}

}  // namespace

PairVerdict pair_verdict(const analysis::Interval& pair, const analysis::Limit& limit, const time::ClockMap& clock) {
    const auto verdict = analysis::verdict_of(pair, analysis::measured(clock, pair), limit);
    if (!verdict) return PairVerdict::kNone;
    switch (*verdict) {
        case analysis::Verdict::kPass: return PairVerdict::kPass;
        case analysis::Verdict::kFail: return PairVerdict::kFail;
        case analysis::Verdict::kCannotTell: break;
    }
    return PairVerdict::kCannotTell;
}

void PairList::set_limit(const std::string& text) {
    limit_text_ = text;
    limit_.reset();
    limit_problem_.clear();
    seen_.clear();
    if (text.find_first_not_of(' ') == std::string::npos) return;
    const auto limit = analysis::parse_limit("width pair " + text);
    if (limit && limit->is_time()) {
        limit_ = *limit;
    } else {
        limit_problem_ = "write the limit like  < 50us  or  >= 1.5ms";
    }
}

void PairList::refresh(const Context& context) {
    rest_ -= static_cast<double>(ImGui::GetIO().DeltaTime);
    const PanelState& chosen = context.document.panels;
    const store::Lane* a = context.tree.lane_of(chosen.pair_from);
    const store::Lane* b = context.tree.lane_of(chosen.pair_to);
    if (a == nullptr || b == nullptr) {
        pairs_.clear();
        counts_ = {};
        seen_.clear();
        problem_ = "Choose two lanes: from the first each event, to the next one of the second.";
        return;
    }
    const timeline::TickRange range = range_of(context);
    const std::string what = chosen.pair_from + "\n" + chosen.pair_to + "\n" + limit_text_;
    const std::uint64_t sizes = a->size() + b->size();
    const bool other = what != seen_;
    if (!other && range == seen_range_ && sizes == seen_sizes_) return;
    if (!other && rest_ > 0) return;
    seen_ = what;
    seen_range_ = range;
    seen_sizes_ = sizes;
    pairs_.clear();
    sorted_.clear();
    sorted_by_.reset();
    counts_ = {};
    problem_.clear();
    const auto events_in = [&](const store::Lane& lane) {
        return lane.upper_bound(range.last) - lane.lower_bound(range.first);
    };
    const std::uint64_t events = events_in(*a) + events_in(*b);
    if (events > kMaxEvents) {
        problem_ = fmt::format("{} events here: too many for a list. Zoom in, or place A and B around the part you mean.",
                               timeline::grouped(events));
        return;
    }
    const auto begin = std::chrono::steady_clock::now();
    analysis::Selection where;
    where.from = range.first;
    where.until = range.last + 1;
    analysis::each_pair_interval(*a, *b, where, [&](const analysis::Interval& pair) {
        pairs_.push_back(pair);
        const auto verdict = limit_ ? pair_verdict(pair, *limit_, context.session.clock()) : PairVerdict::kNone;
        ++counts_[static_cast<std::size_t>(verdict)];
    });
    if (pairs_.empty()) problem_ = "No such pair here. Zoom out, or move A and B.";
    const std::chrono::duration<double> cost = std::chrono::steady_clock::now() - begin;
    rest_ = std::max(kMinRest, cost.count() * kRestPerCost);
}

void PairList::sort(const time::ClockMap& clock) {
    if (sorted_by_ == grid_.order() || pairs_.empty()) return;
    sorted_by_ = grid_.order();
    sorted_.clear();
    if (!sorted_by_) return;
    const auto rank = [&](const analysis::Interval& pair) -> std::uint64_t {
        if (sorted_by_->column == kDeltaColumn) return pair.width();
        if (sorted_by_->column == kFromColumn) return pair.begin_tick;
        return limit_ ? static_cast<std::uint64_t>(pair_verdict(pair, *limit_, clock)) : 0;
    };
    std::vector<std::uint64_t> ranks;
    ranks.reserve(pairs_.size());
    for (const analysis::Interval& pair : pairs_) ranks.push_back(rank(pair));
    sorted_.resize(pairs_.size());
    std::iota(sorted_.begin(), sorted_.end(), 0U);
    std::stable_sort(sorted_.begin(), sorted_.end(), [&](std::uint32_t a, std::uint32_t b) {
        return sorted_by_->descending ? ranks[b] < ranks[a] : ranks[a] < ranks[b];
    });
}

void PairList::pick_lane(Context& context, const char* id, std::string& key, float width) {
    const store::Lane* lane = context.tree.lane_of(key);
    ImGui::SetNextItemWidth(width);
    const std::string shown = lane == nullptr ? std::string("choose a lane") : context.tree.title_of(*lane);
    if (!ImGui::BeginCombo(id, shown.c_str(), ImGuiComboFlags_HeightLarge)) return;
    if (ImGui::IsWindowAppearing()) {
        looked_for_.clear();
        ImGui::SetKeyboardFocusHere();
    }
    ImGui::SetNextItemWidth(std::max(width, context.px(180)));
    const bool entered =
        ImGui::InputTextWithHint("##name", "part of its name", &looked_for_, ImGuiInputTextFlags_EnterReturnsTrue);
    std::vector<std::pair<int, const store::Lane*>> found;  // what fits best first
    for (const store::Lane* one : context.session.lanes()) {
        if (const auto score = fuzzy_score(looked_for_, context.tree.title_of(*one))) found.emplace_back(-*score, one);
    }
    std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    for (const auto& [score, one] : found) {
        ImGui::PushID(one);
        const bool first = one == found.front().second;
        if (ImGui::Selectable(context.tree.title_of(*one).c_str(), one == lane) || (entered && first)) {
            key = context.tree.key_of(*one);
            ImGui::CloseCurrentPopup();
        }
        ImGui::PopID();
    }
    if (found.empty()) form_words(context, "No lane of that name.", context.theme.dim);
    ImGui::EndCombo();
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
    pick_lane(context, "##pair from", context.document.panels.pair_from, lane);
    x += lane;
    draw_text(context.list, context.fonts.text, {x, strip.y, arrow, strip.height}, context.theme.dim, "\xE2\x86\x92",
              Align::kCentre);
    x += arrow;
    ImGui::SetCursorScreenPos({x, y});
    pick_lane(context, "##pair to", context.document.panels.pair_to, lane);
    ImGui::SetCursorScreenPos({x + lane + context.px(8), y});
    ImGui::SetNextItemWidth(limit);
    std::string text = limit_text_;
    if (ImGui::InputTextWithHint("##limit", "< 50us", &text)) set_limit(text);
    if (ImGui::IsItemHovered())
        tooltip(context, limit_problem_.empty() ? "The limit that every pair must hold" : limit_problem_);
    ImGui::PopFont();
    const float told_end = strip.right() - lane * 2 - arrow - limit - context.px(20);
    std::string told;
    if (!limit_problem_.empty()) {
        told = limit_problem_;
    } else if (limit_ && !pairs_.empty()) {
        told = fmt::format("{} pass, {} fail, {} cannot tell", timeline::grouped(count(PairVerdict::kPass)),
                           timeline::grouped(count(PairVerdict::kFail)), timeline::grouped(count(PairVerdict::kCannotTell)));
    }
    const bool bad = !limit_problem_.empty() || count(PairVerdict::kFail) > 0;
    draw_text(context.list, context.fonts.small, {strip.x, strip.y, std::max(0.0F, told_end - strip.x), strip.height},
              bad ? context.theme.loss : context.theme.dim, told, Align::kRight);
}

void PairList::draw(Context& context, const Rect& place, const Rect& strip) {
    refresh(context);
    draw_choices(context, strip);
    if (pairs_.empty()) {
        draw_hint_text(context, place, problem_);
        return;
    }
    const time::ClockMap& clock = context.session.clock();
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
    if (const auto row = grid_.draw(context, place, kPairColumns, pairs_.size(), fill_cells)) {
        const analysis::Interval& pair = shown(*row);
        context.view.show({pair.begin_tick, std::max(pair.end_tick, pair.begin_tick + 1)}, 0.2);
    }
}

}  // namespace sla::ui
