#include "viewer/ui/tables/found_list.h"

#include "viewer/timeline/readable.h"
#include "viewer/timeline/value_at.h"
#include "viewer/ui/commands/navigation.h"
#include "viewer/ui/widgets/paint.h"
#include "viewer/ui/widgets/visible_lanes.h"
#include "viewer/workspace/document.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace sla::ui {

namespace {

constexpr std::array<GridColumn, 6> kHitColumns{{
    {"hit", 60, 0, true, "Number of the hit, in order of time"},
    {"time", 136, 0, true, "Since t = 0"},
    {"channel", 120, 1.0F, false, "Where it is; of a trigger: what happened"},
    {"value", 84, 0.4F, true, "What the event carries"},
    {"text", 64, 1.4F, false, "Text, or what the value means"},
    {"\xCE\x94 hit", 92, 0, true, "Time since the hit before"},
}};

const char* word_of(SearchMode mode) {
    switch (mode) {
        case SearchMode::kTrigger: return "trigger";
        case SearchMode::kCondition: return "condition";
        case SearchMode::kText: return "text";
        case SearchMode::kNothing:
        case SearchMode::kEverything:
        case SearchMode::kWrong: break;
    }
    return "search";
}

std::string words_of(const Search& search) {
    if (search.mode() == SearchMode::kNothing) return {};
    if (search.mode() == SearchMode::kWrong) return search.problem();
    const std::size_t count = search.hits().size();
    std::string text = search.text();
    std::replace(text.begin(), text.end(), '\n', ' ');
    return fmt::format("{} {} for the {} \"{}\"{}", timeline::grouped(count), count == 1 ? "hit" : "hits",
                       word_of(search.mode()), text,
                       search.full()   ? ", and more than that: narrow it down"
                       : search.busy() ? fmt::format(", {:.0f} % looked through\xE2\x80\xA6", 100 * search.progress())
                                       : "");
}

// The one that is selected, else the first one where the selection is.
std::optional<std::size_t> selected_hit(const Context& context) {
    if (!context.marks.selection) return std::nullopt;
    const Search& search = context.document.search;
    const auto& [lane, index, tick] = *context.marks.selection;
    if (const auto at = search.position_of(lane, index, tick)) return at;
    const auto first = search.next(tick);
    return first && search.hits()[*first].tick == tick ? first : std::nullopt;
}

}  // namespace

void FoundList::draw(Context& context, const Rect& place, const Rect& strip) {
    const Search& search = context.document.search;
    const bool wrong = search.mode() == SearchMode::kWrong;
    draw_text(context.list, context.fonts.small, strip, wrong ? context.theme.loss : context.theme.dim, words_of(search),
              Align::kRight);
    const auto& hits = search.hits();
    marked_.reset();
    if (hits.empty()) {
        draw_hint_text(context, place,
                       search.mode() == SearchMode::kNothing
                           ? "Type into the search field above: text, value > 100, or a trigger such as  gap net.rx > 5ms"
                       : wrong         ? search.problem()
                       : search.busy() ? "Looking\xE2\x80\xA6"
                                       : "Nothing found in this capture.");
        return;
    }
    marked_ = selected_hit(context);
    const bool is_chosen_anew = std::exchange(seen_, context.marks.selection) != context.marks.selection;
    if (marked_ && is_chosen_anew) grid_.reveal(*marked_);
    const auto fill_cells = [&](std::size_t row, std::vector<GridCell>& cells) {
        const Hit& hit = hits[row];
        cells.push_back({timeline::grouped(row + 1), context.theme.dim});
        cells.push_back({timeline::readable_time(context.time_ps(hit.tick), 1'000)});
        const bool event = hit.lane != nullptr;
        const bool here = event && hit.lane->is_row_here(hit.index);
        const std::string missing = event && !here ? "\xE2\x80\xA6" : "";  // it is being fetched
        cells.push_back({event ? lane_label(context, *hit.lane) : hit.details->what});
        cells.push_back({!hit.certain ? "" : here ? timeline::value_text((*hit.lane)[hit.index]) : missing});
        cells.push_back({!hit.certain ? "cannot tell: losses hide it"
                         : here       ? hit.lane->text(hit.index)
                                      : missing,
                         hit.certain ? context.theme.text : context.theme.loss});
        const auto away = row == 0 ? std::int64_t{0} : static_cast<std::int64_t>(hit.tick - hits[row - 1].tick);
        cells.push_back({row == 0 ? "" : timeline::readable_delta(context.session.clock().ticks_to_ps(away))});
    };
    const auto clicked = grid_.draw(context, "found", place, kHitColumns, hits.size(), fill_cells, marked_);
    if (clicked) go_to_hit(context, hits[*clicked]);
}

}  // namespace sla::ui
