// The name of a group of lanes, a program or a host above them: its fold, how many lanes it has, and what is wrong with its clock.
#pragma once

#include "viewer/ui/widgets/context.h"
#include "viewer/ui/widgets/visible_lanes.h"

namespace sla::ui {

// Where the name of a row begins, by its depth in the tree.
float name_begin(const Context& context, const timeline::TreeRow& row, const Rect& place);

void draw_head_name(Context& context, const VisibleRow& visible, const Rect& place);

}  // namespace sla::ui
