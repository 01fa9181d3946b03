#include "viewer/report/lanes_svg.h"

#include "proto/wire/utf8.h"
#include "viewer/formats/markup_text.h"
#include "viewer/timeline/lanes/lane_tree.h"
#include "viewer/timeline/lanes/natural_order.h"
#include "viewer/timeline/pictures/lane_picture.h"
#include "viewer/timeline/readable.h"
#include "viewer/timeline/ruler.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

namespace sla::report {

namespace {

constexpr double kNameWidth = 190;
constexpr double kPlotWidth = 1000;
constexpr double kRulerHeight = 24;
constexpr double kGapY = 5;
constexpr std::size_t kHues = 6;
constexpr std::size_t kNameBytes = 26;

using timeline::LanePicture;

// Paints one lane into a strip that begins at `y`.
class LanePainter {
public:
    LanePainter(std::string& out, double y, double height) : out_(out), y_(y), height_(height) {}

    void paint(const LanePicture& picture) {
        for (const auto& mark : picture.levels) level(mark);
        for (const auto& busy : picture.busy_levels) rect("band", busy.x, busy.x + 1, y_ + kGapY, bottom());
        for (const auto& bar : picture.bars) span(bar.x0, bar.x1, bar.row, bar.state == store::SpanState::kClosed);
        for (const auto& sliver : picture.slivers) span(sliver.x, sliver.x + 1, sliver.row, true);
        values(picture);
        for (const auto& mark : picture.ticks) line("tick", mark.x, y_ + kGapY, mark.x, bottom());
        for (const auto& flag : picture.texts) line("tick", flag.x, y_ + kGapY + 4, flag.x, bottom());
        for (const auto& gap : picture.gaps)
            rect(gap.not_kept ? "kept" : "gap", gap.x0, std::max(gap.x0 + 1, gap.x1), y_ + 1, y_ + height_ - 1);
    }

private:
    static double clip(double x) { return std::clamp(x, 0.0, kPlotWidth) + kNameWidth; }
    [[nodiscard]] double bottom() const { return y_ + height_ - kGapY; }
    void rect(const char* look, double x0, double x1, double y0, double y1) {
        fmt::format_to(std::back_inserter(out_), "<rect class={} x={:.1f} y={:.1f} width={:.1f} height={:.1f} />\n", look,
                       clip(x0), y0, std::max(0.5, clip(x1) - clip(x0)), std::max(1.0, y1 - y0));
    }
    void line(const char* look, double x0, double y0, double x1, double y1) {
        fmt::format_to(std::back_inserter(out_), "<path class={} d=\"M{:.1f} {:.1f}L{:.1f} {:.1f}\"/>\n", look, clip(x0), y0,
                       clip(x1), y1);
    }
    void level(const timeline::LevelMark& mark) {
        const bool high = mark.level == store::Level::kHigh;
        const double y = mark.level == store::Level::kUnknown ? (y_ + y_ + height_) / 2 : high ? y_ + kGapY : bottom();
        if (mark.edge) line("edge", mark.x0, y_ + kGapY, mark.x0, bottom());
        line(mark.level == store::Level::kUnknown ? "unknown" : "edge", mark.x0, y, mark.x1, y);
    }
    void span(double x0, double x1, std::uint16_t row, bool whole) {
        const double top = y_ + kGapY + std::min<double>(row, 5) * 4;
        rect(whole ? "bar" : "gap", x0, std::max(x0 + 1, x1), top, std::max(top + 3, bottom()));
    }
    void values(const LanePicture& picture) {
        if (picture.values.empty()) return;
        const double range = std::max(picture.value_max / 2 - picture.value_min / 2, 1e-300);  // halves: no overflow
        const auto y_of = [&](double value) {
            const double share = (value / 2 - picture.value_min / 2) / range;
            return bottom() - std::clamp(share, 0.0, 1.0) * (height_ - 2 * kGapY);
        };
        std::string path;
        bool is_drawn = false;  // the value holds up to here, and is finite
        for (const auto& step : picture.values) {
            if (step.count > 1 && step.max >= step.min) rect("band", step.x, step.x + 1, y_of(step.max), y_of(step.min));
            if (is_drawn) fmt::format_to(std::back_inserter(path), "H{:.1f}", clip(step.x));
            const bool was_drawn = std::exchange(is_drawn, std::isfinite(step.value));
            if (!is_drawn) continue;
            if (was_drawn) fmt::format_to(std::back_inserter(path), "V{:.1f}", y_of(step.value));
            if (!was_drawn) fmt::format_to(std::back_inserter(path), "M{:.1f} {:.1f}", clip(step.x), y_of(step.value));
        }
        if (is_drawn) fmt::format_to(std::back_inserter(path), "H{:.1f}", kNameWidth + kPlotWidth);
        if (!path.empty()) fmt::format_to(std::back_inserter(out_), "<path class=step d=\"{}\"/>\n", path);
        infinities(picture);
    }
    // Signs at the edge, as many as have space: outside the scale of the finite ones.
    void infinities(const LanePicture& picture) {
        constexpr double kWidth = 10;
        double above = -kWidth;  // where the last one stands
        double below = -kWidth;
        const auto sign = [&](bool is_wanted, double x, double& last, const char* text, double y) {
            if (!is_wanted || x < last + kWidth) return;
            last = x;
            fmt::format_to(std::back_inserter(out_), "<text class=dim x={:.1f} y={:.1f}>{}</text>\n", clip(x), y, text);
        };
        for (const auto& step : picture.values) {
            const double x = std::max<double>(step.x, 0);
            sign(step.has_above, x, above, "\xE2\x88\x9E", y_ + 2 * kGapY);
            sign(step.has_below, x, below, "\xE2\x88\x92\xE2\x88\x9E", y_ + height_);
        }
    }

    std::string& out_;
    double y_;
    double height_;
};

void paint_ruler(const store::Session& session, const timeline::Viewport& view, double height, std::string& out) {
    timeline::RulerScale scale;
    scale.first_ps = session.clock().to_ps(view.tick_at(0));
    scale.ps_per_pixel = view.ticks_per_pixel() * 1e12 / session.clock().ticks_per_second();
    scale.width = kPlotWidth;
    const timeline::Ruler ruler = timeline::make_ruler(scale, 7);
    for (const auto& mark : ruler.marks) {
        if (!mark.major || mark.x < 0 || mark.x > kPlotWidth) continue;
        fmt::format_to(std::back_inserter(out),
                       "<path class=grid d=\"M{0:.1f} {1}V{2:.0f}\"/><text class=dim x={3:.1f} y=15>{4}</text>\n",
                       kNameWidth + mark.x, kRulerHeight, height, kNameWidth + mark.x + 3, formats::markup_text(mark.label));
    }
}

timeline::TickRange range_of(const store::Session& session, const analysis::Selection& selection) {
    const std::uint64_t first = std::max({session.first_tick(), session.origin().begin_tick, selection.from});
    const std::uint64_t last =
        std::min(session.last_tick(), selection.until == store::kNever ? store::kNever : selection.until);
    return {first, std::max(first + 1, last)};
}

}  // namespace

std::string lanes_svg(const store::Session& session, const analysis::Selection& selection, std::size_t most) {
    std::vector<const store::Lane*> lanes = selection.lanes;
    std::stable_sort(lanes.begin(), lanes.end(), [](const store::Lane* a, const store::Lane* b) {
        return timeline::natural_less(a->channel().name, b->channel().name);
    });
    if (lanes.size() > most) lanes.resize(most);
    double height = kRulerHeight;
    for (const store::Lane* lane : lanes) height += timeline::lane_height(*lane);
    timeline::Viewport view;
    view.set_width(kPlotWidth);
    view.show(range_of(session, selection), 0.005);
    std::string out =
        fmt::format("<div class=scroll><svg width={0:.0f} height={1:.0f} viewBox=\"0 0 {0:.0f} {1:.0f}\" role=img>\n",
                    kNameWidth + kPlotWidth, height + 4);
    paint_ruler(session, view, height, out);
    double y = kRulerHeight;
    std::size_t rough = 0;
    LanePicture picture;
    for (std::size_t i = 0; i < lanes.size(); ++i) {
        const double lane_height = timeline::lane_height(*lanes[i]);
        std::string name = lanes[i]->channel().name;
        if (name.size() > kNameBytes) name = wire::to_utf8(name, kNameBytes - 2) + "…";
        fmt::format_to(std::back_inserter(out), "<g class=c{}><title>{}</title><text x=8 y={:.1f}>{}</text>\n", i % kHues,
                       formats::markup_text(lanes[i]->channel().name), y + lane_height / 2 + 4, formats::markup_text(name));
        timeline::picture_lane(*lanes[i], view, session.last_tick(), picture);
        rough += picture.rough ? 1 : 0;
        LanePainter(out, y, lane_height).paint(picture);
        out += "</g>\n";
        y += lane_height;
        fmt::format_to(std::back_inserter(out), "<path class=grid d=\"M0 {0:.1f}H{1}\"/>\n", y, kNameWidth + kPlotWidth);
    }
    out += "</svg></div>\n";
    if (rough == 0) return out;
    return out + fmt::format(
                     "<p>{} of these lanes are drawn from sums over some thousand events each: a mark may stand for a pause "
                     "between them. Losses stand where they are.</p>\n",
                     rough);
}

}  // namespace sla::report
