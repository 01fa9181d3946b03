// Ways to a place: an event, a hit of the search, a tick. Selects what is there and brings it into sight.
#pragma once

#include "viewer/ui/context.h"
#include "viewer/ui/search.h"

namespace sla::ui {

void go_to_event(Context& context, const store::Lane& lane, std::uint64_t index);
void go_to_hit(Context& context, const Hit& hit);
// The next hit after what is selected (or the middle of the view), or the one before.
bool step_hit(Context& context, bool forward);
// The next or previous edge of the focused lane becomes the selection; `off_screen`: the first one beyond the view.
void step_edge(Context& context, bool forward, bool off_screen);

}  // namespace sla::ui
