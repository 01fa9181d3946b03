#include "viewer/ui/widgets/paint.h"

#include "proto/base/text.h"
#include "viewer/timeline/readable.h"
#include "viewer/ui/widgets/fonts.h"

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <string>

namespace sla::ui {

namespace {

constexpr std::string_view kEllipsis = "\xE2\x80\xA6";

// Fonts of nearby sizes in one row share a baseline.
float centred_y(const ImFont* font, const Rect& place) {
    const float baseline = std::floor(place.y + place.height / 2 + 0.33F * font->FontSize);
    return baseline - std::round(font->Ascent);
}

void put_text(ImDrawList& list, const ImFont* font, ImVec2 at, ImU32 colour, std::string_view text) {
    list.AddText(font, font->FontSize, {std::floor(at.x), std::floor(at.y)}, colour, text.data(), text.data() + text.size());
}

float aligned_x(const Rect& place, float width, Align align) {
    switch (align) {
        case Align::kLeft: return place.x;
        case Align::kCentre: return std::floor(place.x + (place.width - width) / 2);
        case Align::kRight: return std::floor(place.right() - width);
    }
    return place.x;
}

// A text of several lines stands in one: a sign says where each ends.
std::string in_one_line(std::string_view text) {
    constexpr std::string_view kLineEnd = "\xE2\x86\xB5";
    std::string line;
    for (const char c : text) {
        if (c == '\n') line += kLineEnd;
        if (c != '\n') line += c;
    }
    return line;
}

bool has_lines(std::string_view text) {
    return text.find('\n') != std::string_view::npos;
}

// How many bytes of `text` fit into `width` pixels.
std::size_t bytes_that_fit(const ImFont* font, std::string_view text, float width) {
    const char* rest = nullptr;
    font->CalcTextSizeA(font->FontSize, width, 0.0F, text.data(), text.data() + text.size(), &rest);
    std::size_t fitting = static_cast<std::size_t>(rest - text.data());
    while (fitting > 0 && fitting < text.size() && !begins_character(text[fitting])) --fitting;
    return fitting;
}

}  // namespace

// Each line is measured before it is placed. Of plain characters and gaps between digits, the most there are, the width is
// a sum.
float text_width(const ImFont* font, std::string_view text) {
    constexpr unsigned kThinGapCode = 0x2009;
    float width = 0;
    std::string_view rest = text;
    while (!rest.empty()) {
        const bool is_gap = rest.starts_with(timeline::kThinGap);
        const unsigned code = is_gap ? kThinGapCode : static_cast<unsigned char>(rest.front());
        const bool is_known = is_gap || (code >= ' ' && code <= '~');
        if (!is_known || static_cast<int>(code) >= font->IndexAdvanceX.Size) break;
        width += font->IndexAdvanceX.Data[code];
        rest.remove_prefix(is_gap ? timeline::kThinGap.size() : 1);
    }
    if (rest.empty()) return width;
    if (has_lines(rest)) return text_width(font, in_one_line(text));
    note_missing(*font, rest);
    return font->CalcTextSizeA(font->FontSize, FLT_MAX, 0.0F, text.data(), text.data() + text.size()).x;
}

float draw_text_at(ImDrawList& list, const ImFont* font, ImVec2 at, ImU32 colour, std::string_view text) {
    put_text(list, font, at, colour, text);
    return at.x + text_width(font, text);
}

bool draw_text(ImDrawList& list, const ImFont* font, const Rect& place, ImU32 colour, std::string_view text, Align align) {
    if (has_lines(text)) return draw_text(list, font, place, colour, in_one_line(text), align);
    const float width = text_width(font, text);
    const float y = centred_y(font, place);
    if (width <= place.width + 0.5F) {
        put_text(list, font, {aligned_x(place, width, align), y}, colour, text);
        return false;
    }
    const float ellipsis = text_width(font, kEllipsis);
    if (ellipsis > place.width) return true;
    const std::size_t bytes = bytes_that_fit(font, text, place.width - ellipsis);
    const float x = draw_text_at(list, font, {place.x, y}, colour, text.substr(0, bytes));
    put_text(list, font, {x, y}, colour, kEllipsis);
    return true;
}

bool draw_quantity(ImDrawList& list, const ImFont* font, const Rect& place, ImU32 colour, ImU32 unit_colour,
                   std::string_view text, Align align) {
    const std::size_t space = text.rfind(' ');
    const float width = text_width(font, text);
    if (space == std::string_view::npos || width > place.width + 0.5F || has_lines(text)) {
        return draw_text(list, font, place, colour, text, align);
    }
    const float y = centred_y(font, place);
    const float x = draw_text_at(list, font, {aligned_x(place, width, align), y}, colour, text.substr(0, space));
    put_text(list, font, {x, y}, unit_colour, text.substr(space));
    return false;
}

void draw_hatch(ImDrawList& list, const Rect& place, ImU32 colour, float step, float thickness) {
    const Clip clip(list, place);
    const float start = std::floor((place.x - place.height) / step) * step;
    const float shift = std::fmod(place.bottom(), step);
    for (float x = start - shift; x < place.right() + step; x += step) {
        list.AddLine({x, place.bottom()}, {x + place.height, place.y}, colour, thickness);
    }
}

void draw_dashed_vertical(ImDrawList& list, float x, float y0, float y1, ImU32 colour, float dash, float thickness) {
    for (float y = y0; y < y1; y += dash * 2) draw_vertical(list, x, y, std::min(y + dash, y1), colour, thickness);
}

void draw_vertical(ImDrawList& list, float x, float y0, float y1, ImU32 colour, float thickness) {
    const float left = std::floor(x - std::floor(thickness / 2));
    list.AddRectFilled({left, y0}, {left + thickness, y1}, colour);
}

void fill(ImDrawList& list, const Rect& place, ImU32 colour, float rounding) {
    if (place.width <= 0 || place.height <= 0) return;
    list.AddRectFilled(place.min(), place.max(), colour, rounding);
}

void line_below(ImDrawList& list, const Rect& place, ImU32 colour, float thickness) {
    list.AddRectFilled({place.x, place.bottom() - thickness}, place.max(), colour);
}

void line_right(ImDrawList& list, const Rect& place, ImU32 colour, float thickness) {
    list.AddRectFilled({place.right() - thickness, place.y}, place.max(), colour);
}

}  // namespace sla::ui
