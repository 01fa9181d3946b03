// The statistics table. Columns (the contract of `sla stats`):
//   channel,pair,count,lost,min_ns,mode_ns,p50_ns,mean_ns,p90_ns,p99_ns,p999_ns,max_ns,stddev_ns,overhead_ns,culled,
//   subtracted_ns,unfinished,quantile_error_ppm
// What they mean: viewer/analysis/intervals/statistics.h and intervals.h. Times of a row with count 0 are empty.
#pragma once

#include "viewer/analysis/intervals/statistics.h"
#include "viewer/formats/output.h"
#include "viewer/formats/table/format.h"

#include <vector>

namespace sla::formats {

Result<void> write_statistics(const std::vector<analysis::StatisticsRow>& rows, Format format, Output& output);

}  // namespace sla::formats
