// The larger parts of a lane's painting: spans, and losses over everything else.
#pragma once

#include "viewer/ui/lane_painter.h"

namespace sla::ui {

void paint_spans(Context& context, const LanePaint& paint, const Rect& body);
void paint_gap_hatching(Context& context, const LanePaint& paint);
void paint_gap_labels(Context& context, const LanePaint& paint);

}  // namespace sla::ui
