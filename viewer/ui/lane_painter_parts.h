// The larger parts of a lane's painting: spans, and losses over everything else.
#pragma once

#include "viewer/ui/lane_painter.h"

#include <vector>

namespace sla::ui {

void paint_spans(Context& context, const LanePaint& paint, const Rect& body);
void paint_gap_hatching(Context& context, const LanePaint& paint);
// Where "lost 412" stands, one for each gap of the picture; without width where there is no room.
std::vector<Rect> gap_tags(const Context& context, const LanePaint& paint);
void paint_gap_labels(Context& context, const LanePaint& paint, const std::vector<Rect>& tags);

}  // namespace sla::ui
