#include "viewer/ui/timeline/ruler_tags.h"

#include "viewer/timeline/readable.h"
#include "viewer/ui/timeline/ruler_row.h"
#include "viewer/ui/widgets/paint.h"
#include "viewer/ui/widgets/widgets.h"

#include <algorithm>
#include <optional>
#include <string>

namespace sla::ui {

namespace {

constexpr float kFlag = 16;
constexpr float kTag = 14;
constexpr float kMinTag = 20;
constexpr float kReach = 40;  // how far a tag may stand from its line

float screen_x(const Context& context, std::uint64_t tick) {
    return std::floor(context.layout.ruler.x + static_cast<float>(context.view.port().x_of(tick)));
}

// From A to B, as much of it as is in sight; nothing when one of them is not placed.
std::optional<RulerRow::Piece> measured_piece(const Context& context) {
    const timeline::CursorPair& cursors = context.marks.cursors;
    if (!cursors.a || !cursors.b) return std::nullopt;
    const Rect& strip = context.layout.ruler;
    const auto [first, last] = std::minmax(cursors.a->tick, cursors.b->tick);
    return RulerRow::Piece{std::max(strip.x, screen_x(context, first)), std::min(strip.right(), screen_x(context, last))};
}

// The tags of one frame. Those that are asked for first get their space first.
class Tags {
public:
    explicit Tags(Context& context)
        : context_(context), row_({context.layout.ruler.x, context.layout.ruler.right()}, context.px(1)) {}

    void add_cursors();
    void add(std::uint64_t tick, const std::string& name, ImU32 colour, ImU32 text);
    void add_break_lengths();
    void add_delta();
    // Names that are cut or found no space, where the mouse is.
    void describe_hidden() const;

private:
    void add_flag(float x, float aside, const char* name, ImU32 colour);
    [[nodiscard]] Rect place(RulerRow::Piece piece, float height) const {
        return {piece.from, context_.layout.ruler.bottom() - context_.px(height + 1), piece.width(), context_.px(height)};
    }

    Context& context_;
    RulerRow row_;
    std::string hidden_;
};

void Tags::add_flag(float x, float aside, const char* name, ImU32 colour) {
    const Rect& strip = context_.layout.ruler;
    if (x < strip.x - context_.px(8) || x > strip.right() + context_.px(8)) return;
    const float width = context_.px(kFlag);
    const Rect flag{x - std::floor(width / 2) + aside, strip.bottom() - context_.px(15), width, context_.px(15)};
    row_.take({flag.x, flag.right()});
    fill(context_.list, flag, colour, context_.px(3));
    draw_text(context_.list, context_.fonts.heading, flag, context_.theme.on_cursor, name, Align::kCentre);
}

// Centred above their lines; side by side where one would hide the other.
void Tags::add_cursors() {
    const timeline::CursorPair& cursors = context_.marks.cursors;
    const float a = cursors.a ? screen_x(context_, cursors.a->tick) : 0;
    const float b = cursors.b ? screen_x(context_, cursors.b->tick) : 0;
    const float hidden = cursors.a && cursors.b ? std::max(context_.px(kFlag) - std::abs(b - a), 0.0F) : 0;
    const float aside = std::ceil(hidden / 2) * (a <= b ? 1.0F : -1.0F);
    if (cursors.a) add_flag(a, -aside, "A", context_.theme.cursor_a);
    if (cursors.b) add_flag(b, aside, "B", context_.theme.cursor_b);
}

// A small tag with a name beside its tick, whose line goes on through the lanes; without space for it a dot above.
void Tags::add(std::uint64_t tick, const std::string& name, ImU32 colour, ImU32 text) {
    const Rect& strip = context_.layout.ruler;
    const float x = screen_x(context_, tick);
    if (x < strip.x || x > strip.right()) return;
    const ImFont* font = context_.fonts.small_number;
    const float width = std::ceil(text_width(font, name)) + context_.px(8);
    const auto piece = row_.beside(x, width, std::min(width, context_.px(kMinTag)), std::min(width, context_.px(kReach)));
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    bool cut = !piece;
    bool under = std::abs(mouse.x - x) <= context_.px(3) && strip.contains(mouse);
    if (piece) {
        const Rect tag = place(*piece, kTag);
        fill(context_.list, tag, colour, context_.px(2));
        cut = piece->width() < width;
        draw_text(context_.list, font, cut ? tag.inset(context_.px(3), 0) : tag, text, name,
                  cut ? Align::kLeft : Align::kCentre);
        under = tag.contains(mouse);
    } else {
        context_.list.AddCircleFilled({x + 0.5F, strip.bottom() - context_.px(kTag + 4)}, context_.px(2),
                                      context_.theme.dim);
    }
    if (cut && under) hidden_ += (hidden_.empty() ? "" : "\n") + name;
}

void Tags::describe_hidden() const {
    if (!hidden_.empty() && ImGui::IsWindowHovered()) tooltip(context_, hidden_);
}

// How much each axis break took out, where there is space to say it.
void Tags::add_break_lengths() {
    const timeline::Viewport& port = context_.view.port();
    if (port.folds() == nullptr) return;
    const ImFont* font = context_.fonts.small_number;
    for (const timeline::TickRange& fold : port.folds()->intervals()) {
        const float x = screen_x(context_, fold.first);
        const auto ticks = static_cast<std::int64_t>(fold.length());
        const std::string text = timeline::readable_delta(context_.session.clock().ticks_to_ps(ticks));
        const float width = text_width(font, text) + context_.px(10);
        const float from = std::floor(x - width / 2);
        const auto piece = row_.exactly({from, from + width});
        if (!piece) continue;
        fill(context_.list, place(*piece, kTag), context_.theme.raised, context_.px(3));
        draw_text(context_.list, font, place(*piece, kTag), context_.theme.dim, text, Align::kCentre);
    }
}

// The Δ from A to B, between them where no tag stands.
void Tags::add_delta() {
    const auto measured = timeline::measure(context_.marks.cursors, context_.session);
    const auto between = measured_piece(context_);
    if (!measured || !between) return;
    const ImFont* font = context_.fonts.small_number;
    const std::string text = "\xCE\x94 " + timeline::readable_delta(measured->ps);
    const auto piece = row_.within(*between, text_width(font, text) + context_.px(12));
    if (!piece) return;
    draw_quantity(context_.list, font, place(*piece, kTag), context_.theme.text, context_.theme.dim, text, Align::kCentre);
}

// A pale band from A to B, below all tags.
void draw_measured(Context& context) {
    const auto between = measured_piece(context);
    if (!between) return;
    const float height = context.px(15);
    fill(context.list, {between->from, context.layout.ruler.bottom() - height, between->width(), height},
         mixed(context.theme.panel, context.theme.accent, 0.12F));
}

}  // namespace

// Cursors, t = 0, markers, kept ranges, bookmarks: the further back, the sooner one has to give way, and the older.
void draw_ruler_tags(Context& context) {
    draw_measured(context);
    const Annotations& notes = context.marks.annotations;
    const Theme& theme = context.theme;
    const ImU32 calm = mixed(theme.panel, theme.text, 0.25F);
    Tags tags(context);
    tags.add_cursors();
    if (notes.zero) tags.add(*notes.zero, "0", theme.trigger, theme.on_cursor);
    std::for_each(notes.markers.rbegin(), notes.markers.rend(),
                  [&](const Marker& marker) { tags.add(marker.tick, marker.name, calm, theme.text); });
    std::for_each(notes.ranges.rbegin(), notes.ranges.rend(), [&](const KeptRange& range) {
        const auto away = static_cast<std::int64_t>(range.to - range.from);
        const std::string length = timeline::readable_delta(context.session.clock().ticks_to_ps(away));
        tags.add(range.from, range.name + "  " + length, calm, theme.text);
    });
    for (const auto& [digit, mark] : notes.bookmarks) {
        const std::uint64_t middle = mark.range.first + mark.range.length() / 2;
        const std::string name = std::to_string(digit) + (mark.note.empty() ? "" : " " + mark.note);
        tags.add(middle, name, mixed(theme.panel, calm, 0.6F), theme.dim);
    }
    tags.add_break_lengths();
    tags.add_delta();
    tags.describe_hidden();
}

}  // namespace sla::ui
