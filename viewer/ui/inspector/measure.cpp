#include "viewer/timeline/error_parts.h"
#include "viewer/timeline/readable.h"
#include "viewer/ui/commands/keymap.h"
#include "viewer/ui/inspector/inspector.h"
#include "viewer/ui/widgets/paint.h"
#include "viewer/ui/widgets/widgets.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>

namespace sla::ui {

namespace {

constexpr float kLine = 20;

std::string cursor_text(const Context& context, const std::optional<timeline::Cursor>& cursor) {
    if (!cursor) return {};
    return timeline::readable_time(context.time_ps(cursor->tick), 1'000);
}

std::string ticks_text(std::int64_t ticks, std::int64_t error) {
    const std::string sign = ticks < 0 ? std::string(timeline::kMinus) : "";
    return fmt::format("{}{} \xC2\xB1{} ticks", sign, timeline::grouped(static_cast<std::uint64_t>(std::abs(ticks))),
                       timeline::grouped(static_cast<std::uint64_t>(error)));
}

std::int64_t error_ticks(const Context& context, const timeline::Measurement& measured) {
    const double ticks = static_cast<double>(measured.error_ps) * context.session.clock().ticks_per_second() / 1e12;
    return static_cast<std::int64_t>(std::ceil(ticks));
}

// 1/Δ is as uncertain, relative to itself, as Δ is.
std::string frequency_text(const timeline::Measurement& measured) {
    const double share = static_cast<double>(measured.error_ps) / std::abs(static_cast<double>(measured.ps));
    return timeline::readable_frequency(measured.hertz, measured.hertz * share);
}

// What the error is made of.
std::string error_words(const Context& context) {
    const timeline::CursorPair& cursors = context.marks.cursors;
    timeline::ErrorParts parts =
        timeline::error_parts(context.session.clock(), cursors.a->tick, cursors.b->tick, timeline::kCursorStamps);
    parts.hosts = timeline::host_error_ps(cursors, context.session);
    return timeline::words_of(parts);
}

void draw_hint(Context& context, const Rect& place) {
    const float line = context.px(18);
    const auto say = [&](int row, std::string_view text) {
        draw_text(context.list, context.fonts.small, {place.x, place.y + line * static_cast<float>(row), place.width, line},
                  context.theme.dim, text);
    };
    say(0, "Shift+drag over the lanes to measure,");
    say(1, context.keys.with_keys("or press {cursor-a} and {cursor-b} to place A and B."));
}

// The number everybody looks for, large.
void draw_delta(Context& context, const Rect& line, const timeline::Measurement& measured) {
    draw_text(context.list, context.fonts.strong, line, context.theme.text, "\xCE\x94");
    // To the nanosecond, as A and B are: the error beside it says what that is worth.
    draw_quantity(context.list, context.fonts.big_number, line, context.theme.text, context.theme.dim,
                  timeline::readable_exactly(measured.ps));
}

}  // namespace

float draw_measure(Context& context, const Rect& place) {
    const float line = context.px(kLine);
    heading(context, {place.x, place.y + context.px(8), place.width, context.px(20)}, "MEASURE");
    float y = place.y + context.px(32);
    const auto next = [&](float height) {
        const Rect at{place.x, y, place.width, height};
        y += height;
        return at;
    };
    const timeline::CursorPair& cursors = context.marks.cursors;
    if (!cursors.a && !cursors.b) {
        draw_hint(context, {place.x, y, place.width, context.px(36)});
        return y + context.px(44) - place.y;
    }
    draw_reading(context, next(line), "A", cursor_text(context, cursors.a), context.theme.cursor_a);
    draw_reading(context, next(line), "B", cursor_text(context, cursors.b), context.theme.cursor_b);
    const auto measured = timeline::measure(cursors, context.session);
    if (!measured) {
        draw_text(context.list, context.fonts.small, next(line), context.theme.dim,
                  context.keys.with_keys(cursors.a ? "Press {cursor-b} to place B." : "Press {cursor-a} to place A."));
        return y + context.px(8) - place.y;
    }
    draw_delta(context, next(context.px(32)), *measured);
    const Rect error = next(line);
    draw_reading(context, error, "\xC2\xB1", timeline::readable_delta(measured->error_ps), context.theme.dim);
    if (mouse_area("error parts", error)) tooltip(context, error_words(context));
    draw_reading(context, next(line), "", ticks_text(measured->ticks, error_ticks(context, *measured)), context.theme.dim);
    draw_reading(context, next(line), "1/\xCE\x94", frequency_text(*measured), context.theme.dim);
    if (context.marks.focus != nullptr) {
        const std::uint64_t count =
            timeline::events_between(cursors, *context.marks.focus, context.offset_of(*context.marks.focus));
        const std::string label = fmt::format("in {}", context.tree.title_of(*context.marks.focus));
        const std::string value = timeline::events_text(count);
        const Rect at = next(line);
        const float value_width = text_width(context.fonts.number, value) + context.px(12);
        draw_text(context.list, context.fonts.text, {at.x, at.y, at.width - value_width, at.height}, context.theme.dim,
                  label);
        draw_quantity(context.list, context.fonts.number, at, context.theme.text, context.theme.dim, value);
    }
    return y + context.px(8) - place.y;
}

}  // namespace sla::ui
