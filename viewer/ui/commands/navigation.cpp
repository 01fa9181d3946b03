#include "viewer/ui/commands/navigation.h"

#include "viewer/timeline/snap.h"
#include "viewer/ui/widgets/visible_lanes.h"
#include "viewer/workspace/document.h"

#include <fmt/format.h>

namespace sla::ui {

void go_to_event(Context& context, const store::Lane& lane, std::uint64_t index) {
    const std::uint64_t tick = lane.tick(index);
    context.marks.focus = &lane;
    context.marks.selection = Selection{&lane, index, tick};
    context.view.reveal(tick + static_cast<std::uint64_t>(context.offset_of(lane)));
    scroll_to(context, lane);
}

void go_to_hit(Context& context, const Hit& hit) {
    if (hit.lane != nullptr) {
        go_to_event(context, *hit.lane, hit.index);
        return;
    }
    context.marks.selection = Selection{nullptr, hit.index, hit.tick};
    context.view.reveal(hit.tick);
}

namespace {

// The hit to go to, as a position among the hits.
std::optional<std::size_t> hit_beside(const Context& context, bool forward) {
    const Search& search = context.document.search;
    const auto& selection = context.marks.selection;
    // Without a selection from the edge of what is seen.
    const timeline::TickRange seen = context.view.target().visible();
    const std::uint64_t from = selection ? selection->tick : forward ? seen.first : seen.last + 1;
    // Hits at one tick are walked through one by one.
    auto at = forward ? search.next(selection ? from + 1 : from) : search.previous(from);
    const auto here = selection ? search.position_of(selection->lane, selection->index, from) : std::nullopt;
    if (here && forward && *here + 1 < search.hits().size()) at = *here + 1;
    if (here && !forward && *here > 0) at = *here - 1;
    return at;
}

std::optional<std::uint64_t> selected_tick(const Context& context) {
    if (!context.marks.selection) return std::nullopt;
    return context.marks.selection->tick;
}

// Hits come in order of time: an earlier one than one that is here is here too.
bool may_still_come(const Context& context, bool forward) {
    const Search& search = context.document.search;
    if (!search.busy()) return false;
    const std::uint64_t from = selected_tick(context).value_or(context.view.target().visible().last);
    return forward || search.hits().empty() || search.hits().back().tick < from;
}

}  // namespace

bool step_hit(Context& context, bool forward) {
    std::optional<AwaitedHit>& awaited = context.document.panels.awaited_hit;
    awaited.reset();
    if (const auto at = hit_beside(context, forward)) {
        go_to_hit(context, context.document.search.hits()[*at]);
        return true;
    }
    if (may_still_come(context, forward)) {
        awaited = AwaitedHit{forward, selected_tick(context)};
        follow_search(context);
    } else {
        const char* so_far = is_running(context.status.state) ? " so far" : "";
        context.errors.notice(fmt::format("No {} hit{}", forward ? "later" : "earlier", so_far));
    }
    return false;
}

void follow_search(Context& context) {
    const std::optional<AwaitedHit> awaited = context.document.panels.awaited_hit;
    if (!awaited) return;
    if (awaited->from != selected_tick(context) || context.document.search.mode() == SearchMode::kNothing) {
        context.document.panels.awaited_hit.reset();
        context.errors.notice("");
        return;
    }
    const bool is_known = hit_beside(context, awaited->forward) || !may_still_come(context, awaited->forward);
    if (is_known) {
        context.errors.notice("");
        step_hit(context, awaited->forward);
        return;
    }
    context.errors.notice(fmt::format("Searching for {} hit\xE2\x80\xA6  {:.0f} % looked through",
                                      awaited->forward ? "a later" : "an earlier",
                                      100 * context.document.search.progress()));
}

namespace {

// Where stepping begins on a lane of which no event is selected: what is selected elsewhere, when it is in sight, else the
// middle of the view. A tick of the lane's own.
std::uint64_t place_of(const Context& context, const store::Lane& lane, const timeline::Viewport& port) {
    if (context.marks.selection) {
        const Selection& selection = *context.marks.selection;
        const std::int64_t offset = selection.lane == nullptr ? 0 : context.offset_of(*selection.lane);
        const std::uint64_t tick = selection.tick + static_cast<std::uint64_t>(offset - context.offset_of(lane));
        const timeline::TickRange seen = port.visible();
        if (tick >= seen.first && tick <= seen.last) return tick;
    }
    return port.tick_at(port.width() / 2);
}

std::optional<timeline::Edge> edge_beside(const store::Lane& lane, std::uint64_t index, bool forward) {
    if (forward ? index + 1 >= lane.size() : index == 0) return std::nullopt;
    const std::uint64_t next = forward ? index + 1 : index - 1;
    return timeline::Edge{&lane, next, lane.tick(next)};
}

std::optional<timeline::Edge> next_edge(const Context& context, const store::Lane& lane, Towards towards, Edges edges) {
    const bool forward = towards == Towards::kLater;
    if (lane.empty()) return std::nullopt;
    const timeline::Viewport port = context.view.target().shifted(-context.offset_of(lane));
    const auto& selection = context.marks.selection;
    const auto beyond = [&](std::uint64_t tick) {
        return forward ? timeline::edge_after(lane, tick) : timeline::edge_before(lane, tick);
    };
    if (edges == Edges::kOffScreen) return beyond(forward ? port.visible().last : port.visible().first);
    if (selection && selection->lane == &lane) return edge_beside(lane, selection->index, forward);
    return beyond(place_of(context, lane, port));
}

}  // namespace

void step_edge(Context& context, Towards towards, Edges edges) {
    const store::Lane* lane = context.marks.focus;
    if (lane == nullptr) return;
    const auto edge = next_edge(context, *lane, towards, edges);
    if (edge) return go_to_event(context, *lane, edge->index);
    context.errors.notice(
        fmt::format("No {} edge of {}", towards == Towards::kLater ? "later" : "earlier", context.tree.title_of(*lane)));
}

bool counts_from(const Context& context, std::optional<std::size_t> shot) {
    return shot && context.marks.annotations.zero == context.session.shots()[*shot].tick;
}

void show_tab(Context& context, BottomTab tab) {
    context.settings.splits.show_table();
    context.document.panels.bottom_tab = tab;
}

void show_panel(Context& context, InspectorTab tab) {
    context.settings.splits.show_inspector();
    context.document.panels.inspector_tab = tab;
}

void show_shot(Context& context, std::size_t shot) {
    if (shot >= context.session.shots().size()) return;
    const store::Shot& one = context.session.shots()[shot];
    context.document.shot = one;
    context.marks.annotations.zero = one.tick;
    const bool window = one.end_tick > one.begin_tick;
    if (window) {
        context.view.show({one.begin_tick, one.end_tick}, 0.02);
    } else {
        context.view.go_to(one.tick);
    }
}

void toggle_overlay(Context& context) {
    const auto& shots = context.session.shots();
    context.document.overlay = !context.document.overlay;
    if (!context.document.overlay || shots.empty()) return;
    if (!counts_from(context, context.document.shown_shot())) show_shot(context, shots.size() - 1);
}

std::optional<timeline::Edge> edge_near(const Context& context, float screen_x, float screen_y) {
    const double x = context.lanes_x(screen_x);
    double reach = timeline::kSnapPixels * static_cast<double>(context.layout.scale);
    const store::Lane* under = lane_at(context, screen_y);
    std::optional<timeline::Edge> best;
    const auto look = [&](const store::Lane& lane) {
        const timeline::Viewport port = context.port_of(lane);
        const auto edge = timeline::nearest_edge(lane, port, x, reach);
        if (!edge) return;
        reach = std::abs(port.x_of(edge->tick) - x);
        best = edge;
        best->tick += static_cast<std::uint64_t>(context.offset_of(lane));
    };
    if (under != nullptr) look(*under);
    if (best) return best;
    for (const store::Lane* lane : visible_lanes(context)) look(*lane);
    return best;
}

timeline::Cursor cursor_at(const Context& context, float screen_x, float screen_y) {
    if (!ImGui::GetIO().KeyAlt) {
        if (const auto edge = edge_near(context, screen_x, screen_y))
            return {edge->tick, true, context.session.host_id_of(*edge->lane)};
    }
    return {context.view.port().tick_at(context.lanes_x(screen_x)), false};
}

}  // namespace sla::ui
