// Parts of a lane's painting: levels, spans, losses over everything else, and what tells of many events in one column.
#pragma once

#include "viewer/ui/lane_painter.h"
#include "viewer/ui/quads.h"

#include <cstddef>
#include <vector>

namespace sla::ui {

// Columns of pixels [begin, end).
struct Stretch {
    int begin = 1;  // none yet: nothing touches it
    int end = 0;
};

// Several events share a pixel column: a short mark above it. Side by side they make a line over the dense stretch.
inline void paint_many(Quads& quads, const Context& context, const Rect& body, ImU32 colour, const Stretch& stretch) {
    const float hair = context.hair();
    quads.add({static_cast<float>(stretch.begin), body.y - hair * 4, static_cast<float>(stretch.end - stretch.begin), hair * 2},
              colour);
}

// The same for columns that come one by one.
inline auto join_many(Quads& quads, const Context& context, const Rect& body, ImU32 colour) {
    return Joined(0, [&quads, &context, &body, colour](const Rect& place, int) {
        paint_many(quads, context, body, colour, {static_cast<int>(place.x), static_cast<int>(place.right())});
    });
}

// A stretch of columns that touch, from the `at`-th on: columns of one look are painted at once, then the stretch. Gives
// the first column behind it. All that changes from column to column stays in registers: a window full of dense lanes is
// forty thousand columns.
template <typename Dense>
std::size_t paint_stretch(const Dense& dense, std::size_t at) {
    const int begin = dense.x(at);
    int end = begin + dense.width;
    int look_begin = begin;
    auto look = dense.look(at);
    while (dense.is_dense(++at)) {
        const int x = dense.x(at);
        if (x > end) break;
        const auto next = dense.look(at);
        if (next != look) {
            dense.paint_look(look_begin, end, look);
            look_begin = x;
            look = next;
        }
        end = x + dense.width;
    }
    dense.paint_look(look_begin, end, look);
    dense.finish(begin, end);
    return at;
}

void paint_levels(Context& context, const LanePaint& paint, const Rect& body);
void paint_spans(Context& context, const LanePaint& paint, const Rect& body);
void paint_gap_hatching(Context& context, const LanePaint& paint);
// Where "lost 412" stands, one for each gap of the picture; without width where there is no room.
std::vector<Rect> gap_tags(const Context& context, const LanePaint& paint);
void paint_gap_labels(Context& context, const LanePaint& paint, const std::vector<Rect>& tags);

}  // namespace sla::ui
