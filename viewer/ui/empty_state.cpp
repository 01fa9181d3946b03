#include "viewer/ui/lanes_area.h"
#include "viewer/ui/paint.h"

#include <fmt/format.h>

namespace sla::ui {

namespace {

struct Words {
    std::string title;
    std::string next;
    std::string more;
};

Words words_for(const FeedStatus& status) {
    switch (status.state) {
        case FeedState::kConnecting: return {"Looking for the agent\xE2\x80\xA6", status.name, ""};
        case FeedState::kLoading:
            return {fmt::format("Reading {}\xE2\x80\xA6", status.name), fmt::format("{:.0f} %", status.progress * 100), ""};
        case FeedState::kLive:
            return {"Connected. No channel yet.",
                    "Start a marked program:  sla record -- PROGRAM, or any program with sla/marker.h",
                    "or send one event by hand:  sla mark hello 1"};
        case FeedState::kStopped: return {"Stopped.", "Press Space, or Run above, to receive events.", ""};
        case FeedState::kEnded:
            return {"The agent has finished.", "No event was recorded. Press Space to connect again.", ""};
        case FeedState::kLoaded:
            return {"This capture holds no channel.",
                    "Drop another capture on this window, or record one:", "sla record -o run.sla -- PROGRAM"};
        case FeedState::kNone:
        case FeedState::kLost: break;
    }
    return {"No agent here.", "Start one:  sla-agent  and press Space to connect.",
            "Or open a capture: drop a .sla file on this window."};
}

}  // namespace

void draw_empty_state(Context& context) {
    const Rect& area = context.layout.lanes;
    const Words words = words_for(context.status);
    const float line = context.px(24);
    const float top = std::floor(area.y + (area.height - line * 3) / 2);
    const Rect title{area.x, top, area.width, line};
    const Rect inside = title.inset(context.px(16), 0);
    draw_text(context.list, context.fonts.strong, inside, context.theme.text, words.title, Align::kCentre);
    draw_text(context.list, context.fonts.text, {inside.x, top + line, inside.width, line}, context.theme.dim, words.next,
              Align::kCentre);
    draw_text(context.list, context.fonts.text, {inside.x, top + line * 2, inside.width, line}, context.theme.dim,
              words.more, Align::kCentre);
}

}  // namespace sla::ui
