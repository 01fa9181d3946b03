// The statistics table. Columns (the contract of `sla stats`):
//   channel,pair,count,lost,min_ns,mode_ns,p50_ns,mean_ns,p90_ns,p99_ns,p999_ns,max_ns,stddev_ns,overhead_ns,culled,
//   subtracted_ns,unfinished,quantile_error_ppm,source
// What they mean: viewer/analysis/intervals/statistics.h and intervals.h. Times of a row with count 0 are empty.
#pragma once

#include "viewer/analysis/intervals/statistics.h"
#include "viewer/formats/names.h"
#include "viewer/formats/output.h"
#include "viewer/formats/table/format.h"
#include "viewer/formats/table/rows/row_writer.h"

#include <string>
#include <vector>

namespace sla::formats {

// Of each row whose channel it is, of a pair "A's:B's" where they differ; as SourceTexts has them, or as they are named.
std::vector<std::string> sources_of(const store::Session& session, const std::vector<analysis::StatisticsRow>& rows);
std::vector<std::string> sources_of(const SourceNaming& name_of, const std::vector<analysis::StatisticsRow>& rows);

// What a row's pair is called for people: "event to event", "span width", "high", "A:B".
std::string name_of_pair(const std::string& pair);

// Its columns, as wide as these need, and one row's fields in their order.
std::vector<Column> statistics_columns(const std::vector<analysis::StatisticsRow>& rows,
                                       const std::vector<std::string>& sources);
void put_statistics(const analysis::StatisticsRow& row, const std::string& source, RowWriter& writer, ByteBuffer& out);

Result<void> write_statistics(const store::Session& session, const std::vector<analysis::StatisticsRow>& rows, Format format,
                              Output& output);

}  // namespace sla::formats
