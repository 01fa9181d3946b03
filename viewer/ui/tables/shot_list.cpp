#include "viewer/ui/tables/shot_list.h"

#include "viewer/timeline/readable.h"
#include "viewer/ui/commands/navigation.h"
#include "viewer/ui/widgets/paint.h"
#include "viewer/ui/widgets/widgets.h"

#include <fmt/format.h>

namespace sla::ui {

namespace {

constexpr std::array<GridColumn, 7> kShotColumns{{
    {"shot", 52, 0, true, "Its number, from 1"},
    {"trigger", 96, 0.5F, false, "Its name"},
    {"time", 136, 0, true, "Of the trigger, since t = 0, as in EVENTS"},
    {"\xCE\x94 shot", 92, 0, true, "Since the shot before"},
    {"window", 224, 0, true, "What is kept before and after the trigger"},
    {"data", 132, 0.7F, false,
     "Of its window: whole; filling: its end is still to come; lost: on so many channels events were lost;\n"
     "not kept: the agent had given some up before they were read (sla-agent --shot-memory, --memory)"},
    {"what", 80, 1.5F, false, "The condition that fired"},
}};

}  // namespace

// Looks once over all channels for each shot whose window is over.
const analysis::ShotState& ShotList::state_of(const store::Session& session, std::size_t shot) {
    // A shot may come before others that were known, and a channel may bring old losses.
    if (lanes_ != session.lanes().size() || states_.size() != session.shots().size()) states_.clear();
    lanes_ = session.lanes().size();
    states_.resize(session.shots().size());
    if (states_[shot]) return *states_[shot];
    newest_state_ = analysis::state_of(session, session.shots()[shot]);
    if (newest_state_.is_filling) return newest_state_;
    return states_[shot].emplace(newest_state_);
}

void ShotList::draw(Context& context, const Rect& place, const Rect& strip) {
    const auto& shots = context.session.shots();
    if (shots.empty()) {
        draw_hint_text(context, place,
                       context.source.can_run() ? "No shot yet. Set a trigger in the panel TRIGGER at the right."
                                                : "This capture holds no shot. Record some with  sla record --trigger");
        return;
    }
    const ButtonStyle look{.label = "Overlay at t = 0",
                           .tooltip = "Draw the shots of one trigger over each other, the nearer in time the clearer",
                           .active = context.document.overlay};
    const float width = button_width(context, look);
    if (button(context, "overlay", {strip.right() - width, strip.y + context.px(2), width, strip.height - context.px(4)},
               look)) {
        toggle_overlay(context);
    }
    if (known_ != shots.size() && context.view.follow()) grid_.reveal(shots.size() - 1);
    known_ = shots.size();
    const time::ClockMap& clock = context.session.clock();
    const auto fill_cells = [&](std::size_t row, std::vector<GridCell>& cells) {
        const store::Shot& shot = shots[row];
        cells.push_back({timeline::grouped(shot.number), context.theme.dim});
        cells.push_back({shot.trigger, context.theme.trigger});
        cells.push_back({timeline::readable_time(context.time_ps(shot.tick), 1'000)});
        const auto away = row == 0 ? std::int64_t{0} : static_cast<std::int64_t>(shot.tick - shots[row - 1].tick);
        cells.push_back({row == 0 ? "" : timeline::readable_delta(clock.ticks_to_ps(away))});
        const auto before = static_cast<std::int64_t>(shot.tick - shot.begin_tick);
        const auto after = static_cast<std::int64_t>(shot.end_tick - shot.tick);
        cells.push_back({fmt::format("{} to {}", timeline::readable_delta(-clock.ticks_to_ps(before)),
                                     timeline::readable_delta(clock.ticks_to_ps(after)))});
        const analysis::ShotState& state = state_of(context.session, row);
        cells.push_back({state.text(), state.lossy > 0 ? context.theme.loss : state.is_whole() ? context.theme.dim : 0});
        cells.push_back({shot.what});
    };
    std::optional<std::size_t> marked = context.document.shown_shot();
    if (!counts_from(context, marked)) marked.reset();
    if (const auto row = grid_.draw(context, "shots", place, kShotColumns, shots.size(), fill_cells, marked))
        show_shot(context, *row);
}

}  // namespace sla::ui
