// The time before what was asked of an agent: still there, not fetched yet. Neither idle nor lost, and it looks like neither.
#pragma once

#include "viewer/ui/widgets/context.h"

namespace sla::ui {

// Over a lane's strip.
void draw_unfetched(Context& context, const store::Lane& lane, const Rect& strip);
// What that means, under the mouse; false: the mouse is elsewhere.
bool describe_unfetched(Context& context, const store::Lane* lane);
// In a few words, also how far it has come; "" when nothing is left out.
std::string unfetched_words(const Context& context);

}  // namespace sla::ui
