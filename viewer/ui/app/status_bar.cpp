#include "viewer/ui/app/status_bar.h"

#include "viewer/timeline/clock_words.h"
#include "viewer/timeline/readable.h"
#include "viewer/ui/dialogs/export_dialog.h"
#include "viewer/ui/timeline/unfetched.h"
#include "viewer/ui/widgets/paint.h"
#include "viewer/ui/widgets/widgets.h"
#include "viewer/workspace/document.h"

#include <fmt/format.h>

#include <string>
#include <vector>

namespace sla::ui {

namespace {

struct Item {
    std::string text;
    ImU32 colour;
    const char* tooltip;
};

// Of a live session those that run, and how many have ended.
std::string sources_text(const store::Session& session, bool live) {
    std::string out;
    const auto add = [&](store::SourceKind kind, const char* one, const char* many) {
        std::size_t all = 0;
        std::size_t ended = 0;
        for (const auto& [id, source] : session.sources()) {
            all += source.kind == kind ? 1 : 0;
            ended += source.kind == kind && source.ended && live ? 1 : 0;
        }
        if (all == 0) return;
        if (!out.empty()) out += ", ";
        out += fmt::format("{} {}", all, all == 1 ? one : many);
        if (ended > 0) out += all == 1 ? " (ended)" : fmt::format(" ({} ended)", ended);
    };
    add(store::SourceKind::kProgram, "program", "programs");
    add(store::SourceKind::kPc, "PC", "PCs");
    add(store::SourceKind::kHost, "host", "hosts");
    return out;
}

std::string one_line(const timeline::ClockWords& clock) {
    std::string line = clock.stamps;
    for (const std::string& more : {clock.rate, clock.known_to}) {
        if (!more.empty()) line += (line.empty() ? "" : " ") + more;
    }
    return line;
}

Item losses_item(const Context& context) {
    const store::Session& session = context.session;
    const std::string lost = timeline::lost_words(session.lost(), session.uncounted_losses());
    if (session.uncounted_losses() > 0)
        return {lost, context.theme.loss, "What nobody could count too, as without an agent; where: see Gaps"};
    return {lost, session.lost() > 0 ? context.theme.loss : context.theme.dim, "Counted, never guessed; where: see Gaps"};
}

// Of the time before this window came.
void add_not_kept(const Context& context, std::vector<Item>& items) {
    const std::uint64_t events = context.session.not_kept();
    if (events == 0) return;
    items.push_back(
        {timeline::readable_count(static_cast<double>(events)) + " not kept", context.theme.dim,
         "From before this window came, and the agent's memory had given them up: sla-agent --memory; where: see Gaps"});
}

std::vector<Item> items_of(const Context& context) {
    const store::Session& session = context.session;
    const Theme& theme = context.theme;
    std::vector<Item> items;
    if (const std::string words = export_words(context); !words.empty()) {
        items.push_back({words, theme.accent, "An export is being written; the window goes on"});
    }
    const bool live = context.status.state == SourceState::kLive;
    if (live)
        items.push_back(
            {timeline::readable_rate(context.rates.total(), "events/s"), theme.text, "All channels, over the last second"});
    if (!session.lanes().empty()) {
        items.push_back({timeline::events_text(session.events()), theme.dim, "Held by this window"});
        if (context.status.disk_bytes > 0) {
            items.push_back({timeline::readable_bytes(static_cast<double>(context.status.disk_bytes)) + " on disk",
                             theme.dim,
                             "Older rows, in a file that goes with this window; they are found and shown like all other"});
        }
        if (const std::string words = unfetched_words(context); !words.empty()) {
            items.push_back(
                {words, theme.dim,
                 "This window began with the last of what the agent holds (--history, Settings); the rest is fetched "
                 "when you look there, as by fitting all"});
        }
        items.push_back(losses_item(context));
        add_not_kept(context, items);
    }
    const store::Health& health = session.health();
    // Of an agent that is left or gone it is true no more; a part of a capture has nothing of it.
    if (health.known && health.agent_bytes > 0 && (live || !context.source.can_run())) {
        items.push_back(
            {fmt::format("agent {:.1f} %", health.agent_cpu * 100), theme.dim, "Share of one core that the agent uses"});
        items.push_back({"agent " + timeline::readable_bytes(static_cast<double>(health.agent_bytes)), theme.dim,
                         "Resident memory of the agent"});
    }
    const std::string sources = sources_text(session, live);
    if (!sources.empty()) items.push_back({sources, theme.dim, "Where channels come from"});
    if (const auto clock = timeline::clock_words(session)) {
        items.push_back({one_line(*clock), theme.dim,
                         clock->known_to.empty() ? "What one tick stands for; no clock was measured"
                                                 : "The clock that stamps: its frequency and how well that is known"});
    }
    if (session.damage_count() > 0) {
        const bool is_one = session.damage_count() == 1;
        items.push_back(
            {timeline::grouped(session.damage_count()) + (is_one ? " damage" : " damages"), theme.loss,
             is_one ? "A part of the stream that was not as promised" : "Parts of the stream that were not as promised"});
    }
    return items;
}

// Gives where it begins.
float draw_frame_time(Context& context, const Rect& bar) {
    if (context.frame_ms <= 0) return bar.right();
    const ImFont* font = context.fonts.small;
    const float width = text_width(font, "frame 00.0 ms");
    draw_text(context.list, font, {bar.right() - width - context.px(12), bar.y, width, bar.height}, context.theme.dim,
              fmt::format("frame {:.1f} ms", context.frame_ms), Align::kRight);
    return bar.right() - width - context.px(12);
}

}  // namespace

void draw_status_bar(Context& context) {
    const Rect& bar = context.layout.status;
    if (bar.height <= 0) return;  // the window is too low for it
    fill(context.list, bar, context.theme.panel);
    fill(context.list, {bar.x, bar.y, bar.width, context.hair()}, context.theme.line);
    const ImFont* font = context.fonts.small;
    const float end = draw_frame_time(context, bar) - context.px(12);
    float x = bar.x + context.px(12);
    int id = 0;
    for (const Item& item : items_of(context)) {
        const float width = text_width(font, item.text);
        if (x + width > end) break;
        const Rect place{x, bar.y, width, bar.height};
        draw_text(context.list, font, place, item.colour, item.text);
        ImGui::PushID(id++);
        if (mouse_area("status", place)) tooltip(context, item.tooltip);
        ImGui::PopID();
        x += width + context.px(20);
    }
}

}  // namespace sla::ui
