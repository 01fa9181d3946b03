// What panels and actions asked for while a frame was drawn, done at its end.
#include "viewer/ui/app.h"

#include <algorithm>

namespace sla::ui {

// What changed in this frame can be undone.
void App::observe() {
    Desk& desk = this->desk();
    if (desk.two_panes) desk.panes[0].view.share(desk.panes[desk.active].view);
    const bool gesture = ImGui::IsAnyMouseDown() || desk.view().stuck || ImGui::GetIO().WantTextInput;
    desk.history.observe(desk.state(), static_cast<double>(ImGui::GetIO().DeltaTime), gesture);
}

void App::travel(bool back) {
    Desk& desk = this->desk();
    const auto state = back ? desk.history.undo() : desk.history.redo();
    if (!state) return;
    desk.set_state(*state);
    if (desk.two_panes) desk.panes[1].view.share(desk.view());
}

// What was asked for while the frame was drawn.
void App::grant(const Requests& requests) {
    if (requests.toggle_help) help_ = !help_;
    if (requests.search) toolbar_.focus_search();
    if (requests.go_to) go_to_.open();
    if (requests.export_box) export_.open();
    if (requests.palette) palette_.open();
    if (requests.settings_box) settings_box_.open();
    if (requests.sources_box) sources_box_.open();
    if (requests.scale != 0) wanted_scale_ = requests.scale;
    if (requests.quit) quit_ = true;
    if (requests.undo) travel(true);
    if (requests.redo) travel(false);
    if (requests.toggle_theme) {
        settings_.theme = settings_.theme == ThemeName::kDark ? ThemeName::kLight : ThemeName::kDark;
        apply_theme(theme_of(settings_.theme), scale_);
    }
    if (requests.toggle_run && feed().can_run()) {
        if (is_running(feed().status().state)) {
            feed().stop();
        } else {
            feed().run();
            view().set_follow(true);
        }
    }
    grant_desks(requests);
}

void App::grant_desks(const Requests& requests) {
    if (requests.show_desk < desks_.size()) shown_ = requests.show_desk;
    if (requests.next_desk) shown_ = (shown_ + 1) % desks_.size();
    if (requests.close_desk) {
        if (keeping_) static_cast<void>(desk().keep().ok());
        desks_.erase(desks_.begin() + static_cast<std::ptrdiff_t>(shown_));
        if (desks_.empty()) desks_.push_back(std::make_unique<Desk>(no_feed(), settings_.motion));
        shown_ = std::min(shown_, desks_.size() - 1);
    }
    if (requests.open) open(*requests.open);
    if (requests.start_demo) start_demo();
}

void App::start_demo() {
    if (demo_ != nullptr) {
        open(demo_->address());
        return;
    }
    auto demo = Demo::start();
    if (!demo) {
        errors_.add(demo.error().message);
        return;
    }
    demo_ = std::move(*demo);
    open(demo_->address());
}

}  // namespace sla::ui
