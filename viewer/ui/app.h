// The window's contents: one call draws a whole frame, the same for a window on a display and for a picture in memory.
//
// Owner: the window's thread, between ImGui::NewFrame and ImGui::Render. Holds no graphics; takes whatever size
// io.DisplaySize says. Data is taken from the feed within a budget each frame; nothing here waits.
#pragma once

#include "viewer/ui/context.h"
#include "viewer/ui/event_table.h"
#include "viewer/ui/export_box.h"
#include "viewer/ui/go_to.h"
#include "viewer/ui/inspector.h"
#include "viewer/ui/lanes_area.h"
#include "viewer/ui/lanes_mouse.h"
#include "viewer/ui/minimap_strip.h"

#include <chrono>
#include <memory>

namespace sla::ui {

class App {
public:
    // `scale` is that of the fonts given.
    App(std::unique_ptr<Feed> feed, Settings settings, const Fonts& fonts, float scale);

    void frame();

    // Another capture or agent; what was shown is gone.
    void open(std::unique_ptr<Feed> feed);

    [[nodiscard]] View& view() { return *view_; }
    [[nodiscard]] Feed& feed() { return *feed_; }
    [[nodiscard]] Settings& settings() { return settings_; }
    [[nodiscard]] Errors& errors() { return errors_; }
    [[nodiscard]] const Layout& layout() const { return layout_; }
    [[nodiscard]] bool help_open() const { return help_; }
    // CPU time of the last frame, in milliseconds.
    [[nodiscard]] double last_frame_ms() const { return last_frame_ms_; }

private:
    void take_data();
    void tell_problems(const FeedStatus& status);
    void draw(Context& context);
    void draw_help_window(Context& context);
    void drag_splitters(Context& context);
    void grant(const Requests& requests);

    std::unique_ptr<Feed> feed_;
    Settings settings_;
    Fonts fonts_;
    float scale_;
    Layout layout_;
    Errors errors_;
    // All that points into the feed's session, made anew with it.
    std::unique_ptr<View> view_;
    std::unique_ptr<EventTable> table_;
    std::unique_ptr<LanesArea> lanes_;
    std::unique_ptr<Inspector> inspector_;
    timeline::LaneTree tree_;
    LaneRates rates_;
    LanesMouse mouse_;
    MinimapStrip minimap_;
    GoTo go_to_;
    ExportBox export_;
    bool help_ = false;
    std::string told_;  // the feed's message that is in errors_ already
    std::size_t told_notes_ = 0;  // of the session's
    double last_frame_ms_ = 0;
    double shown_frame_ms_ = 0;
};

}  // namespace sla::ui
