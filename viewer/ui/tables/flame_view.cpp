#include "viewer/ui/tables/flame_view.h"

#include "viewer/timeline/readable.h"
#include "viewer/timeline/value_at.h"
#include "viewer/ui/commands/navigation.h"
#include "viewer/ui/tables/grid.h"
#include "viewer/ui/widgets/paint.h"
#include "viewer/ui/widgets/widgets.h"
#include "viewer/workspace/document.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace sla::ui {

namespace {

constexpr float kFlameRow = 18;
constexpr float kTrackGap = 8;
constexpr double kRest = 0.1;  // seconds between two looks at what grows

std::string thread_words(const Context& context, const timeline::FlameTrack& track) {
    const std::uint32_t id = track.thread;
    const store::Thread* thread = context.session.thread(ThreadId{id});
    if (thread == nullptr) return id == 0 ? std::string("no thread") : fmt::format("thread {}", id);
    if (thread->tid == 0) return thread->name.empty() ? std::string("no thread") : thread->name;
    return thread->name.empty() ? fmt::format("{}", thread->tid) : fmt::format("{} ({})", thread->name, thread->tid);
}

std::string length_words(const Context& context, const timeline::FlameBar& bar) {
    if (bar.state == store::SpanState::kOpen) return "open";
    const auto ticks = static_cast<std::int64_t>(bar.end_tick - bar.begin_tick);
    const std::string length = timeline::readable_delta(context.session.clock().ticks_to_ps(ticks));
    return bar.state == store::SpanState::kCut ? length + ", its end is lost" : length;
}

std::string words_of(const Context& context, const timeline::FlameBar& bar) {
    const std::string& name = context.tree.title_of(*bar.lane);
    const std::string from = timeline::readable_time(context.time_ps(bar.begin_tick), 1'000);
    if (bar.count > 1)
        return fmt::format("{}\n{} spans begin here, too narrow to be told apart\nfrom {}", name,
                           timeline::grouped(bar.count), from);
    std::string words = fmt::format("{}\n{}\nfrom {}", name, length_words(context, bar), from);
    if (!bar.lane->is_row_here(bar.begin_index)) return words;
    if (const std::string value = timeline::value_text((*bar.lane)[bar.begin_index]); !value.empty()) words += "\n" + value;
    if (const std::string text = bar.lane->text(bar.begin_index); !text.empty()) words += "\n" + text;
    return words;
}

}  // namespace

void FlameView::refresh(Context& context) {
    const timeline::Viewport& port = context.view.port();
    const bool is_same_view = port.visible() == seen_range_ && port.width() == seen_width_ &&
                              seen_lanes_ == context.tree.revision() && seen_gone_ == context.document.gone.revision();
    const double now = ImGui::GetTime();
    const std::uint64_t events = context.session.events();
    const bool more_pages = flame_.rough && seen_pages_ != context.session.pages_revision();
    const bool is_fresh = !more_pages && (events == seen_events_ || now - refreshed_at_ < kRest);
    if (is_same_view && is_fresh) return;
    std::vector<timeline::FlameLane> lanes;
    for (const store::Lane* lane : context.tree.lanes()) {
        if (!lane->spans().empty()) lanes.push_back({lane, context.known_until(*lane), context.offset_of(*lane)});
    }
    seen_pages_ = context.session.pages_revision();
    flame_ = timeline::make_flame(lanes, port);
    seen_range_ = port.visible();
    seen_width_ = port.width();
    seen_lanes_ = context.tree.revision();
    seen_gone_ = context.document.gone.revision();
    seen_events_ = events;
    refreshed_at_ = now;
    for (const timeline::FlameTrack& track : flame_.tracks) {
        std::uint16_t& rows = rows_[key_of(track)];
        rows = std::max(rows, track.rows);
    }
}

void FlameView::draw_bar(Context& context, const timeline::FlameBar& bar, const Rect& place) const {
    const ImU32 colour = context.theme.lane(context.tree.hue_of(*bar.lane));
    if (place.width < context.px(3)) {
        fill(context.list, place, colour);
        return;
    }
    fill(context.list, place, mixed(context.theme.background, colour, 0.42F));
    fill(context.list, {place.x, place.y, context.px(2), place.height}, colour);
    const float space = place.width - context.px(10);
    if (space < context.px(16)) return;
    const Rect inside{place.x + context.px(6), place.y, space, place.height};
    std::string words = context.tree.title_of(*bar.lane);
    const std::string whole = words + "  " + length_words(context, bar);
    if (text_width(context.fonts.small, whole) <= space) words = whole;
    draw_text(context.list, context.fonts.small, inside, context.theme.text, words);
}

// Returns the y below it.
float FlameView::draw_track(Context& context, const timeline::FlameTrack& track, const Rect& area, float y, bool hovered) {
    const float row = context.px(kFlameRow);
    const float height = row * static_cast<float>(rows_[key_of(track)]);
    const Rect& lanes = context.layout.lanes;
    const Rect names{area.x + context.px(12), y, lanes.x - area.x - context.px(20), row};
    const Rect bars{lanes.x, y, lanes.width, height};
    if (y + height < area.y || y > area.bottom()) return y + height;
    draw_text(context.list, context.fonts.text, names, context.theme.text, thread_words(context, track));
    const Clip clip(context.list, bars);
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    for (const timeline::FlameBar& bar : track.bars) {
        const float x0 = std::floor(lanes.x + std::max(bar.x0, 0.0F));
        const float x1 = std::max(std::floor(lanes.x + std::min(bar.x1, lanes.width)), x0 + context.hair());
        const Rect place{x0, y + row * static_cast<float>(bar.row), x1 - x0, row - context.hair()};
        draw_bar(context, bar, place);
        if (!hovered || !place.contains(mouse)) continue;
        tooltip(context, words_of(context, bar));
        if (ImGui::IsMouseClicked(0)) go_to_event(context, *bar.lane, bar.begin_index);
    }
    return y + height;
}

void FlameView::draw(Context& context, const Rect& place, const Rect& strip) {
    refresh(context);
    const char* words = flame_.rough ? "narrow spans may be missing: their rows are on disk; zoom in for all of them"
                                     : "spans by thread, over the time above";
    draw_text(context.list, context.fonts.small, strip, context.theme.dim, words, Align::kRight);
    if (flame_.tracks.empty()) {
        draw_hint_text(context, place, "No span lies in this time. Spans come of SLA_SPAN, SLA_BEGIN and SLA_END.");
        return;
    }
    const bool hovered = mouse_area("flame", place);
    float whole = context.px(kTrackGap);
    for (const timeline::FlameTrack& track : flame_.tracks)
        whole += context.px(kFlameRow) * static_cast<float>(rows_[key_of(track)]) + context.px(kTrackGap);
    if (hovered) scroll_ -= ImGui::GetIO().MouseWheel * context.px(54);
    scroll_ = std::clamp(scroll_, 0.0F, std::max(0.0F, whole - place.height));
    const Clip clip(context.list, place);
    float y = std::floor(place.y + context.px(kTrackGap) - scroll_);
    for (const timeline::FlameTrack& track : flame_.tracks) {
        y = draw_track(context, track, place, y, hovered) + context.px(kTrackGap);
        fill(context.list, {place.x, y - context.px(kTrackGap / 2), place.width, context.hair()}, context.theme.line);
    }
}

}  // namespace sla::ui
