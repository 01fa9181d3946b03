#include "viewer/ui/app/app.h"

#include "viewer/ui/app/status_bar.h"
#include "viewer/ui/commands/actions.h"
#include "viewer/ui/commands/keys.h"
#include "viewer/ui/dialogs/error_bar.h"
#include "viewer/ui/timeline/quads.h"
#include "viewer/ui/widgets/paint.h"
#include "viewer/ui/widgets/widgets.h"

#include <fmt/format.h>

#include <algorithm>

namespace sla::ui {

App::App(std::unique_ptr<DataSource> source, Settings settings, const Fonts& fonts, float scale)
    : settings_(std::move(settings)), fonts_(fonts), scale_(scale) {
    documents_.push_back(std::make_unique<Document>(std::move(source)));
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

Activity App::activity() const {
    const auto any = [&](const auto& of, auto is) { return std::any_of(of.begin(), of.end(), is); };
    if (!errors_.notice().empty() || any(documents_, [](const auto& document) { return document->is_working(); }) ||
        any(panels_, [](const auto& of) { return of.second->is_refining(); }))
        return Activity::kWork;
    const Document& shown = *documents_[shown_];
    const bool follows = shown.views[0].follow() || (shown.two_panes && shown.views[1].follow());
    if (follows && shown.is_busy()) return Activity::kFollowing;
    if (beside_ != nullptr && beside_->views[0].follow() && beside_->is_busy()) return Activity::kFollowing;
    return any(documents_, [](const auto& document) { return document->is_busy(); }) ? Activity::kNumbers : Activity::kNone;
}

DocumentPanels& App::panels_of(Document& document) {
    std::unique_ptr<DocumentPanels>& panels = panels_[&document];
    if (panels == nullptr) panels = std::make_unique<DocumentPanels>(document);
    return *panels;
}

Context App::context_of(Document& document, ImDrawList& list) {
    return {document,
            *document.source,
            document.source->session(),
            document.views[document.two_panes ? document.active : 0],
            document.marks,
            settings_,
            keys_,
            document.tree,
            document.rates,
            errors_,
            commands_,
            theme_of(settings_.theme),
            fonts_,
            layout_,
            list,
            document.source->status(),
            shows_frame_time_ ? shown_frame_ms_ : 0};
}

void App::advance_views(Document& document) {
    for (View& view : document.views) {
        view.advance(document.source->session(), static_cast<double>(layout_.lanes.width),
                     static_cast<double>(ImGui::GetIO().DeltaTime));
    }
}

void App::frame() {
    const auto begin = std::chrono::steady_clock::now();
    errors_.age(static_cast<double>(ImGui::GetIO().DeltaTime));
    take_data();
    settle_beside();
    const ImVec2 size = ImGui::GetIO().DisplaySize;
    Document& document = this->document();
    layout_ = make_layout(size, scale_, settings_.splits, errors_.any() || document.has_unseen_losses());
    if (layout_.inspector_fits) settings_.splits.inspector_first = false;
    if (layout_.table_fits) settings_.splits.table_first = false;
    link_views();
    advance_views(document);
    if (beside_ != nullptr) advance_views(*beside_);
    ImGui::SetNextWindowPos({0, 0});
    ImGui::SetNextWindowSize(size);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
    ImGui::Begin("sla", nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |  // columns of tables in it are kept
                     ImGuiWindowFlags_NoBringToFrontOnFocus | ImGuiWindowFlags_NoScrollWithMouse | ImGuiWindowFlags_NoNav);
    ImGui::PopStyleVar();
    ImGui::PushFont(fonts_.text);
    make_space(*ImGui::GetWindowDrawList());
    Context context = context_of(document, *ImGui::GetWindowDrawList());
    draw(context);
    ImGui::PopFont();
    ImGui::End();
    const bool gesture = ImGui::IsAnyMouseDown() || document.marks.follows_mouse || ImGui::GetIO().WantTextInput;
    document.observe(static_cast<double>(ImGui::GetIO().DeltaTime), gesture);
    if (beside_ != nullptr) beside_->observe(static_cast<double>(ImGui::GetIO().DeltaTime), gesture);
    handle_commands();

    const std::chrono::duration<double, std::milli> spent = std::chrono::steady_clock::now() - begin;
    shown_frame_ms_ += (spent.count() - shown_frame_ms_) * 0.05;
}

void App::draw(Context& context) {
    const Layout active = active_layout();
    Context pane = context.with(context.view, active, context.list);
    if (!help_ && !ImGui::IsPopupOpen(nullptr, ImGuiPopupFlags_AnyPopup)) handle_keys(pane);
    for (const std::string& action : std::exchange(asked_, {})) run_action(pane, action);
    context.document.tree.refresh(context.session);
    drag_splitters(context);
    draw_panes(context);
    panels().minimap.draw(context);
    panels().bottom.draw(context);
    panels().inspector.draw(context);
    toolbar_.draw(context);
    error_bar_.draw(context);
    draw_notice(context);
    draw_status_bar(context);
    draw_dialogs(context);
    if (help_) draw_help_window(context);
}

void App::draw_dialogs(Context& context) {
    panels().lane_menu.draw(context);
    panels().head_menu.draw(context);
    go_to_.draw(context);
    export_.draw(context);
    palette_.draw(context);
    settings_dialog_.draw(context);
    sources_dialog_.draw(context, documents_, shown_);
    close_dialog_.draw(context);
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
    if (closed) context.commands.push(command::ToggleHelp{});
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
