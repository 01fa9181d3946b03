#include "viewer/ui/widgets/icons.h"

#include <algorithm>
#include <cmath>

namespace sla::ui {

namespace {

// A square from -1 to 1 around the centre, and a stroke that grows with it.
struct Pen {
    ImDrawList& list;
    ImVec2 centre;
    float half;
    float stroke;
    ImU32 colour;

    [[nodiscard]] ImVec2 at(float x, float y) const { return {centre.x + x * half, centre.y + y * half}; }
    void line(float x0, float y0, float x1, float y1) const { list.AddLine(at(x0, y0), at(x1, y1), colour, stroke); }
    void box(float x0, float y0, float x1, float y1) const {
        list.AddRect(at(x0, y0), at(x1, y1), colour, stroke, 0, stroke);
    }
    void solid(float x0, float y0, float x1, float y1) const { list.AddRectFilled(at(x0, y0), at(x1, y1), colour, 1.0F); }
};

void draw_theme(const Pen& pen) {
    pen.list.AddCircle(pen.centre, pen.half * 0.8F, pen.colour, 0, pen.stroke);
    pen.list.PathArcTo(pen.centre, pen.half * 0.8F, -1.5708F, 1.5708F);
    pen.list.PathFillConvex(pen.colour);
}

void draw_help(const Pen& pen) {
    pen.list.PathArcTo(pen.at(0, -0.35F), pen.half * 0.5F, -3.3F, 0.9F);
    pen.list.PathLineTo(pen.at(0, 0.3F));
    pen.list.PathStroke(pen.colour, 0, pen.stroke);
    pen.list.AddCircleFilled(pen.at(0, 0.8F), pen.stroke * 0.8F, pen.colour);
}

void draw_fit(const Pen& pen) {
    pen.line(-1, -0.7F, -1, 0.7F);
    pen.line(1, -0.7F, 1, 0.7F);
    pen.line(-0.7F, 0, 0.7F, 0);
    pen.line(-0.7F, 0, -0.35F, -0.35F);
    pen.line(-0.7F, 0, -0.35F, 0.35F);
    pen.line(0.7F, 0, 0.35F, -0.35F);
    pen.line(0.7F, 0, 0.35F, 0.35F);
}

void draw_follow(const Pen& pen) {
    pen.line(1, -0.7F, 1, 0.7F);
    pen.line(-1, 0, 0.6F, 0);
    pen.line(0.6F, 0, 0.15F, -0.45F);
    pen.line(0.6F, 0, 0.15F, 0.45F);
}

void draw_export(const Pen& pen) {
    pen.line(0, -0.9F, 0, 0.35F);
    pen.line(0, 0.35F, -0.4F, -0.05F);
    pen.line(0, 0.35F, 0.4F, -0.05F);
    pen.line(-0.8F, 0.4F, -0.8F, 0.85F);
    pen.line(-0.8F, 0.85F, 0.8F, 0.85F);
    pen.line(0.8F, 0.85F, 0.8F, 0.4F);
}

void draw_gear(const Pen& pen) {
    pen.list.AddCircle(pen.centre, pen.half * 0.45F, pen.colour, 0, pen.stroke);
    for (int i = 0; i < 8; ++i) {
        const float angle = static_cast<float>(i) * 0.7853982F;
        const float x = std::cos(angle);
        const float y = std::sin(angle);
        pen.line(x * 0.62F, y * 0.62F, x, y);
    }
}

}  // namespace

void draw_icon(ImDrawList& list, Icon icon, ImVec2 centre, float size, ImU32 colour) {
    const Pen pen{
        list, {std::floor(centre.x) + 0.5F, std::floor(centre.y) + 0.5F}, size / 2, std::max(1.25F, size / 9), colour};
    switch (icon) {
        case Icon::kNone: break;
        case Icon::kRun: list.AddTriangleFilled(pen.at(-0.6F, -0.8F), pen.at(0.85F, 0), pen.at(-0.6F, 0.8F), colour); break;
        case Icon::kStop: pen.solid(-0.65F, -0.65F, 0.65F, 0.65F); break;
        case Icon::kFit: draw_fit(pen); break;
        case Icon::kFollow: draw_follow(pen); break;
        case Icon::kTheme: draw_theme(pen); break;
        case Icon::kHelp: draw_help(pen); break;
        case Icon::kExport: draw_export(pen); break;
        case Icon::kClose:
            pen.line(-0.6F, -0.6F, 0.6F, 0.6F);
            pen.line(-0.6F, 0.6F, 0.6F, -0.6F);
            break;
        case Icon::kPanel:
            pen.box(-0.9F, -0.75F, 0.9F, 0.75F);
            pen.solid(0.25F, -0.75F, 0.9F, 0.75F);
            break;
        case Icon::kTable:
            pen.box(-0.9F, -0.75F, 0.9F, 0.75F);
            pen.solid(-0.9F, 0.15F, 0.9F, 0.75F);
            break;
        case Icon::kGear: draw_gear(pen); break;
        case Icon::kMenu:
            for (const float y : {-0.6F, 0.0F, 0.6F}) pen.line(-0.8F, y, 0.8F, y);
            break;
        case Icon::kPanes:
            pen.box(-0.9F, -0.75F, 0.9F, 0.75F);
            pen.line(-0.9F, 0, 0.9F, 0);
            break;
        case Icon::kFold:
            list.AddTriangleFilled(pen.at(-0.7F, -0.35F), pen.at(0.7F, -0.35F), pen.at(0, 0.5F), colour);
            break;
        case Icon::kUnfold:
            list.AddTriangleFilled(pen.at(-0.35F, -0.7F), pen.at(0.5F, 0), pen.at(-0.35F, 0.7F), colour);
            break;
    }
}

}  // namespace sla::ui
