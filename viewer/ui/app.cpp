#include "viewer/ui/app.h"

#include "viewer/ui/error_bar.h"
#include "viewer/ui/help_overlay.h"
#include "viewer/ui/keys.h"
#include "viewer/ui/lane_names.h"
#include "viewer/ui/status_bar.h"
#include "viewer/ui/toolbar.h"
#include "viewer/ui/widgets.h"

#include <algorithm>

namespace sla::ui {

namespace {

constexpr std::chrono::milliseconds kDataBudget{6};

}  // namespace

App::App(std::unique_ptr<Feed> feed, Settings settings, const Fonts& fonts, float scale)
    : settings_(settings), fonts_(fonts), scale_(scale) {
    open(std::move(feed));
    apply_theme(theme_of(settings_.theme), scale_);
}

void App::open(std::unique_ptr<Feed> feed) {
    table_.reset();
    lanes_.reset();
    inspector_.reset();
    view_.reset();
    feed_ = std::move(feed);
    view_ = std::make_unique<View>();
    view_->set_motion(settings_.motion);
    view_->set_follow(feed_->can_run());
    table_ = std::make_unique<EventTable>(feed_->session());
    lanes_ = std::make_unique<LanesArea>();
    inspector_ = std::make_unique<Inspector>();
    tree_ = {};
    rates_ = {};
    minimap_ = {};
    mouse_ = {};
    told_.clear();
    told_notes_ = 0;
}

void App::take_data() {
    feed_->poll(kDataBudget);
    tell_problems(feed_->status());
    const double seconds = static_cast<double>(ImGui::GetIO().DeltaTime);
    tree_.refresh(feed_->session());
    rates_.refresh(feed_->session(), seconds);
}

void App::tell_problems(const FeedStatus& status) {
    if (status.state != FeedState::kLost) {
        told_.clear();
    } else if (status.message != told_) {
        told_ = status.message;
        errors_.add(status.message);
    }
    const auto& notes = feed_->session().notes();
    if (notes.size() < told_notes_) told_notes_ = 0;
    for (; told_notes_ < notes.size(); ++told_notes_) errors_.add(notes[told_notes_].text);
}

void App::frame() {
    const auto begin = std::chrono::steady_clock::now();
    take_data();
    const ImVec2 size = ImGui::GetIO().DisplaySize;
    layout_ = make_layout(size, scale_, settings_.splits, errors_.any());
    view_->advance(feed_->session(), static_cast<double>(layout_.lanes.width),
                   static_cast<double>(ImGui::GetIO().DeltaTime));

    ImGui::SetNextWindowPos({0, 0});
    ImGui::SetNextWindowSize(size);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
    ImGui::Begin("sla", nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                     ImGuiWindowFlags_NoBringToFrontOnFocus | ImGuiWindowFlags_NoScrollWithMouse | ImGuiWindowFlags_NoNav);
    ImGui::PopStyleVar();
    ImGui::PushFont(fonts_.text);
    Requests requests;
    Context context{*feed_,
                    feed_->session(),
                    *view_,
                    settings_,
                    tree_,
                    rates_,
                    errors_,
                    requests,
                    theme_of(settings_.theme),
                    fonts_,
                    layout_,
                    *ImGui::GetWindowDrawList(),
                    feed_->status(),
                    shown_frame_ms_};
    draw(context);
    grant(requests);
    ImGui::PopFont();
    ImGui::End();

    const std::chrono::duration<double, std::milli> spent = std::chrono::steady_clock::now() - begin;
    last_frame_ms_ = spent.count();
    shown_frame_ms_ += (last_frame_ms_ - shown_frame_ms_) * 0.05;
}

void App::draw(Context& context) {
    if (!help_) handle_keys(context);
    drag_splitters(context);
    const Scrollbar lane_bar = scroll_lanes(context);
    mouse_.update(context);
    lanes_->draw(context);
    mouse_.draw(context);
    lane_bar.draw(context.list);
    minimap_.draw(context);
    draw_lane_names(context, *lanes_);
    table_->draw(context);
    inspector_->draw(context);
    draw_toolbar(context);
    draw_error_bar(context);
    draw_status_bar(context);
    go_to_.draw(context);
    export_.draw(context);
    if (help_) draw_help_window(context);
}

void App::draw_help_window(Context& context) {
    ImGui::SetNextWindowPos({0, 0});
    ImGui::SetNextWindowSize(context.layout.window.size());
    ImGui::SetNextWindowFocus();
    ImGui::Begin("help", nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                     ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoNav);
    Context over = context.on(*ImGui::GetWindowDrawList());
    const bool closed = draw_help(over) || ImGui::IsKeyPressed(kKeyEscape, false);
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
        if (drag != 0) splits.table = (layout_.table.height - drag) / scale;
    }
}

// What was asked for while the frame was drawn.
void App::grant(const Requests& requests) {
    if (requests.toggle_help) help_ = !help_;
    if (requests.go_to) go_to_.open();
    if (requests.export_table) export_.open();
    if (requests.toggle_theme) {
        settings_.theme = settings_.theme == ThemeName::kDark ? ThemeName::kLight : ThemeName::kDark;
        apply_theme(theme_of(settings_.theme), scale_);
    }
    if (requests.toggle_run && feed_->can_run()) {
        const FeedState state = feed_->status().state;
        if (state == FeedState::kLive || state == FeedState::kConnecting) {
            feed_->stop();
        } else {
            feed_->run();
            view_->set_follow(true);
        }
    }
}

}  // namespace sla::ui
