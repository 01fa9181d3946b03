// Lanes as one SVG picture: names at the left, the same marks as the window draws, a ruler on top.
#pragma once

#include "viewer/analysis/intervals/statistics.h"
#include "viewer/analysis/selection.h"

#include <string>

namespace sla::report {

// Lanes of the selection by name, at most `most` of them.
std::string lanes_svg(const store::Session& session, const analysis::Selection& selection, std::size_t most);
// A histogram with a logarithmic axis of the widths of a lane's spans, or of those between its events when it has none;
// empty when there are fewer than three.
std::string histogram_svg(const store::Session& session, const analysis::LaneIntervals& of, std::size_t hue);

}  // namespace sla::report
