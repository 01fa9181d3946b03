#include "viewer/ui/app.h"

#include "proto/wire/address.h"
#include "viewer/ui/error_bar.h"
#include "viewer/ui/keys.h"
#include "viewer/ui/paint.h"
#include "viewer/ui/quads.h"
#include "viewer/ui/status_bar.h"
#include "viewer/ui/widgets.h"

#include <algorithm>

namespace sla::ui {

namespace {

constexpr std::chrono::milliseconds kDataBudget{6};
constexpr std::chrono::milliseconds kBehindBudget{2};  // of desks that are not shown
constexpr double kKeepSeconds = 10;

}  // namespace

App::App(std::unique_ptr<Feed> feed, Settings settings, const Fonts& fonts, float scale)
    : settings_(std::move(settings)), fonts_(fonts), scale_(scale) {
    desks_.push_back(std::make_unique<Desk>(std::move(feed), settings_.motion));
    apply_theme(theme_of(settings_.theme), scale_);
}

App::~App() {
    keep();
}

void App::set_fonts(const Fonts& fonts, float scale) {
    fonts_ = fonts;
    scale_ = scale;
    apply_theme(theme_of(settings_.theme), scale_);
}

bool App::is_still() const {
    return errors_.notice().empty() &&
           std::none_of(desks_.begin(), desks_.end(), [](const auto& desk) { return desk->is_busy(); });
}

void App::keep() {
    if (!keeping_) return;
    for (const auto& desk : desks_) {
        const Result<void> kept = desk->keep();
        if (!kept) errors_.add(kept.error().message);
    }
}

void App::take_data() {
    const auto seconds = static_cast<double>(ImGui::GetIO().DeltaTime);
    for (std::size_t i = 0; i < desks_.size(); ++i) {
        Desk& desk = *desks_[i];
        desk.take_data(i == shown_ ? kDataBudget : kBehindBudget, seconds);
        tell_problems(desk);
        if (const auto answer = desk.agent.poll(); answer && !*answer) {
            errors_.add({answer->error().message, Weight::kError, &desk, {}});
        }
        const FeedState state = desk.feed->status().state;
        const bool there = state != FeedState::kLoading && !desk.feed->session().lanes().empty();
        if (!there || desk.restored) continue;
        if (!desk.passing) settings_.remember(desk.feed->target());
        const Result<void> restored = keeping_ ? desk.restore() : Result<void>();
        desk.restored = true;
        if (!restored) errors_.add({restored.error().message, Weight::kError, &desk, {}});
    }
    end_trials();
    since_kept_ += seconds;
    if (since_kept_ < kKeepSeconds) return;
    since_kept_ = 0;
    keep();
}

void App::tell_problems(Desk& desk) {
    const FeedStatus status = desk.feed->status();
    if (status.message != desk.told) {
        if (status.message.empty()) errors_.withdraw(&desk, desk.told);
        desk.told = status.message;
        // The agent of this user is looked for unasked, and may come at any time.
        const bool is_early = desk.feed->target() == wire::default_address().text() && desk.feed->session().lanes().empty();
        errors_.add({status.message, is_early ? Weight::kInformation : weight_of(status.state), &desk, {}});
    }
    const auto& notes = desk.feed->session().notes();
    if (notes.size() < desk.told_notes) desk.told_notes = 0;
    for (; desk.told_notes < notes.size(); ++desk.told_notes) {
        const store::Note& note = notes[desk.told_notes];
        errors_.add({note.text, weight_of(note), &desk, {}});
    }
}

void App::frame() {
    const auto begin = std::chrono::steady_clock::now();
    errors_.age(static_cast<double>(ImGui::GetIO().DeltaTime));
    take_data();
    const ImVec2 size = ImGui::GetIO().DisplaySize;
    Desk& desk = this->desk();
    layout_ = make_layout(size, scale_, settings_.splits, errors_.any() || loss_banner(desk));
    if (layout_.inspector_fits) settings_.splits.inspector_first = false;
    if (layout_.table_fits) settings_.splits.table_first = false;
    for (Pane& pane : desk.panes) {
        pane.view.advance(desk.feed->session(), static_cast<double>(layout_.lanes.width),
                          static_cast<double>(ImGui::GetIO().DeltaTime));
    }
    ImGui::SetNextWindowPos({0, 0});
    ImGui::SetNextWindowSize(size);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
    ImGui::Begin("sla", nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                     ImGuiWindowFlags_NoBringToFrontOnFocus | ImGuiWindowFlags_NoScrollWithMouse | ImGuiWindowFlags_NoNav);
    ImGui::PopStyleVar();
    ImGui::PushFont(fonts_.text);
    make_room(*ImGui::GetWindowDrawList());
    Requests requests;
    Context context{desk,
                    *desk.feed,
                    desk.feed->session(),
                    desk.panes[desk.two_panes ? desk.active : 0].view,
                    settings_,
                    keys_,
                    desk.tree,
                    desk.rates,
                    errors_,
                    requests,
                    theme_of(settings_.theme),
                    fonts_,
                    layout_,
                    *ImGui::GetWindowDrawList(),
                    desk.feed->status(),
                    shown_frame_ms_};
    draw(context);
    ImGui::PopFont();
    ImGui::End();
    observe();
    grant(requests);

    const std::chrono::duration<double, std::milli> spent = std::chrono::steady_clock::now() - begin;
    last_frame_ms_ = spent.count();
    shown_frame_ms_ += (last_frame_ms_ - shown_frame_ms_) * 0.05;
}

void App::draw(Context& context) {
    const std::array<Layout, 2> panes = split_panes(layout_);
    Context pane = context.with(context.view, context.desk.two_panes ? panes[context.desk.active] : layout_, context.list);
    if (!help_ && !ImGui::IsPopupOpen(nullptr, ImGuiPopupFlags_AnyPopup)) handle_keys(pane);
    if (!asked_.empty()) run_action(pane, std::exchange(asked_, {}));
    context.desk.tree.refresh(context.session);
    drag_splitters(context);
    draw_panes(context);
    context.desk.minimap.draw(context);
    context.desk.drawer.draw(context, context.desk.table);
    context.desk.inspector.draw(context);
    toolbar_.draw(context);
    draw_error_bar(context);
    draw_notice(context);
    draw_status_bar(context);
    draw_boxes(context);
    if (help_) draw_help_window(context);
}

void App::draw_panes(Context& context) {
    Desk& desk = context.desk;
    if (!desk.two_panes) {
        desk.active = 0;
        draw_pane(context, 0);
        return;
    }
    const std::array<Layout, 2> layouts = split_panes(layout_);
    for (std::size_t i = 0; i < 2; ++i) {
        const Rect& lanes = layouts[i].lanes;
        const Rect whole{0, layouts[i].names_head.y, lanes.right(), lanes.bottom() - layouts[i].names_head.y};
        if (whole.contains(ImGui::GetIO().MousePos) && !ImGui::IsAnyMouseDown()) desk.active = i;
    }
    // Cursors, focus and notes are shared: each pane has them from the one that was drawn before.
    const std::size_t first = desk.active;
    for (const std::size_t pane : {first, 1 - first}) {
        Context part = context.with(desk.panes[pane].view, layouts[pane], context.list);
        if (pane != first) part.view.share(desk.panes[first].view);
        draw_pane(part, pane);
    }
    const Rect& lower = layouts[1].ruler;
    fill(context.list, {0, lower.y - context.hair(), lower.right(), context.hair() * 2}, context.theme.line);
    const Rect& active = layouts[desk.active].lanes;
    fill(context.list, {active.x, active.y, context.hair() * 2, active.height}, context.theme.accent);
}

void App::draw_pane(Context& context, std::size_t index) {
    Pane& pane = context.desk.panes[index];
    ImGui::PushID(static_cast<int>(index));
    const Scrollbar lane_bar = scroll_lanes(context);
    // Without lanes the place is the first page's, whose buttons would hear of no click.
    if (!context.session.lanes().empty()) pane.mouse.update(context);
    pane.lanes.draw(context);
    pane.mouse.draw(context);
    lane_bar.draw(context.list);
    context.desk.names[index].draw(context, pane.lanes);
    ImGui::PopID();
}

void App::draw_boxes(Context& context) {
    context.desk.lane_menu.draw(context);
    go_to_.draw(context);
    export_.draw(context);
    palette_.draw(context);
    settings_box_.draw(context);
    sources_box_.draw(context, desks_, shown_);
    close_box_.draw(context);
}

void App::draw_help_window(Context& context) {
    ImGui::SetNextWindowPos({0, 0});
    ImGui::SetNextWindowSize(context.layout.window.size());
    ImGui::SetNextWindowFocus();
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
    ImGui::Begin("help", nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                     ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoNav);
    ImGui::PopStyleVar();
    Context over = context.on(*ImGui::GetWindowDrawList());
    const bool closed = help_overlay_.draw(over) || ImGui::IsKeyPressed(kKeyEscape, false) || is_asked_for(context, "help");
    ImGui::End();
    if (closed) context.requests.toggle_help = true;
}

void App::drag_splitters(Context& context) {
    Splits& splits = settings_.splits;
    const float scale = context.layout.scale;
    const float names_drag = splitter(context, "split names", layout_.split_names, Direction::kAcross);
    if (names_drag != 0) splits.names = (layout_.names.width + names_drag) / scale;
    if (layout_.inspector.width > 0) {
        const float drag = splitter(context, "split inspector", layout_.split_inspector, Direction::kAcross);
        if (drag != 0) splits.inspector = (layout_.inspector.width - drag) / scale;
    }
    if (layout_.table.height > 0) {
        const float drag = splitter(context, "split table", layout_.split_table, Direction::kUpDown);
        if (drag != 0) splits.table = (layout_.tabs.height + layout_.tab_line.height + layout_.table.height - drag) / scale;
    }
}

}  // namespace sla::ui
