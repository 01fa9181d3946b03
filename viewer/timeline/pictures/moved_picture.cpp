#include "viewer/timeline/pictures/moved_picture.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace sla::timeline {

namespace {

constexpr float kBeyond = 16;  // pixels at either side that still matter

// Old pixels to new ones.
struct Map {
    float scale = 1;
    float shift = 0;
    float width = 0;

    [[nodiscard]] float of(float x) const { return x * scale + shift; }
    [[nodiscard]] bool is_seen(float x0, float x1) const { return x1 >= -kBeyond && x0 <= width + kBeyond; }
};

// Marks stand in order of x: those in sight are one range. Written over what was there, in one pass.
template <typename Mark>
void move_marks(const std::vector<Mark>& from, const Map& map, std::vector<Mark>& to) {
    const auto begin =
        std::partition_point(from.begin(), from.end(), [&](const Mark& mark) { return map.of(mark.x) < -kBeyond; });
    const auto end =
        std::partition_point(begin, from.end(), [&](const Mark& mark) { return map.of(mark.x) <= map.width + kBeyond; });
    to.resize(static_cast<std::size_t>(end - begin));
    Mark* out = to.data();
    for (auto mark = begin; mark != end; ++mark, ++out) {
        *out = *mark;
        out->x = map.of(mark->x);
    }
}

template <typename Mark>
void move_ranges(const std::vector<Mark>& from, const Map& map, std::vector<Mark>& to) {
    to.clear();
    for (Mark mark : from) {
        mark.x0 = map.of(mark.x0);
        mark.x1 = map.of(mark.x1);
        if (map.is_seen(mark.x0, mark.x1)) to.push_back(mark);
    }
}

}  // namespace

void move_picture(const LanePicture& picture, const Viewport& was, const Viewport& is, LanePicture& out) {
    const std::uint64_t tick = was.tick_at(was.width() / 2);
    const double scale = was.ticks_per_pixel() / is.ticks_per_pixel();
    const double shift = is.x_of(tick) - was.x_of(tick) * scale;
    const bool is_out_of_sight = !std::isfinite(scale) || std::abs(shift) > 1e6 || scale > 1e3;
    if (is_out_of_sight) out.clear();
    out.value_min = picture.value_min;
    out.value_max = picture.value_max;
    out.has_above = picture.has_above;
    out.has_below = picture.has_below;
    out.rough = true;
    if (is_out_of_sight) return;
    const Map map{static_cast<float>(scale), static_cast<float>(shift), static_cast<float>(is.width())};
    move_marks(picture.ticks, map, out.ticks);
    move_marks(picture.busy_levels, map, out.busy_levels);
    move_marks(picture.slivers, map, out.slivers);
    move_marks(picture.values, map, out.values);
    move_marks(picture.texts, map, out.texts);
    move_ranges(picture.levels, map, out.levels);
    move_ranges(picture.bars, map, out.bars);
    move_ranges(picture.gaps, map, out.gaps);
}

void extend_to_now(std::uint64_t now, const Viewport& view, LanePicture& picture) {
    const auto end_x = static_cast<float>(std::min(view.width(), view.x_of(now)));
    if (!picture.levels.empty()) picture.levels.back().x1 = std::max(picture.levels.back().x1, end_x);
    for (SpanBar& bar : picture.bars) {
        if (bar.state == store::SpanState::kOpen) bar.x1 = std::max(bar.x1, end_x);
    }
}

std::size_t mark_count(const LanePicture& picture) {
    return picture.ticks.size() + picture.levels.size() + picture.busy_levels.size() + picture.bars.size() +
           picture.slivers.size() + picture.values.size() + picture.texts.size() + picture.gaps.size();
}

}  // namespace sla::timeline
