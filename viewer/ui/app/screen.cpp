#include "viewer/ui/app/screen.h"

#include "viewer/ui/app/kept_columns.h"
#include "viewer/ui/widgets/key_numbers.h"

#include <imgui.h>

#include <utility>

namespace sla::ui {

namespace {

constexpr double kGlyphsRest = 0.5;  // seconds between builds of the fonts for what texts have beyond them

// The numbers that GLFW gives to the keys ImGui's own widgets use; the off-screen surface has no backend that sets them.
void map_keys(ImGuiIO& io) {
    io.KeyMap[ImGuiKey_Escape] = kKeyEscape;
    io.KeyMap[ImGuiKey_LeftArrow] = kKeyLeft;
    io.KeyMap[ImGuiKey_RightArrow] = kKeyRight;
    io.KeyMap[ImGuiKey_UpArrow] = kKeyUp;
    io.KeyMap[ImGuiKey_DownArrow] = kKeyDown;
    io.KeyMap[ImGuiKey_Home] = kKeyHome;
    io.KeyMap[ImGuiKey_End] = kKeyEnd;
    io.KeyMap[ImGuiKey_Enter] = kKeyEnter;
    io.KeyMap[ImGuiKey_Backspace] = kKeyBackspace;
    io.KeyMap[ImGuiKey_Tab] = kKeyTab;
    io.KeyMap[ImGuiKey_Delete] = kKeyDelete;
    io.KeyMap[ImGuiKey_A] = 'A';
}

}  // namespace

Screen::Screen() {
    ImGui::CreateContext();
    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = nullptr;
    io.LogFilename = nullptr;
}

Screen::~Screen() {
    app_.reset();
    surface_.reset();
    ImGui::DestroyContext();
}

Result<std::unique_ptr<Screen>> Screen::open(const ScreenOptions& options) {
    return open(options, open_source(options.target, options.settings.memory()));
}

Result<std::unique_ptr<Screen>> Screen::open(const ScreenOptions& options, std::unique_ptr<DataSource> source) {
    std::unique_ptr<Screen> screen(new Screen);
    if (Result<void> started = screen->start(options, std::move(source)); !started) return started.error();
    return screen;
}

Result<void> Screen::start(const ScreenOptions& options, std::unique_ptr<DataSource> source) {
    const Pace pace = options.pace.value_or(source->can_run() ? Pace::kReal : Pace::kSteady);
    auto surface = options.headless ? make_offscreen_surface(options.width, options.height, pace)
                                    : make_window_surface(options.width, options.height, "Soft Logic Analyzer");
    if (!surface) return surface.error();
    surface_ = std::move(*surface);
    fonts_ = options.fonts;
    if (options.headless) map_keys(ImGui::GetIO());
    surface_->on_drop = [this](const std::string& path) { dropped_.push_back(path); };
    surface_->on_close = [this] { app_->run("quit"); };
    const float scale = options.scale > 0 ? options.scale : surface_->content_scale();
    const Fonts fonts = load_fonts(scale, fonts_);
    restore_list_columns(options.settings);
    app_ = std::make_unique<App>(std::move(source), options.settings, fonts, scale);
    app_->set_keeping(options.keeping);
    return {};
}

bool Screen::frame() {
    if (!build_frame()) return false;
    const App::Rest rest(*app_);
    surface_->end_frame();
    return true;
}

bool Screen::build_frame() {
    rescale();
    surface_->set_activity(are_glyphs_missing() ? Activity::kWork : app_->activity());
    {
        const App::Rest rest(*app_);  // a window waits here for what a person does
        surface_->begin_frame();
    }
    for (const std::string& path : std::exchange(dropped_, {})) app_->open(path);
    ImGui::NewFrame();
    app_->frame();
    ImGui::Render();
    return !app_->wants_to_quit();
}

// Between frames: the fonts are built anew.
void Screen::rescale() {
    const float wanted = app_->take_wanted_scale();
    const bool adds = are_glyphs_missing() && ImGui::GetTime() >= next_glyphs_;
    if (wanted == 0 && !adds) return;
    next_glyphs_ = ImGui::GetTime() + kGlyphsRest;
    const float scale = wanted == 0 ? app_->layout().scale : wanted > 0 ? wanted : surface_->content_scale();
    ImGui::GetIO().Fonts->Clear();
    const Fonts fonts = load_fonts(scale, fonts_);
    surface_->fonts_changed();
    app_->set_fonts(fonts, scale);
}

const workspace::Settings& Screen::settings() {
    keep_list_columns(app_->settings());
    return app_->settings();
}

void Screen::show_range(std::optional<std::int64_t> from_ps, std::optional<std::int64_t> to_ps) {
    if (!from_ps && !to_ps) return;
    const time::ClockMap& clock = app_->source().session().clock();
    timeline::TickRange range = app_->view().extent();
    if (from_ps) range.first = clock.to_tick(*from_ps);
    if (to_ps) range.last = clock.to_tick(*to_ps);
    app_->view().show(range);
}

}  // namespace sla::ui
