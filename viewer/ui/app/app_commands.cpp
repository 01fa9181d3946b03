// What panels and actions asked for while a frame was drawn, done at its end.
#include "viewer/ui/app/app.h"

#include <algorithm>

namespace sla::ui {

void App::handle_commands() {
    for (const Command& command : commands_.take()) {
        std::visit([this](const auto& one) { handle(one); }, command);
    }
}

void App::handle(const command::RunAction& command) {
    asked_.push_back(command.id);
}

void App::handle(const command::OpenDialog& command) {
    switch (command.dialog) {
        case command::Dialog::kGoTo: return go_to_.open();
        case command::Dialog::kExport: return export_.open();
        case command::Dialog::kSettings: return settings_dialog_.open();
        case command::Dialog::kSources: return sources_dialog_.open();
        case command::Dialog::kPalette: return palette_.open();
    }
}

void App::handle(const command::ToggleHelp& /*command*/) {
    help_ = !help_;
}

void App::handle(const command::FocusSearch& /*command*/) {
    toolbar_.focus_search();
}

void App::handle(const command::SetTheme& command) {
    settings_.theme = command.theme;
    apply_theme(theme_of(settings_.theme), scale_);
}

void App::handle(const command::SetScale& command) {
    wanted_scale_ = command.scale;
}

void App::handle(const command::Undo& /*command*/) {
    if (const auto state = document().history.undo()) document().set_state(*state);
}

void App::handle(const command::Redo& /*command*/) {
    if (const auto state = document().history.redo()) document().set_state(*state);
}

void App::handle(const command::ToggleRun& /*command*/) {
    if (!source().can_run()) return;
    if (is_running(source().status().state)) return source().stop();
    source().run();
    view().set_follow(true);
}

void App::handle(const command::OpenSource& command) {
    open(command.target);
}

void App::handle(const command::ShowDocument& command) {
    if (command.index < documents_.size()) shown_ = command.index;
}

void App::handle(const command::StepDocuments& command) {
    if (documents_.size() == 1) return errors_.notice("Nothing else is open");
    shown_ = (shown_ + documents_.size() + static_cast<std::size_t>(command.steps)) % documents_.size();
}

void App::handle(const command::CloseDocument& command) {
    if (command.losses == command::Losses::kAccepted || lost_by_closing(document()).empty()) return close_shown();
    close_dialog_.open();
}

void App::handle(const command::ReopenDocument& /*command*/) {
    if (closed_.empty()) return errors_.notice("Nothing was closed that could be opened again");
    const std::string target = std::move(closed_.back());
    closed_.pop_back();
    open(target);
}

void App::handle(const command::StartDemo& /*command*/) {
    if (demo_ == nullptr) {
        auto demo = Demo::start();
        if (!demo) return errors_.add(demo.error().message);
        demo_ = std::move(*demo);
    }
    open(demo_->address());
    document().is_temporary = source().target() == demo_->address();
}

// The first that would lose something is shown, and asked about. Who has read that and closes the window again means it.
void App::handle(const command::Quit& command) {
    constexpr double kReadSeconds = 1;
    if (command.losses == command::Losses::kAccepted) {
        quit_ = true;
        return;
    }
    if (const double asked = close_dialog_.asks_to_quit(); asked > 0) {
        quit_ = asked >= kReadSeconds;
        return;
    }
    const auto loses = [](const auto& document) { return !lost_by_closing(*document).empty(); };
    const auto losing = std::find_if(documents_.begin(), documents_.end(), loses);
    quit_ = losing == documents_.end();
    if (quit_) return;
    shown_ = static_cast<std::size_t>(losing - documents_.begin());
    const auto others = std::count_if(losing + 1, documents_.end(), loses);
    close_dialog_.open(CloseDialog::What::kAll, static_cast<std::size_t>(others));
}

}  // namespace sla::ui
