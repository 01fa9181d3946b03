// An ImGui context with a surface, fonts and the app on it: what runs frames, on a display or in memory.
#pragma once

#include "proto/base/result.h"
#include "viewer/ui/app/app.h"
#include "viewer/ui/app/surface.h"

#include <memory>
#include <optional>
#include <string>

namespace sla::ui {

struct ScreenOptions {
    int width = 1280;
    int height = 720;
    float scale = 0;  // 0: what the display asks for
    bool headless = false;
    std::string target;  // a capture, an address, "" for this user's agent
    workspace::Settings settings;
    FontChoice fonts = FontChoice::kBestInstalled;
    std::optional<Pace> pace;  // else that of the source: an agent's is the clock's, a file's is steady
    bool keeping = false;      // arrangements of captures are read from and written to their files
};

// One thread. Only one at a time: ImGui's context is global.
class Screen {
public:
    static Result<std::unique_ptr<Screen>> open(const ScreenOptions& options);
    // The same with a source that is there already; `options.target` is not used.
    static Result<std::unique_ptr<Screen>> open(const ScreenOptions& options, std::unique_ptr<DataSource> source);
    ~Screen();
    Screen(const Screen&) = delete;
    Screen& operator=(const Screen&) = delete;

    // Draws one frame; false when the person closed the window.
    bool frame();
    // Computes and builds one frame without drawing it; false when the person closed the window.
    bool build_frame();
    // Times since the capture's start, in picoseconds; what is left out stays where it is.
    void show_range(std::optional<std::int64_t> from_ps, std::optional<std::int64_t> to_ps);
    // As they are to be kept.
    const workspace::Settings& settings();
    [[nodiscard]] App& app() { return *app_; }
    [[nodiscard]] Pixels pixels() { return surface_->read_pixels(); }

private:
    Screen();
    void rescale();
    Result<void> start(const ScreenOptions& options, std::unique_ptr<DataSource> source);

    std::unique_ptr<Surface> surface_;
    std::unique_ptr<App> app_;
    FontChoice fonts_ = FontChoice::kBestInstalled;
    std::vector<std::string> dropped_;
    double next_glyphs_ = 0;  // when fonts may be built for more characters; in ImGui's seconds
};

}  // namespace sla::ui
