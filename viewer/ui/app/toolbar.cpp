#include "viewer/ui/app/toolbar.h"

#include "viewer/timeline/readable.h"
#include "viewer/ui/commands/actions.h"
#include "viewer/ui/commands/keymap.h"
#include "viewer/ui/commands/navigation.h"
#include "viewer/ui/commands/palette.h"
#include "viewer/ui/widgets/paint.h"
#include "viewer/ui/widgets/state_style.h"
#include "viewer/ui/widgets/widgets.h"
#include "viewer/workspace/document.h"

#include <fmt/format.h>

#include <algorithm>

namespace sla::ui {

namespace {

// In whole seconds: tenths would flicker.
std::string countdown(std::chrono::milliseconds left) {
    const auto seconds = std::chrono::ceil<std::chrono::seconds>(left).count();
    return seconds == 0 ? std::string(", trying again") : fmt::format(", again in {} s", seconds);
}

class Bar {
public:
    explicit Bar(Context& context)
        : context_(context),
          left_(context.layout.toolbar.x + context.px(12)),
          right_(context.layout.toolbar.right() - context.px(8)) {}

    // Nothing when there is no space for it: what stands at the right is added first.
    bool add(const char* id, ButtonStyle look) {
        const bool narrow = context_.layout.toolbar.width < context_.px(1080);
        if (narrow && look.icon != Icon::kNone) look.label = {};
        const float width = button_width(context_, look);
        if (left_ + width > right_) return false;
        const bool clicked = is_pressed(id, place(left_, width), look);
        left_ += width + context_.px(4);
        return clicked;
    }
    bool add_right(const char* id, const ButtonStyle& look) {
        const float width = button_width(context_, look);
        right_ -= width;
        const bool clicked = is_pressed(id, place(right_, width), look);
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
    // The dot, the state in a word, and the source's name in whatever space is left; a click opens the box of sources.
    bool add_state() {
        const StateStyle look = state_style(context_.theme, context_.status.state);
        const Rect& bar = context_.layout.toolbar;
        const float begin = left_;
        std::string word = look.word;
        const workspace::CatchingUp& catching_up = context_.document.catching_up;
        const bool behind = context_.status.state == SourceState::kLive && catching_up.now();
        if (behind) word = "catching up";
        if (context_.status.state == SourceState::kLoading) word += fmt::format(" {:.0f} %", context_.status.progress * 100);
        if (context_.status.retry_in) word += countdown(*context_.status.retry_in);
        const StateWidths widths = state_widths(word);
        const float whole = context_.px(16) + widths.word + widths.name + context_.px(18);
        const Rect area = place(begin - context_.px(6), whole + context_.px(6));
        const bool hovered = mouse_area("source", area);
        const bool clicked = ImGui::IsItemClicked();
        if (hovered) fill(context_.list, area, faded(context_.theme.text, 0.08F), context_.px(4));
        context_.list.AddCircleFilled({left_ + context_.px(5), bar.y + bar.height / 2}, context_.px(4.5F), look.colour);
        left_ += context_.px(16);
        if (widths.word > 0) {
            draw_text_at(context_.list, context_.fonts.strong, {left_, text_y(context_.fonts.strong)}, look.colour, word);
            left_ += widths.word;
        }
        if (widths.name > 0) {
            draw_text(context_.list, context_.fonts.text, place(left_, widths.name - context_.px(6)), context_.theme.dim,
                      context_.status.name);
            left_ += widths.name;
        }
        draw_icon(context_.list, Icon::kFold, {left_ + context_.px(6), bar.y + bar.height / 2}, context_.px(9),
                  context_.theme.dim);
        left_ = begin + whole;
        const char* why = !behind                      ? ""
                          : catching_up.is_held_back() ? "\nMore has come than is taken in yet: this is of before"
                                                       : "\nWhat the agent held is still coming";
        if (hovered) tooltip(context_, context_.status.name + why + "\nClick: other captures and agents");
        return clicked;
    }
    [[nodiscard]] float left() const { return left_; }
    [[nodiscard]] float right() const { return right_; }
    [[nodiscard]] Rect place_between(float from, float to) const { return place(from, to - from); }

private:
    struct StateWidths {  // 0: left out
        float word = 0;
        float name = 0;
    };
    // The name is cut or left out first, then the word.
    [[nodiscard]] StateWidths state_widths(std::string_view word) const {
        float space = right_ - left_ - context_.px(16 + 18);
        StateWidths out{text_width(context_.fonts.strong, word) + context_.px(12), 0};
        if (out.word > space) return {};
        space -= out.word;
        const float most = std::min(context_.layout.toolbar.width * 0.16F, space - context_.px(6));
        const float name = std::min(most, text_width(context_.fonts.text, context_.status.name));
        if (name >= context_.px(24)) out.name = name + context_.px(6);
        return out;
    }
    [[nodiscard]] Rect place(float x, float width) const {
        const Rect& bar = context_.layout.toolbar;
        return {x, bar.y + context_.px(6), width, bar.height - context_.px(13)};
    }
    // Tooltips name the keys of actions, as in "(F)" for "({fit})".
    bool is_pressed(const char* id, const Rect& area, ButtonStyle look) {
        const std::string tip = context_.keys.with_keys(look.tooltip);
        look.tooltip = tip.c_str();
        return button(context_, id, area, look);
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
    if (!context.source.can_run()) return;
    const SourceState state = context.status.state;
    const bool running = is_running(state);
    const char* label = running ? "Stop" : state == SourceState::kStopped ? "Run" : "Reconnect";
    const char* tip =
        running ? "Leave the agent; what is here stays  ({run})" : "Connect to the agent; what is here goes on  ({run})";
    if (bar.add("run", {.icon = running ? Icon::kStop : Icon::kRun,
                        .label = label,
                        .tooltip = tip,
                        .colour = running ? 0 : context.theme.live})) {
        context.commands.push(command::ToggleRun{});
    }
    bar.divide();
}

// The state of the agent's triggers, as the agent reports it: the one that matters most.
void add_trigger(Context& context, Bar& bar) {
    const auto& triggers = context.session.health().triggers;
    if (!context.document.agent->has_agent()) return;
    std::string word = "Trigger";
    ImU32 colour = 0;
    if (!triggers.empty() && is_running(context.status.state)) {  // else nobody knows it now
        const store::TriggerInfo* shown = &triggers.front();
        for (const store::TriggerInfo& one : triggers) {
            if (shown->state == "stopped" && one.state != "stopped") shown = &one;
        }
        word = fmt::format("Trigger: {}", shown->state);
        if (triggers.size() > 1) word += fmt::format(" +{}", triggers.size() - 1);
        if (shown->shots > 0) word += fmt::format(", {}", shown->shots);
        colour = trigger_colour(context.theme, shown->state);
    }
    if (bar.add(
            "trigger",
            {.label = word, .tooltip = "What the agent watches for, and its state  ({trigger-editor})", .colour = colour})) {
        run_action(context, "trigger-editor");
    }
    bar.divide();
}

void add_lost(Context& context, Bar& bar) {
    const std::uint64_t uncounted = context.session.uncounted_losses();
    if (context.session.lost() == 0 && uncounted == 0) return;
    const std::string text = timeline::lost_words(context.session.lost(), uncounted, 0);
    if (bar.add("lost",
                {.label = text, .tooltip = "Events were lost; click: where and why", .colour = context.theme.loss})) {
        show_tab(context, BottomTab::kGaps);
    }
}

void add_right_side(Context& context, Bar& bar) {
    if (bar.add_right("help", {Icon::kHelp, "", "Mouse and keys  ({help})"})) context.commands.push(command::ToggleHelp{});
    if (bar.add_right("settings", {Icon::kGear, "", "Settings: theme, scale, mouse, keys"}))
        context.commands.push(command::OpenDialog{command::Dialog::kSettings});
    if (bar.add_right("panel", {.icon = Icon::kPanel,
                                .label = "",
                                .tooltip = "Measurements, trigger, agent  ({instruments})",
                                .active = context.layout.inspector.width > 0})) {
        run_action(context, "instruments");
    }
    if (bar.add_right("table", {.icon = Icon::kTable,
                                .label = "",
                                .tooltip = "The table of events and other lists  ({table})",
                                .active = context.layout.table.height > 0})) {
        run_action(context, "table");
    }
    if (bar.add_right("panes", {.icon = Icon::kPanes,
                                .label = "",
                                .tooltip = "Two places of the same capture, one below the other",
                                .active = context.document.two_panes})) {
        run_action(context, "two-panes");
    }
    const bool any = !context.session.lanes().empty();
    if (bar.add_right("export", {.icon = Icon::kExport,
                                 .label = "",
                                 .tooltip = "Write it to a file, in many formats  ({export})",
                                 .enabled = any})) {
        context.commands.push(command::OpenDialog{command::Dialog::kExport});
    }
}

}  // namespace

void Toolbar::draw(Context& context) {
    fill(context.list, context.layout.toolbar, context.theme.panel);
    line_below(context.list, context.layout.toolbar, context.theme.line, context.hair());
    Bar bar(context);
    add_right_side(context, bar);
    if (bar.add("menu", {Icon::kMenu, "", "Everything that can be done; by name  ({palette})"})) ImGui::OpenPopup("menu");
    ImGui::SetNextWindowPos({context.layout.toolbar.x + context.px(8), context.layout.toolbar.bottom() + context.px(4)});
    draw_menu(context);
    bar.divide();
    if (bar.add_state()) context.commands.push(command::OpenDialog{command::Dialog::kSources});
    bar.divide();
    add_run(context, bar);
    add_trigger(context, bar);
    const bool any = !context.session.lanes().empty();
    if (bar.add("fit", {.icon = Icon::kFit,
                        .label = "Fit",
                        .tooltip = "Show everything, or what lies between the cursors  ({fit})",
                        .enabled = any}))
        run_action(context, "fit");
    if (context.source.can_run()) {
        const bool follow = context.view.follow();
        if (bar.add("follow", {.icon = Icon::kFollow,
                               .label = "Follow",
                               .tooltip = "Keep the newest event in sight  ({follow})",
                               .active = follow,
                               .enabled = any}))
            run_action(context, "follow");
    }
    add_lost(context, bar);
    search_.draw(context, bar.place_between(bar.left() + context.px(12), bar.right() - context.px(8)));
}

}  // namespace sla::ui
