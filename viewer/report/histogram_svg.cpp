#include "viewer/analysis/intervals/statistics.h"
#include "viewer/formats/markup_text.h"
#include "viewer/report/lanes_svg.h"
#include "viewer/timeline/readable.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

namespace sla::report {

namespace {

constexpr std::size_t kBins = 48;
constexpr double kWidth = 380;
constexpr double kHeight = 130;
constexpr double kFoot = 18;
constexpr double kHead = 20;

}  // namespace

std::string histogram_svg(const store::Session& session, const analysis::LaneIntervals& of, std::size_t hue) {
    const store::Lane& lane = *of.lane;
    const bool spans = !lane.spans().empty();
    const analysis::Intervals& intervals = spans ? of.of_spans : of.of_channel;
    if (intervals.count() < 3) return {};
    const auto bins = analysis::histogram(intervals, kBins);
    std::uint64_t most = 1;
    for (const auto& bin : bins) most = std::max(most, bin.count);
    std::string out =
        fmt::format("<div class=card><svg width={0} height={1} class=c{2} role=img><text x=8 y=15>{3}</text>\n", kWidth,
                    kHeight + kHead + kFoot, hue % 6,
                    formats::markup_text(lane.channel().name + (spans ? ": width of spans" : ": time to the next event")));
    const double step = kWidth / static_cast<double>(std::max<std::size_t>(bins.size(), 1));
    for (std::size_t i = 0; i < bins.size(); ++i) {
        if (bins[i].count == 0) continue;
        // Logarithmic upwards too: one outlier among millions is seen.
        const double share = std::log1p(static_cast<double>(bins[i].count)) / std::log1p(static_cast<double>(most));
        const double height = std::max(2.0, share * (kHeight - 4));
        fmt::format_to(
            std::back_inserter(out),
            "<rect class=bar x={:.1f} y={:.1f} width={:.1f} height={:.1f}><title>{} of {} to {}</title></rect>\n",
            static_cast<double>(i) * step + 0.5, kHead + kHeight - height, std::max(1.0, step - 1), height, bins[i].count,
            timeline::readable_delta(session.clock().ticks_to_ps(static_cast<std::int64_t>(bins[i].from_ticks))),
            timeline::readable_delta(session.clock().ticks_to_ps(static_cast<std::int64_t>(bins[i].until_ticks))));
    }
    const auto label = [&](std::uint64_t ticks) {
        return formats::markup_text(timeline::readable_delta(session.clock().ticks_to_ps(static_cast<std::int64_t>(ticks))));
    };
    fmt::format_to(
        std::back_inserter(out),
        "<text class=dim x=4 y={0}>{1}</text><text class=dim x={2} y={0} text-anchor=end>{3}</text></svg></div>\n",
        kHead + kHeight + 13, label(intervals.least()), kWidth - 4, label(intervals.greatest()));
    return out;
}

}  // namespace sla::report
