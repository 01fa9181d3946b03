// Parts of a lane's painting: levels, values, spans, losses over everything else, and what stands for many events in one column.
#pragma once

#include "viewer/ui/timeline/lane_painter.h"
#include "viewer/ui/timeline/quads.h"

#include <cstddef>
#include <vector>

namespace sla::ui {

// Several events share a pixel column: a short mark above it. Side by side they make a line over the dense range.
inline Band many_mark(const Context& context, const Rect& body, ImU32 colour) {
    return {body.y - context.hair() * 4, context.hair() * 2, colour};
}

// Marks of one kind, of which many stand in neighbouring columns. Who has it says which, what they look like, and how that
// is painted: is_dense(at), look(at), paint_look(range, look), paint_over(range).
template <typename Mark>
struct DenseMarks {
    Quads& quads;
    const Context& context;
    const LanePaint& paint;
    const Rect& body;
    const std::vector<Mark>& marks;
    int width;  // of a column

    [[nodiscard]] int x(std::size_t at) const { return column_in_sight(body.x + marks[at].x); }
};

// A range of columns that touch, from the `at`-th on: columns of one look are painted at once, then the range. Gives
// the first column behind it. All that changes from column to column stays in registers: a window full of dense lanes is
// forty thousand columns.
template <typename Dense>
std::size_t paint_range(const Dense& dense, std::size_t at) {
    PixelRange all{dense.x(at), dense.x(at) + dense.width};
    int look_begin = all.begin;
    auto look = dense.look(at);
    while (dense.is_dense(++at)) {
        const int x = dense.x(at);
        if (x > all.end) break;
        const auto next = dense.look(at);
        if (next != look) {
            dense.paint_look({look_begin, all.end}, look);
            look_begin = x;
            look = next;
        }
        all.end = x + dense.width;
    }
    dense.paint_look({look_begin, all.end}, look);
    dense.paint_over(all);
    const Band many = many_mark(dense.context, dense.body, dense.paint.colour);
    all.end += static_cast<int>(dense.context.hair()) - dense.width;
    dense.quads.add(all.rect(many.y, many.height), many.colour);
    return at;
}

void paint_levels(Context& context, const LanePaint& paint, const Rect& body);
void paint_values(Context& context, const LanePaint& paint, const Rect& body);
void paint_spans(Context& context, const LanePaint& paint, const Rect& body);
void paint_gap_hatching(Context& context, const LanePaint& paint);
// Where "lost 412" stands, one for each gap of the picture; without width where there is no space.
std::vector<Rect> gap_tags(const Context& context, const LanePaint& paint);
void paint_gap_labels(Context& context, const LanePaint& paint, const std::vector<Rect>& tags);

}  // namespace sla::ui
