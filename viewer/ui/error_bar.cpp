#include "viewer/ui/error_bar.h"

#include "viewer/timeline/readable.h"
#include "viewer/ui/desk.h"
#include "viewer/ui/paint.h"
#include "viewer/ui/widgets.h"

#include <fmt/format.h>

namespace sla::ui {

namespace {

struct BarWords {
    std::string message;
    std::string more;
    bool losses = false;
};

BarWords words_of(const Context& context) {
    const std::size_t errors = context.errors.count();
    if (errors > 0) {
        return {context.errors.newest(), errors > 1 ? fmt::format("and {} more", errors - 1) : std::string(), false};
    }
    std::size_t channels = 0;
    for (const store::Lane* lane : context.session.lanes()) channels += lane->lost() > 0 ? 1 : 0;
    const std::uint64_t lost = context.session.lost();
    return {fmt::format("{} events were lost on {} {}, each place is hatched. Mark less, filter the channel, or give it a "
                        "larger ring.",
                        timeline::grouped(lost), timeline::grouped(channels), channels == 1 ? "channel" : "channels"),
            "show them", true};
}

}  // namespace

bool loss_banner(const Desk& desk) {
    return desk.feed->session().lost() > desk.losses_told;
}

void draw_error_bar(Context& context) {
    const Rect& bar = context.layout.error_bar;
    if (bar.height <= 0 || !(context.errors.any() || loss_banner(context.desk))) return;
    fill(context.list, bar, context.theme.error_bar);
    fill(context.list, {bar.x, bar.y, context.px(4), bar.height}, context.theme.loss);
    const ButtonLook close{Icon::kClose, "", "Dismiss", false, true, context.theme.on_error};
    const float width = button_width(context, close);
    const Rect cross{bar.right() - width - context.px(8), bar.y + context.px(4), width, bar.height - context.px(8)};
    const BarWords words = words_of(context);
    const ButtonLook more{Icon::kNone, words.more,   words.losses ? "The list of gaps  (F9)" : "",
                          false,       words.losses, context.theme.on_error};
    const float more_width = words.more.empty() ? 0 : button_width(context, more);
    const Rect rest{cross.x - more_width - context.px(4), bar.y + context.px(4), more_width, cross.height};
    if (more_width > 0 && words.losses) {
        if (button(context, "show losses", rest, more)) run_action(context, "gaps");
    } else {
        draw_text(context.list, context.fonts.small, rest, context.theme.on_error, words.more, Align::kCentre);
    }
    const Rect text{bar.x + context.px(16), bar.y, rest.x - bar.x - context.px(28), bar.height};
    const bool cut = draw_text(context.list, context.fonts.text, text, context.theme.on_error, words.message);
    if (mouse_area("error text", text) && cut) tooltip(context, words.message);
    if (!button(context, "dismiss", cross, close)) return;
    if (words.losses) {
        context.desk.losses_told = context.session.lost();
    } else {
        context.errors.dismiss();
    }
}

}  // namespace sla::ui
