// What panels and actions asked for while a frame was drawn, done at its end.
#include "viewer/ui/app.h"

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

}  // namespace sla::ui
