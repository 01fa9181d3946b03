// Parts of a lane's painting: spans, losses over everything else, and what tells of many events in one column.
#pragma once

#include "viewer/ui/lane_painter.h"
#include "viewer/ui/quads.h"

#include <vector>

namespace sla::ui {

// Several events share a pixel column: a short mark above it. Side by side they make a line over the dense stretch.
class ManyMarks {
public:
    ManyMarks(Quads& quads, const Context& context, const Rect& body, ImU32 colour)
        : line_(quads, body.y - context.hair() * 4, context.hair() * 2), width_(context.hair()), colour_(colour) {}

    void add(float x) { line_.add(x, width_, colour_); }

private:
    JoinedRow line_;
    float width_;
    ImU32 colour_;
};

void paint_spans(Context& context, const LanePaint& paint, const Rect& body);
void paint_gap_hatching(Context& context, const LanePaint& paint);
// Where "lost 412" stands, one for each gap of the picture; without width where there is no room.
std::vector<Rect> gap_tags(const Context& context, const LanePaint& paint);
void paint_gap_labels(Context& context, const LanePaint& paint, const std::vector<Rect>& tags);

}  // namespace sla::ui
