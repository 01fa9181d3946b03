#include "viewer/ui/app/app.h"

#include "proto/base/memory_reserve.h"
#include "proto/wire/address.h"
#include "viewer/timeline/readable.h"
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

namespace {

constexpr std::chrono::milliseconds kDataBudget{6};
constexpr std::chrono::milliseconds kBehindBudget{2};  // of documents that are not shown
constexpr double kKeepSeconds = 10;

}  // namespace

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

std::vector<Error> App::keep() {
    std::vector<Error> problems;
    for (const auto& document : documents_) {
        const std::vector<Error> of_it = end(*document);
        problems.insert(problems.end(), of_it.begin(), of_it.end());
    }
    return problems;
}

std::vector<Error> App::end(Document& document) const {
    std::vector<Error> problems;
    const Result<void> kept = keeping_ ? document.keep() : Result<void>();
    if (!kept) problems.push_back(kept.error());
    const Result<void> logged = document.counters->end_log();
    if (!logged) problems.push_back(logged.error());
    return problems;
}

// What goes wrong is said once, not at every try.
void App::keep_now_and_then(double seconds) {
    since_kept_ += seconds;
    if (since_kept_ < kKeepSeconds || !keeping_) return;
    since_kept_ = 0;
    for (const auto& document : documents_) {
        const Result<void> kept = document->keep();
        const std::string problem = kept ? std::string() : kept.error().message;
        if (std::exchange(document->reported_keeping, problem) != problem && !problem.empty()) errors_.add(problem);
    }
}

void App::take_data() {
    const auto seconds = static_cast<double>(ImGui::GetIO().DeltaTime);
    for (std::size_t i = 0; i < documents_.size(); ++i) {
        take_older(i);
        Document& document = *documents_[i];
        for (View& one : document.views) one.set_motion(settings_.motion);
        document.take_data(i == shown_ ? kDataBudget : kBehindBudget, seconds);
        report_problems(document);
        report_export(document);
        if (const std::string problem = document.counters->take_log_problem(); !problem.empty())
            errors_.add({"The counters' log has ended: " + problem, Severity::kError, &document, {}});
        if (const auto answer = document.agent->poll(); answer && !*answer) {
            errors_.add({answer->error().message, Severity::kError, &document, {}});
        }
        const SourceState state = document.source->status().state;
        const bool there = state != SourceState::kLoading && !document.source->session().lanes().empty();
        if (!there || document.restored) continue;
        if (!document.is_temporary) settings_.remember(document.source->target());
        const Result<void> restored = keeping_ ? document.restore() : Result<void>();
        document.restored = true;
        if (!restored) errors_.add({restored.error().message, Severity::kError, &document, {}});
    }
    for (const std::string& what : JobRunner::shared().take_failures()) {
        errors_.add(
            {"There is not enough memory for " + what + ": a shorter range needs less", Severity::kError, nullptr, {}});
        hold_memory_reserve();
    }
    end_trials();
    keep_now_and_then(seconds);
}

void App::report_problems(Document& document) {
    const SourceStatus status = document.source->status();
    if (status.message != document.reported) {
        errors_.withdraw(&document, document.reported);
        document.reported = status.message;
        // The agent of this user is looked for unasked, and may come at any time.
        const bool is_early =
            document.source->target() == wire::default_address().text() && document.source->session().lanes().empty();
        errors_.add({status.message, is_early ? Severity::kInformation : severity_of(status.state), &document, {}});
    }
    for (const store::Note& note : document.told_notes.take_new(document.source->session().notes()))
        errors_.add({note.text, severity_of(note), &document, {}});
}

// Of one whose dialog was closed meanwhile, or that a document which is not shown has written.
void App::report_export(Document& document) {
    const auto* const ending = document.job ? document.job->take_ending() : nullptr;
    if (ending == nullptr || (&document == documents_[shown_].get() && export_.is_shown())) return;
    if (!ending->ok()) return errors_.add({ending->error().message, Severity::kError, &document, {}});
    errors_.notice(fmt::format("{} rows written to {}", timeline::grouped((*ending)->events), document.job->path()));
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
