// Statistics of the numbers of lanes that have too many to keep: several passes over the rows, each of them chunk by chunk of
// a file, in bounded memory, and all as exact as from a list (value_statistics.h).
//
//   pass 1       NumberTally of each lane        count, sums, least and greatest; bounds of the percentiles
//   pass 2, ...  RankSearch of each percentile   until all are known; nearly always one pass is enough
//
// Of more lanes than samples have room for some go first.
#pragma once

#include "viewer/analysis/value_statistics.h"

#include <functional>
#include <vector>

namespace sla::analysis {

// One of each lane of the selection, `lost` without the losses of its table.
std::vector<ValueStatistics> statistics_in_passes(const store::Session& session, const Selection& selection,
                                                  const ValueRoom& room, const std::function<bool(double)>& progress);

}  // namespace sla::analysis
