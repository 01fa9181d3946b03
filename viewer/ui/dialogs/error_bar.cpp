#include "viewer/ui/dialogs/error_bar.h"

#include "viewer/timeline/readable.h"
#include "viewer/ui/commands/actions.h"
#include "viewer/ui/commands/keymap.h"
#include "viewer/ui/widgets/paint.h"
#include "viewer/ui/widgets/widgets.h"
#include "viewer/workspace/document.h"

#include <fmt/format.h>

#include <algorithm>

namespace sla::ui {

namespace {

struct BarWords {
    std::string message;
    Severity severity = Severity::kError;
    std::string again;
    std::string more;
    bool losses = false;
};

struct BarColours {
    ImU32 ground;
    ImU32 edge;
    ImU32 text;
};

BarColours colours_of(const Theme& theme, Severity severity) {
    switch (severity) {
        case Severity::kInformation: return {theme.raised, theme.accent, theme.text};
        case Severity::kWarning: return {theme.warning_bar, theme.cursor_a, theme.on_warning};
        case Severity::kError: break;
    }
    return {theme.error_bar, theme.loss, theme.on_error};
}

// Looks at the newest lanes first: one that stands for channels beyond the last ring is among them.
std::uint64_t lost_without_ring(const store::Session& session) {
    const auto& lanes = session.lanes();
    std::uint64_t lost = 0;
    std::uint64_t lossy = session.changes().totals().lossy_lanes;
    for (auto lane = lanes.rbegin(); lane != lanes.rend() && lossy > 0; ++lane) {
        if ((*lane)->lost() == 0 && (*lane)->uncounted_losses() == 0) continue;
        lost += (*lane)->lost(wire::LossCause::kNoRing);
        --lossy;
    }
    return lost;
}

const char* advice_on_losses(const store::Session& session) {
    if (session.lost() == 0) return "The list says why.";  // nobody knows how many
    const std::uint64_t of_rings = session.changes().totals().lost_in_rings;
    const std::uint64_t of_readers = session.changes().totals().lost_by_reader;
    const std::uint64_t others = session.lost() - std::min(session.lost(), of_rings + of_readers);
    if (of_rings >= std::max(of_readers, others) && lost_without_ring(session) * 2 > of_rings)
        return "There was no ring for them: mark fewer channels, prepare them before a sandbox, unless no agent was found "
               "yet.";
    if (of_rings >= std::max(of_readers, others)) return "Mark less, filter the channel, or give it a larger ring.";
    if (of_readers >= others)
        return "This window was too slow for them: sla-agent --memory and --channel-memory hold them longer.";
    return "The list says why.";
}

std::string events_lost(const store::Session& session, const std::string& places) {
    if (session.lost() == 0) return "Events may be missing on " + places + ", nobody counted them";
    const char* verb = session.lost() == 1 ? "event was" : "events were";
    const char* more = session.uncounted_losses() > 0 ? ", and more that nobody counted" : "";
    return fmt::format("{} {} lost on {}{}", timeline::grouped(session.lost()), verb, places, more);
}

BarWords words_of(const Context& context, LossAdvice& advice) {
    const std::size_t count = context.errors.count();
    if (!shows_losses(context)) {
        const Message& shown = context.errors.shown();
        return {shown.text, shown.severity, shown.again, count > 1 ? fmt::format("and {} more", count - 1) : std::string()};
    }
    const std::uint64_t channels = context.session.changes().totals().lossy_lanes;
    const std::string places = fmt::format("{} {}", timeline::grouped(channels), channels == 1 ? "channel" : "channels");
    return {fmt::format("{}; each place is hatched in red. {}", events_lost(context.session, places),
                        advice.on(context.session)),
            Severity::kWarning, "", "show them", true};
}

// Its left edge, from which the text ends.
float draw_more(Context& context, const BarWords& words, const Rect& cross, ImU32 colour) {
    const std::string others = words.losses || words.more.empty() ? std::string() : context.errors.others();
    const std::string tip =
        words.losses ? context.keys.with_keys("The list of gaps  ({gaps})") : others + "\n\nClick: dismiss all of them";
    const ButtonStyle more{.label = words.more, .tooltip = tip.c_str(), .colour = colour};
    const float width = words.more.empty() ? 0 : button_width(context, more);
    const Rect place{cross.x - width - context.px(4), cross.y, width, cross.height};
    if (width > 0 && button(context, "more", place, more)) run_action(context, words.losses ? "gaps" : "dismiss-all");
    if (words.again.empty()) return place.x;
    const ButtonStyle again{.label = "Try again", .tooltip = "Open it once more", .active = true};
    const float again_width = button_width(context, again);
    const Rect again_place{place.x - again_width - context.px(8), place.y, again_width, place.height};
    if (button(context, "try again", again_place, again)) {
        context.commands.push(command::OpenSource{words.again});
        context.errors.dismiss();
    }
    return again_place.x;
}

}  // namespace

const char* LossAdvice::on(const store::Session& session) {
    const std::uint64_t lossy_lanes = session.changes().totals().lossy_lanes;
    if (looks_ > 0 && &session == session_ && session.lost() == lost_ && lossy_lanes == lossy_lanes_) return advice_;
    session_ = &session;
    lost_ = session.lost();
    lossy_lanes_ = lossy_lanes;
    advice_ = advice_on_losses(session);
    ++looks_;
    return advice_;
}

void ErrorBar::draw(Context& context) {
    const Rect& bar = context.layout.error_bar;
    if (bar.height <= 0 || !(context.errors.any() || context.document.has_unseen_losses())) return;
    const BarWords words = words_of(context, advice_);
    const BarColours colours = colours_of(context.theme, words.severity);
    fill(context.list, bar, colours.ground);
    fill(context.list, {bar.x, bar.y, context.px(4), bar.height}, colours.edge);
    const std::string tip = context.keys.with_keys("Dismiss  ({dismiss})");
    const ButtonStyle close{.icon = Icon::kClose, .label = "", .tooltip = tip.c_str(), .colour = colours.text};
    const float width = button_width(context, close);
    const Rect cross{bar.right() - width - context.px(8), bar.y + context.px(4), width, bar.height - context.px(8)};
    const float end = draw_more(context, words, cross, colours.text);
    const Rect text{bar.x + context.px(16), bar.y, end - bar.x - context.px(28), bar.height};
    const bool cut = draw_text(context.list, context.fonts.text, text, colours.text, words.message);
    if (mouse_area("error text", text) && cut) tooltip(context, words.message);
    if (button(context, "dismiss", cross, close)) run_action(context, "dismiss");
}

void draw_notice(Context& context) {
    const std::string& words = context.errors.notice();
    if (words.empty()) return;
    const Rect& area = context.layout.lanes;
    const float most = area.width - context.px(24);
    const float width = std::min(most, text_width(context.fonts.text, words) + context.px(28));
    const float height = std::min(area.height, context.px(30));
    const Rect place{std::floor(area.x + (area.width - width) / 2), area.bottom() - height - context.px(10), width, height};
    fill(context.list, place, context.theme.line, context.px(6));
    fill(context.list, place.inset(context.hair(), context.hair()), context.theme.raised, context.px(6));
    draw_text(context.list, context.fonts.text, place.inset(context.px(12), 0), context.theme.text, words, Align::kCentre);
}

}  // namespace sla::ui
