#include "viewer/ui/commands/actions.h"
#include "viewer/ui/commands/keymap.h"
#include "viewer/ui/timeline/lanes_area.h"
#include "viewer/ui/widgets/paint.h"
#include "viewer/ui/widgets/widgets.h"

#include <fmt/format.h>

#include <algorithm>

namespace sla::ui {

namespace {

struct Words {
    std::string title;
    std::string next;
    std::string more;
};

Words words_for(const SourceStatus& status, const Keymap& keys) {
    switch (status.state) {
        case SourceState::kConnecting: return {"Looking for the agent\xE2\x80\xA6", status.name, status.message};
        case SourceState::kLoading:
            return {fmt::format("Reading {}\xE2\x80\xA6", status.name), fmt::format("{:.0f} %", status.progress * 100), ""};
        case SourceState::kLive:
        case SourceState::kFull:
            return {"Connected. No channel yet.",
                    "Start a marked program:  sla record -- PROGRAM, or any program with sla/marker.h",
                    "or send one event by hand:  sla mark hello 1"};
        case SourceState::kStopped: return {"Stopped.", keys.with_keys("Press {run}, or Run above, to receive events."), ""};
        case SourceState::kEnded:
            return {"The agent has finished.", keys.with_keys("No event was recorded. Press {run} to connect again."), ""};
        case SourceState::kLoaded:
            return {"This capture holds no channel.",
                    "Drop another capture on this window, or record one:", "sla record -o run.sla -- PROGRAM"};
        case SourceState::kNone:
        case SourceState::kLost: break;
    }
    return {};
}

// With nothing to show: what this is, and three ways to begin.
void draw_welcome(Context& context, const Rect& area) {
    const float line = context.px(22);
    const float width = std::min(context.px(640), area.width - context.px(48));
    Rect at{std::floor(area.x + (area.width - width) / 2), area.y + context.px(20), width, line};
    const auto say = [&](const ImFont* font, ImU32 colour, std::string_view text, float more = 0) {
        draw_text(context.list, font, at, colour, text);
        at.y += line + more;
    };
    say(context.fonts.strong, context.theme.text, "Soft Logic Analyzer", context.px(2));
    say(context.fonts.text, context.theme.text,
        "Shows what software does as a bench logic analyzer shows pins: one lane a channel,");
    say(context.fonts.text, context.theme.text,
        "one mark an event, stamped by the processor's own counter; A and B measure between them.", context.px(10));
    const auto offer = [&](const char* id, const char* label, const char* words, const char* action) {
        const ButtonStyle look{.label = label, .active = true};
        const float button_wide = std::max(button_width(context, look), context.px(150));
        if (button(context, id, {at.x, at.y, button_wide, context.px(28)}, look)) run_action(context, action);
        draw_text(context.list, context.fonts.text,
                  {at.x + button_wide + context.px(16), at.y, width - button_wide - context.px(16), context.px(28)},
                  context.theme.dim, words);
        at.y += context.px(36);
    };
    offer("welcome demo", "Start the demo", "an emulated PC and a marked program, live; ends with this window", "demo");
    offer("welcome open", "Open\xE2\x80\xA6", "a capture, or an agent; or drop a .sla file here", "open");
    const std::string help = context.keys.with_keys("{help} shows them at any time, {palette} finds anything by name");
    offer("welcome help", "Mouse and keys", help.c_str(), "help");
    std::size_t shown = 0;
    for (const std::string& target : context.settings.recent) {
        if (++shown > 5 || at.bottom() > area.bottom() - line) break;
        if (shown == 1) say(context.fonts.small, context.theme.dim, "Open again:");
        ImGui::PushID(static_cast<int>(shown));
        const bool hovered = mouse_area("recent", at);
        if (ImGui::IsItemClicked()) context.commands.push(command::OpenSource{target});
        ImGui::PopID();
        say(context.fonts.text, hovered ? context.theme.text : context.theme.accent, target);
    }
    if (at.bottom() + line * 2 > area.bottom()) return;
    at.y += context.px(6);
    say(context.fonts.small, context.theme.dim,
        "Your own program: put SLA_TICK(rx) where it matters, then  sla record -- PROGRAM");
    say(context.fonts.small, context.theme.dim, "Live: start sla-agent and the program, in any order.");
}

}  // namespace

void draw_empty_state(Context& context) {
    const Rect& area = context.layout.lanes;
    const SourceState state = context.status.state;
    if (state == SourceState::kNone || state == SourceState::kLost) {
        draw_welcome(context, area);
        return;
    }
    const Words words = words_for(context.status, context.keys);
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
