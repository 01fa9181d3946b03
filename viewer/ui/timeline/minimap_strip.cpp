#include "viewer/ui/timeline/minimap_strip.h"

#include "viewer/ingest/caches.h"
#include "viewer/ui/timeline/quads.h"
#include "viewer/ui/widgets/paint.h"
#include "viewer/ui/widgets/widgets.h"
#include "viewer/workspace/document.h"

#include <algorithm>
#include <utility>

namespace sla::ui {

namespace {

constexpr std::chrono::milliseconds kRest{1000};  // between two counts while rows come, or longer
constexpr int kRestOfCost = 20;
constexpr std::size_t kLanesAFrame = 512;  // of a view: a third of a millisecond

void draw_columns(Context& context, const timeline::Minimap& minimap, const timeline::Viewport& now, const Rect& strip) {
    const auto& columns = minimap.columns();
    const float most = strip.height - context.px(6);
    const float bottom = strip.bottom() - context.px(2);
    const ImU32 colour = mixed(context.theme.panel, context.theme.accent, 0.55F);
    // The columns may be a moment old; they are drawn where their ticks stand now.
    const bool is_current = minimap.view() == now;
    const auto x_of = [&](std::size_t column) {
        if (is_current) return strip.x + static_cast<float>(column);
        const std::uint64_t tick = minimap.view().first_tick_from(static_cast<double>(column));
        return std::floor(strip.x + static_cast<float>(now.x_of(tick)));
    };
    {
        Quads quads(context.list);
        auto bars = join_bands(quads);
        for (std::size_t i = 0; i < columns.size(); ++i) {
            if (columns[i].events == 0) continue;
            const float height = std::max(1.0F, pixel(most * columns[i].density + 0.5F));
            const ImU32 ink = columns[i].is_uncertain ? faded(colour, 0.5F) : colour;
            bars.add(static_cast<int>(x_of(i)), 1, {bottom - height, height, ink});
        }
    }
    const auto hatch = [&](bool timeline::MinimapColumn::*of, ImU32 ink) {
        float from = -1;
        for (std::size_t i = 0; i <= columns.size(); ++i) {
            const bool is_hatched = i < columns.size() && columns[i].*of;
            if (is_hatched && from < 0) from = x_of(i);
            if (is_hatched || from < 0) continue;
            const Rect hatched{from, strip.y, std::max(x_of(i) - from, context.px(3)), strip.height};
            fill(context.list, hatched, faded(ink, 0.15F));
            draw_hatch(context.list, hatched, ink, context.px(5), context.hair());
            from = -1;
        }
    };
    hatch(&timeline::MinimapColumn::is_uncertain, faded(context.theme.dim, 0.25F));
    hatch(&timeline::MinimapColumn::not_kept, faded(context.theme.dim, 0.6F));
    hatch(&timeline::MinimapColumn::lost, context.theme.loss);
}

// What came since a strip of many lanes was begun is not in it yet: nothing there does not mean that nothing happened.
void draw_unknown(Context& context, const timeline::Minimap& minimap, const timeline::Viewport& now, const Rect& strip) {
    if (minimap.columns().empty() || minimap.view() == now) return;
    const float from = std::floor(strip.x + static_cast<float>(now.x_of(minimap.view().visible().last)));
    if (strip.right() - from < context.px(3)) return;
    const Rect unknown{from, strip.y, strip.right() - from, strip.height};
    fill(context.list, unknown, faded(context.theme.dim, 0.08F));
    const Clip clip(context.list, unknown);
    draw_hatch(context.list, unknown, faded(context.theme.dim, 0.25F), context.px(9), context.hair());
}

// Cursors, markers, shots and hits: where in the whole capture they are.
void draw_noted(Context& context, const timeline::Viewport& now, const Rect& strip) {
    const auto mark = [&](std::uint64_t tick, ImU32 colour, float height) {
        const auto x = std::floor(strip.x + static_cast<float>(now.x_of(tick)));
        fill(context.list, {x, strip.y, context.hair(), context.px(height)}, colour);
    };
    const Search& search = context.document.search;
    for (auto at = search.next(0); at;) {  // one a column
        const std::uint64_t tick = search.hits()[*at].tick;
        mark(tick, context.theme.hit, 5);
        at = search.next(std::max(tick + 1, now.first_tick_from(std::floor(now.x_of(tick)) + 1)));
    }
    constexpr std::size_t kMaxMarks = 2000;  // a strip has no more columns
    const auto& shots = context.session.shots();
    const std::size_t shot_step = shots.size() / kMaxMarks + 1;
    for (std::size_t i = 0; i < shots.size(); i += shot_step) mark(shots[i].tick, context.theme.trigger, 28);
    for (const Marker& marker : context.marks.annotations.markers) mark(marker.tick, context.theme.text, 10);
    const timeline::CursorPair& cursors = context.marks.cursors;
    if (cursors.a) mark(cursors.a->tick, context.theme.cursor_a, 28);
    if (cursors.b) mark(cursors.b->tick, context.theme.cursor_b, 28);
}

}  // namespace

void MinimapStrip::take_counts() {
    if (counting_ == nullptr || job_.is_running()) return;
    has_failed_ = *counting_ == nullptr;
    if (!has_failed_) minimap_.set_counts(*counting_);
    counting_.reset();
    const auto now = Clock::now();
    rests_until_ = now + std::max<Clock::duration>(kRest, kRestOfCost * (now - begun_));
}

void MinimapStrip::count_anew() {
    job_ = {};
    counting_.reset();
    gathering_.reset();
    minimap_.set_counts(nullptr);
    rests_until_ = {};
}

void MinimapStrip::count(const store::Session& session, const timeline::Viewport& strip) {
    take_counts();
    if (counting_ != nullptr) return;
    if (!gathering_) {
        if (!minimap_.is_uncertain() || Clock::now() < rests_until_) return;
        gathering_.emplace(session);
    }
    if (!gathering_->step(kLanesAFrame)) return;
    counting_ = std::make_shared<std::shared_ptr<const timeline::MinimapCounts>>();
    begun_ = Clock::now();
    job_ = workspace::JobRunner::shared().start(
        "counting for the strip above the lanes", [result = counting_, view = gathering_->take(), before = minimap_.counts(),
                                                   strip](workspace::JobRunner::Control& control) {
            store::Session reader;
            view.open(reader, ingest::kWalkCache);
            auto counts = before == nullptr ? std::make_shared<timeline::MinimapCounts>(strip)
                                            : std::make_shared<timeline::MinimapCounts>(*before);
            if (counts->count(reader, [&] { return !control.is_cancelled(); })) *result = std::move(counts);
        });
    gathering_.reset();
}

void MinimapStrip::draw(Context& context) {
    const Rect& strip = context.layout.minimap;
    is_whole_ = true;
    shown_revision_ = context.session.revision();
    if (strip.height <= 0) return;  // the window is too low for it
    fill(context.list, strip, context.theme.panel);
    line_below(context.list, strip, context.theme.line, context.hair());
    if (context.session.is_empty()) return;
    const Rect inner = strip.inset(context.px(4), 0);
    timeline::Viewport whole;
    whole.set_width(static_cast<double>(std::max(inner.width, 1.0F)));
    whole.show(context.view.extent());
    const bool is_complete = minimap_.refresh(context.session, whole);
    count(context.session, whole);
    shown_revision_ = minimap_.revision();
    is_whole_ = is_complete && (has_failed_ || !(minimap_.is_uncertain() || is_counting()));
    const bool hovered = mouse_area("minimap", strip);
    const Clip clip(context.list, strip);
    if (const auto& history = context.session.history()) {  // what was not fetched yet
        const float end = std::floor(static_cast<float>(whole.x_of(history->from_tick)));
        fill(context.list, {inner.x, strip.y, end, strip.height}, faded(context.theme.accent, 0.12F));
        fill(context.list, {inner.x + end, strip.y, context.hair(), strip.height}, faded(context.theme.accent, 0.6F));
    }
    draw_columns(context, minimap_, whole, inner);
    draw_unknown(context, minimap_, whole, inner);
    draw_noted(context, whole, inner);

    const timeline::TickRange seen = context.view.port().visible();
    const float x0 = std::clamp(std::floor(inner.x + static_cast<float>(whole.x_of(seen.first))), strip.x, strip.right());
    const float x1 = std::clamp(std::floor(inner.x + static_cast<float>(whole.x_of(seen.last))), strip.x, strip.right());
    const Rect window{x0, strip.y + context.px(1), std::max(x1 - x0, context.px(4)), strip.height - context.px(3)};
    fill(context.list, {strip.x, strip.y, window.x - strip.x, strip.height}, faded(context.theme.background, 0.45F));
    fill(context.list, {window.right(), strip.y, strip.right() - window.right(), strip.height},
         faded(context.theme.background, 0.45F));
    fill(context.list, window, faded(context.theme.text, hovered || dragging_ ? 0.10F : 0.06F));
    context.list.AddRect(window.min(), window.max(), faded(context.theme.text, 0.55F), context.px(2), 0, context.hair());

    const ImVec2 mouse = ImGui::GetIO().MousePos;
    if (ImGui::IsItemActivated()) {
        dragging_ = true;
        if (mouse.x < window.x || mouse.x > window.right()) {
            const std::uint64_t tick = whole.tick_at(static_cast<double>(mouse.x - inner.x));
            context.view.glide_pan(context.view.target().x_of(tick) - context.view.target().width() / 2);
        }
    } else if (ImGui::IsItemActive() && ImGui::GetIO().MouseDelta.x != 0) {
        const double ratio = whole.ticks_per_pixel() / context.view.port().ticks_per_pixel();
        context.view.pan(static_cast<double>(ImGui::GetIO().MouseDelta.x) * ratio);
    }
    if (!ImGui::IsItemActive()) dragging_ = false;
}

}  // namespace sla::ui
