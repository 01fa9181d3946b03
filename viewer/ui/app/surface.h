// Where frames are drawn: a window on a display, or memory. Both run the same ImGui backend, so that a picture made without
// a display is what people see.
#pragma once

#include "proto/base/result.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace sla::ui {

struct Pixels {
    int width = 0;
    int height = 0;
    std::vector<std::uint8_t> rgba;  // rows from the top
};

Result<void> write_png(const Pixels& pixels, const std::string& path);

// What changes in a window without a person: nothing; numbers, of an agent that is not followed; the place of an agent's
// newest events; or something that should be over soon.
enum class Activity : std::uint8_t { kNone, kNumbers, kFollowing, kWork };

// Owns the graphics context and ImGui's backends, not the ImGui context, which must exist before and live longer.
// One thread: that which made it.
class Surface {
public:
    virtual ~Surface() = default;
    // Starts a frame: time, size and input are set.
    virtual void begin_frame() = 0;
    // How much of the picture goes on by itself: between frames a window waits for what a person does, but never long.
    virtual void set_activity(Activity /*activity*/) {}
    // Draws ImGui's draw data and shows it; in memory nobody sees it before it is read.
    virtual void end_frame() = 0;
    // What the last frame drew.
    virtual Pixels read_pixels() = 0;
    // Device pixels per unit of UI scale: 1 on common displays, 2 on dense ones.
    [[nodiscard]] virtual float content_scale() const { return 1.0F; }
    // The atlas of ImGui's fonts was built anew.
    virtual void fonts_changed() = 0;
    // Runs when files are dropped on the window.
    std::function<void(const std::string& path)> on_drop;
    // Runs when the window is asked to close, by its own button; it stays open.
    std::function<void()> on_close;
};

// How time goes on from frame to frame: as it really does, or by 1/60 s so that the same frames give the same picture.
enum class Pace { kReal, kSteady };

// Memory, through EGL's surfaceless platform: needs no display and no GPU.
Result<std::unique_ptr<Surface>> make_offscreen_surface(int width, int height, Pace pace);
// A window.
Result<std::unique_ptr<Surface>> make_window_surface(int width, int height, const std::string& title);

}  // namespace sla::ui
