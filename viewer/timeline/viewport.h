// Which part of the tick axis a strip of pixels shows.
//
//   pixel x  <->  tick = start + fraction + x * ticks_per_pixel
//
// The start is an integer with a fraction beside it, so that a capture 2^60 ticks long zooms to single ticks without the
// picture shaking: only differences to the start, which are small, become doubles. Where the axis has breaks (Folds) "tick"
// above reads "place on the axis"; whoever asks by ticks need not know. Value type; any thread.
#pragma once

#include "viewer/timeline/lanes/folds.h"
#include "viewer/timeline/tick_range.h"

#include <cstdint>
#include <memory>

namespace sla::timeline {

class Viewport {
public:
    static constexpr double kMinTicksPerPixel = 1.0 / 64.0;
    static constexpr double kMaxTicksPerPixel = 4503599627370496.0;  // 2^52: a 2^60 axis in 256 pixels

    [[nodiscard]] double width() const { return width_; }
    [[nodiscard]] double ticks_per_pixel() const { return ticks_per_pixel_; }
    // Pixels from the left edge; negative to the left of it.
    [[nodiscard]] double x_of(std::uint64_t tick) const;
    // The tick nearest to that pixel, at least 0.
    [[nodiscard]] std::uint64_t tick_at(double x) const;
    // The first tick at or right of that pixel, at least 0: where a pixel column's ticks begin.
    [[nodiscard]] std::uint64_t first_tick_from(double x) const;
    // First and last tick any part of the strip shows.
    [[nodiscard]] TickRange visible() const;

    // The part of the strip from that whole pixel on, its pixels counted from 0: for the same tick the same pixel, exactly.
    [[nodiscard]] Viewport strip(int begin, double width) const;

    // The axis with these breaks from now on (null: without); what is in the middle stays there, the zoom too.
    void set_folds(std::shared_ptr<const Folds> folds);
    [[nodiscard]] const Folds* folds() const { return folds_.get(); }

    // Keeps the left edge.
    void set_width(double pixels);
    // factor < 1 zooms in; the tick under pixel x stays there.
    void zoom_at(double x, double factor);
    // Positive moves the view to later ticks.
    void pan(double pixels);
    // The range fills the strip but for `margin` of the width on both sides.
    void show(TickRange range, double margin = 0.0);
    // The tick appears at pixel x, zoom unchanged.
    void place(std::uint64_t tick, double x);
    // That tick at the left edge, so many ticks a pixel.
    void stand(std::uint64_t tick, double ticks_per_pixel);
    // The same strip over ticks that many later (earlier when negative): what is drawn through it appears earlier.
    [[nodiscard]] Viewport shifted(std::int64_t ticks) const;
    // Moves back, and zooms in if needed, until at most half the strip lies outside `extent`.
    void keep_near(TickRange extent);

    bool operator==(const Viewport&) const = default;

    // Between two viewports: t 0 is `from`, 1 is `to`; a tick that both show at one pixel stays at it all the way.
    static Viewport between(const Viewport& from, const Viewport& to, double t);

private:
    [[nodiscard]] std::int64_t place_of(std::uint64_t tick) const;
    [[nodiscard]] std::uint64_t tick_of(std::int64_t place) const;
    void move_start(double ticks);
    void normalize();

    std::int64_t start_ = 0;  // a place on the axis
    double fraction_ = 0.0;   // [0, 1)
    double ticks_per_pixel_ = 1.0;
    double width_ = 1.0;
    double skipped_ = 0.0;                // whole pixels left of this part of a strip
    std::shared_ptr<const Folds> folds_;  // null: a place is a tick
    std::int64_t shift_ = 0;              // with folds: ticks are so much later than where they are drawn
};

}  // namespace sla::timeline
