// What panels and actions asked for while a frame was drawn, done at its end.
#include "viewer/ui/app/app.h"

namespace sla::ui {

// What changed in this frame can be undone.
void App::observe() {
    Document& document = this->document();
    if (document.two_panes) document.views[0].share(document.views[document.active]);
    const bool gesture = ImGui::IsAnyMouseDown() || document.view().follows_mouse || ImGui::GetIO().WantTextInput;
    document.history.observe(document.state(), static_cast<double>(ImGui::GetIO().DeltaTime), gesture);
}

void App::apply_history(bool back) {
    Document& document = this->document();
    const auto state = back ? document.history.undo() : document.history.redo();
    if (!state) return;
    document.set_state(*state);
}

// What was asked for while the frame was drawn.
void App::handle_requests(const Requests& requests) {
    asked_.insert(asked_.end(), requests.actions.begin(), requests.actions.end());
    if (requests.toggle_help) help_ = !help_;
    if (requests.search) toolbar_.focus_search();
    if (requests.go_to) go_to_.open();
    if (requests.export_dialog) export_.open();
    if (requests.palette) palette_.open();
    if (requests.settings_dialog) settings_dialog_.open();
    if (requests.sources_dialog) sources_dialog_.open();
    if (requests.scale != 0) wanted_scale_ = requests.scale;
    if (requests.undo) apply_history(true);
    if (requests.redo) apply_history(false);
    if (requests.toggle_theme) {
        settings_.theme = settings_.theme == ThemeName::kDark ? ThemeName::kLight : ThemeName::kDark;
        apply_theme(theme_of(settings_.theme), scale_);
    }
    if (requests.toggle_run && source().can_run()) {
        if (is_running(source().status().state)) {
            source().stop();
        } else {
            source().run();
            view().set_follow(true);
        }
    }
    handle_document_requests(requests);
}

}  // namespace sla::ui
