#include "viewer/ui/toolbar.h"

#include "viewer/ui/paint.h"
#include "viewer/ui/widgets.h"

#include <fmt/format.h>

#include <algorithm>

namespace sla::ui {

namespace {

struct StateLook {
    const char* word;
    ImU32 colour;
};

StateLook look_of(const Theme& theme, FeedState state) {
    switch (state) {
        case FeedState::kNone: return {"no source", theme.stopped};
        case FeedState::kConnecting: return {"connecting", theme.cursor_a};
        case FeedState::kLive: return {"live", theme.live};
        case FeedState::kStopped: return {"stopped", theme.stopped};
        case FeedState::kEnded: return {"agent finished", theme.stopped};
        case FeedState::kLost: return {"no connection", theme.loss};
        case FeedState::kLoading: return {"loading", theme.cursor_a};
        case FeedState::kLoaded: return {"capture", theme.accent};
    }
    return {"", theme.stopped};
}

class Bar {
public:
    explicit Bar(Context& context)
        : context_(context),
          left_(context.layout.toolbar.x + context.px(12)),
          right_(context.layout.toolbar.right() - context.px(8)) {}

    bool add(const char* id, const ButtonLook& look) {
        const float width = button_width(context_, look);
        const bool clicked = button(context_, id, place(left_, width), look);
        left_ += width + context_.px(4);
        return clicked;
    }
    bool add_right(const char* id, const ButtonLook& look) {
        const float width = button_width(context_, look);
        right_ -= width;
        const bool clicked = button(context_, id, place(right_, width), look);
        right_ -= context_.px(4);
        return clicked;
    }
    void divide() {
        const Rect& bar = context_.layout.toolbar;
        left_ += context_.px(4);
        fill(context_.list, {left_, bar.y + context_.px(10), context_.hair(), bar.height - context_.px(20)},
             context_.theme.line);
        left_ += context_.px(8);
    }
    // The dot, the state in a word, and the source's name in whatever room is left for it.
    void add_state() {
        const StateLook look = look_of(context_.theme, context_.status.state);
        const Rect& bar = context_.layout.toolbar;
        context_.list.AddCircleFilled({left_ + context_.px(5), bar.y + bar.height / 2}, context_.px(4.5F), look.colour);
        left_ += context_.px(16);
        std::string word = look.word;
        if (context_.status.state == FeedState::kLoading) word += fmt::format(" {:.0f} %", context_.status.progress * 100);
        left_ =
            draw_text_at(context_.list, context_.fonts.strong, {left_, text_y(context_.fonts.strong)}, look.colour, word);
        left_ += context_.px(12);
        const float most = std::max(0.0F, bar.width * 0.3F);
        const float width = std::min(most, text_width(context_.fonts.text, context_.status.name));
        const Rect name = place(left_, width);
        const bool cut = draw_text(context_.list, context_.fonts.text, name, context_.theme.dim, context_.status.name);
        if (mouse_area("source", name) && cut) tooltip(context_, context_.status.name);
        left_ += width + context_.px(8);
    }

private:
    [[nodiscard]] Rect place(float x, float width) const {
        const Rect& bar = context_.layout.toolbar;
        return {x, bar.y + context_.px(6), width, bar.height - context_.px(13)};
    }
    [[nodiscard]] float text_y(const ImFont* font) const {
        const Rect& bar = context_.layout.toolbar;
        return std::floor(bar.y + (bar.height - font->FontSize) / 2 - context_.hair() / 2);
    }

    Context& context_;
    float left_;
    float right_;
};

void add_run(Context& context, Bar& bar) {
    if (!context.feed.can_run()) return;
    const FeedState state = context.status.state;
    const bool running = state == FeedState::kLive || state == FeedState::kConnecting;
    const char* label = running ? "Stop" : state == FeedState::kStopped ? "Run" : "Reconnect";
    const char* tip =
        running ? "Leave the agent; what is here stays  (Space)" : "Connect to the agent; what is here goes on  (Space)";
    if (bar.add("run", {running ? Icon::kStop : Icon::kRun, label, tip, false, true, running ? 0 : context.theme.live})) {
        context.requests.toggle_run = true;
    }
    bar.divide();
}

}  // namespace

void draw_toolbar(Context& context) {
    fill(context.list, context.layout.toolbar, context.theme.panel);
    line_below(context.list, context.layout.toolbar, context.theme.line, context.hair());
    Bar bar(context);
    bar.add_state();
    bar.divide();
    add_run(context, bar);
    const bool any = !context.session.lanes().empty();
    if (bar.add("fit", {Icon::kFit, "Fit", "Show everything, or what lies between the cursors  (F)", false, any}))
        context.view.fit();
    if (context.feed.can_run()) {
        const bool follow = context.view.follow();
        if (bar.add("follow", {Icon::kFollow, "Follow", "Keep the newest event in sight  (L)", follow, any}))
            context.view.set_follow(!follow);
    }
    bar.divide();
    if (bar.add("export",
                {Icon::kExport, "Export", "Write the table to a file, as `sla table` does  (Ctrl+E)", false, any})) {
        context.requests.export_table = true;
    }
    Splits& splits = context.settings.splits;
    if (bar.add_right("help", {Icon::kHelp, "", "Mouse and keys  (?)"})) context.requests.toggle_help = true;
    if (bar.add_right("theme", {Icon::kTheme, "", "Dark or light"})) context.requests.toggle_theme = true;
    if (bar.add_right("panel", {Icon::kPanel, "", "Measurements, statistics, channels", splits.inspector_open})) {
        splits.inspector_open = !splits.inspector_open;
    }
    if (bar.add_right("table", {Icon::kTable, "", "The table of events", splits.table_open}))
        splits.table_open = !splits.table_open;
}

}  // namespace sla::ui
