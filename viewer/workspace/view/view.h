// The part of time that one pane shows, and how it moves. Knows no panel and draws nothing.
//
// Panels change the view through the verbs below; the picture glides there. Following keeps the newest tick near the right
// edge; any other movement ends it. Owner: the window's thread.
#pragma once

#include "viewer/store/session.h"
#include "viewer/timeline/snap.h"
#include "viewer/timeline/viewport.h"
#include "viewer/workspace/view/view_state.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace sla::workspace {

class View {
public:
    // Once a frame, before anything is drawn. `now_tick` is the newest tick known, `seconds` since the last frame.
    void advance(const store::Session& session, double width, double seconds);

    // What is drawn in this frame, and what it moves towards.
    [[nodiscard]] const timeline::Viewport& port() const { return shown_; }
    [[nodiscard]] const timeline::Viewport& target() const { return target_; }
    // From the first event to now; never empty.
    [[nodiscard]] timeline::TickRange extent() const { return extent_; }
    [[nodiscard]] std::uint64_t now() const { return extent_.last; }

    void zoom_at(double x, double factor);
    void pan(double pixels);  // at once, as a drag does
    void glide_pan(double pixels);
    void show(timeline::TickRange range, double margin = 0.0);
    void fit();
    void go_to_start();
    void go_to_end();
    // That tick in the middle, zoom unchanged.
    void go_to(std::uint64_t tick);
    // Moves only if needed, so that the tick is comfortably visible.
    void reveal(std::uint64_t tick);

    // Axis breaks; what is in the middle stays there.
    void set_folds(std::vector<timeline::TickRange> intervals);
    [[nodiscard]] std::vector<timeline::TickRange> folds() const;

    void set_follow(bool follow);
    [[nodiscard]] bool follow() const { return follow_; }
    [[nodiscard]] bool is_placed() const { return placed_; }  // something has been shown yet
    void set_motion(bool on) { motion_ = on; }
    // Counts the changes of the visible range that a person made.
    [[nodiscard]] std::uint64_t moves() const { return moves_; }

    float lane_scroll = 0;  // pixels

    // Where it stands, and going back there.
    [[nodiscard]] ShownPlace place() const;
    void go_back_to(const ShownPlace& place);
    // Begins as another pane on the same data: at its place, with its folds.
    void begin_like(const View& other);

private:
    void fold(const std::shared_ptr<const timeline::Folds>& folds);
    void glide();
    void jump();
    void moved();
    void follow_newest(const store::Session& session, double seconds);

    timeline::Viewport shown_;
    timeline::Viewport from_;
    timeline::Viewport target_;
    double glide_time_ = 1.0;  // seconds since it began
    bool motion_ = false;
    bool follow_ = false;
    bool placed_ = false;  // something has been shown yet
    bool fitted_ = false;  // shows everything until a person moves: a file may still be loading
    timeline::TickRange extent_{0, 1};
    double known_ = 0;    // ticks there are, and for how long there were no more
    double stalled_ = 0;  // seconds
    double newest_ = 0;   // the tick at the right edge while following, smoothed; relative to extent_.first
    std::uint64_t moves_ = 0;
};

}  // namespace sla::workspace
