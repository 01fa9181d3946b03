// Ways to a place: an event, a hit of the search, a tick, a shot. Selects what is there and brings it into sight.
#pragma once

#include "viewer/timeline/snap.h"
#include "viewer/ui/widgets/context.h"
#include "viewer/workspace/search/search.h"

namespace sla::ui {

void go_to_event(Context& context, const store::Lane& lane, std::uint64_t index);
void go_to_hit(Context& context, const Hit& hit);
// The next hit after what is selected (or the edge of the view), or the one before. While the search is on its way there may
// be one that it has not found yet: then it is waited for.
bool step_hit(Context& context, bool forward);
// Once a frame: goes to a hit that is waited for, or says that there is none once that is known.
void follow_search(Context& context);
// The next or previous edge of the focused lane becomes the selection, or the first one beyond the view.
enum class Towards { kEarlier, kLater };
enum class Edges { kNext, kOffScreen };
void step_edge(Context& context, Towards towards, Edges edges = Edges::kNext);

// The tab, and the part of the window that it is in, which may be closed.
void show_tab(Context& context, BottomTab tab);
void show_panel(Context& context, InspectorTab tab);

// Looks at that shot of the session: its window fills the view, t = 0 is its trigger.
void show_shot(Context& context, std::size_t shot);
// t = 0 is that shot's trigger.
bool counts_from(const Context& context, std::optional<std::size_t> shot);
// The shots over each other, or not; the newest when none is looked at.
void toggle_overlay(Context& context);

// The event nearest to that pixel of the screen, the lane under it first; its tick is where it is drawn.
std::optional<timeline::Edge> edge_near(const Context& context, float screen_x, float screen_y);

// A cursor at that pixel, on the nearest edge unless Alt is held.
timeline::Cursor cursor_at(const Context& context, float screen_x, float screen_y);

}  // namespace sla::ui
