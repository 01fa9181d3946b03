#include "viewer/ui/error_bar.h"

#include "viewer/ui/paint.h"
#include "viewer/ui/widgets.h"

#include <fmt/format.h>

namespace sla::ui {

void draw_error_bar(Context& context) {
    const Rect& bar = context.layout.error_bar;
    if (bar.height <= 0 || !context.errors.any()) return;
    fill(context.list, bar, context.theme.error_bar);
    fill(context.list, {bar.x, bar.y, context.px(4), bar.height}, context.theme.loss);
    const ButtonLook close{Icon::kClose, "", "Dismiss", false, true, context.theme.on_error};
    const float width = button_width(context, close);
    const Rect cross{bar.right() - width - context.px(8), bar.y + context.px(4), width, bar.height - context.px(8)};
    std::string more = context.errors.count() > 1 ? fmt::format("and {} more", context.errors.count() - 1) : "";
    const float more_width = text_width(context.fonts.small, more);
    const Rect rest{cross.x - more_width - context.px(12), bar.y, more_width, bar.height};
    draw_text(context.list, context.fonts.small, rest, context.theme.on_error, more);
    const Rect text{bar.x + context.px(16), bar.y, rest.x - bar.x - context.px(28), bar.height};
    const std::string message = context.errors.newest();
    const bool cut = draw_text(context.list, context.fonts.text, text, context.theme.on_error, message);
    if (mouse_area("error text", text) && cut) tooltip(context, message);
    if (button(context, "dismiss", cross, close)) context.errors.dismiss();
}

}  // namespace sla::ui
