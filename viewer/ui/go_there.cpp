#include "viewer/ui/go_there.h"

#include "viewer/timeline/snap.h"
#include "viewer/ui/desk.h"
#include "viewer/ui/visible_lanes.h"

namespace sla::ui {

void go_to_event(Context& context, const store::Lane& lane, std::uint64_t index) {
    const std::uint64_t tick = lane.tick(index);
    context.view.focus = &lane;
    context.view.selection = Selection{&lane, index, tick};
    context.view.reveal(tick + static_cast<std::uint64_t>(context.offset_of(lane)));
    scroll_to(context, lane);
}

void go_to_hit(Context& context, const Hit& hit) {
    if (hit.lane != nullptr) {
        go_to_event(context, *hit.lane, hit.index);
        return;
    }
    context.view.selection = Selection{nullptr, 0, hit.tick};
    context.view.reveal(hit.tick);
}

bool step_hit(Context& context, bool forward) {
    const Search& search = context.desk.search;
    const auto& selection = context.view.selection;
    // Without a selection from the edge of what is seen.
    const timeline::TickRange seen = context.view.target().visible();
    const std::uint64_t from = selection ? selection->tick : forward ? seen.first : seen.last + 1;
    // Hits at one tick are walked through one by one.
    auto at = forward ? search.next(selection ? from + 1 : from) : search.previous(from);
    if (selection) {
        const auto here = search.next(from);
        for (std::size_t i = here.value_or(search.hits().size()); i < search.hits().size(); ++i) {
            const Hit& hit = search.hits()[i];
            if (hit.tick != from) break;
            if (hit.lane != selection->lane || hit.index != selection->index) continue;
            if (forward && i + 1 < search.hits().size()) at = i + 1;
            if (!forward && i > 0) at = i - 1;
            break;
        }
    }
    if (!at) return false;
    go_to_hit(context, search.hits()[*at]);
    return true;
}

void step_edge(Context& context, bool forward, bool off_screen) {
    const store::Lane* lane = context.view.focus;
    if (lane == nullptr || lane->empty()) return;
    const timeline::Viewport port = context.view.target().shifted(-context.offset_of(*lane));
    std::optional<timeline::Edge> edge;
    const auto& selection = context.view.selection;
    if (off_screen) {
        const timeline::TickRange seen = port.visible();
        edge = forward ? timeline::edge_after(*lane, seen.last) : timeline::edge_before(*lane, seen.first);
    } else if (selection && selection->lane == lane) {
        const bool at_end = forward ? selection->index + 1 >= lane->size() : selection->index == 0;
        if (at_end) return;
        const std::uint64_t index = forward ? selection->index + 1 : selection->index - 1;
        edge = timeline::Edge{lane, index, lane->tick(index)};
    } else {
        const std::uint64_t middle = port.tick_at(port.width() / 2);
        edge = forward ? timeline::edge_after(*lane, middle) : timeline::edge_before(*lane, middle);
    }
    if (edge) go_to_event(context, *lane, edge->index);
}

}  // namespace sla::ui
