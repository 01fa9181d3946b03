#include "viewer/ui/timeline/head_name.h"

#include "viewer/store/host_texts.h"
#include "viewer/timeline/readable.h"
#include "viewer/ui/widgets/item_rects.h"
#include "viewer/ui/widgets/paint.h"
#include "viewer/ui/widgets/widgets.h"
#include "viewer/workspace/document.h"

#include <string>
#include <string_view>

namespace sla::ui {

namespace {

constexpr std::string_view kUnsynchronised = "unsynchronised";

// Why times of the source's host cannot be compared with other hosts'.
std::string clock_problem_below(const Context& context, const timeline::TreeRow& row) {
    if (row.any == nullptr || context.session.hosts().empty()) return "";  // of one host alone nothing is to be compared
    const store::Host* host = context.session.host_of(*row.any);
    std::string text = store::clock_problem(context.session, host);
    return host == nullptr || text.empty() ? text : text + "\n" + store::placing_text(*host);
}

// In words where the name has space beside them, which is what tells programs apart; else as a dot. Returns its width.
float mark_problem(Context& context, const Rect& number, float used) {
    const float words = text_width(context.fonts.small, kUnsynchronised) + context.px(8);
    const float space = number.x - context.layout.names.x - used - context.px(24);
    if (words <= space) {
        draw_text(context.list, context.fonts.small, {number.x - words, number.y, words, number.height}, context.theme.loss,
                  kUnsynchronised);
        return words;
    }
    const float dot = context.px(12);
    context.list.AddCircleFilled({number.x - dot / 2, number.y + number.height / 2}, context.px(2.5F), context.theme.loss);
    return dot;
}

}  // namespace

float name_begin(const Context& context, const timeline::TreeRow& row, const Rect& place) {
    constexpr float kIndent = 14;
    return place.x + context.px(8 + kIndent * static_cast<float>(row.depth));
}

void draw_head_name(Context& context, const VisibleRow& visible, const Rect& place) {
    const timeline::TreeRow& row = *visible.row;
    const bool source = row.kind == timeline::RowKind::kSource;
    fill(context.list, place, mixed(context.theme.background, context.theme.panel, 0.7F));
    ImGui::PushID(row.key.c_str());
    const bool hovered = mouse_area("fold", place);
    note_item("head of", row.key);
    if (ImGui::IsItemClicked(1)) context.document.panels.head_menu = row.key;
    ImGui::PopID();
    const float x = name_begin(context, row, place);
    draw_icon(context.list, row.folded ? Icon::kUnfold : Icon::kFold, {x + context.px(5), place.y + place.height / 2},
              context.px(9), hovered ? context.theme.text : context.theme.dim);
    const std::string count = timeline::grouped(row.children);
    const float count_width = text_width(context.fonts.small_number, count);
    const Rect number{place.right() - context.px(10) - count_width, place.y, count_width, place.height};
    draw_text(context.list, context.fonts.small_number, number, context.theme.dim, count);
    const std::string problem = source ? clock_problem_below(context, row) : std::string();
    const ImFont* const font = source ? context.fonts.strong : context.fonts.text;
    const float mark_width = problem.empty() ? 0 : mark_problem(context, number, text_width(font, row.name) + x - place.x);
    const Rect name{x + context.px(16), place.y, number.x - mark_width - x - context.px(24), place.height};
    const bool cut = draw_text(context.list, font, name,
                               source ? context.theme.text : mixed(context.theme.dim, context.theme.text, 0.6F), row.name);
    if (hovered && !problem.empty()) tooltip(context, row.name + "\n" + problem);
    if (hovered && cut && problem.empty()) tooltip(context, row.name);
}

}  // namespace sla::ui
