// The table of `sla stats --values`. Columns (a contract; others come last):
//   channel,count,lost,min,p50,mean,p90,p99,p999,max,stddev,not_numbers,source
// What they mean: viewer/analysis/value_statistics.h. Numbers of a row with count 0 are empty.
#pragma once

#include "viewer/analysis/value_statistics.h"
#include "viewer/formats/names.h"
#include "viewer/formats/output.h"
#include "viewer/formats/table/format.h"
#include "viewer/formats/table/people_table.h"

#include <vector>

namespace sla::formats {

// Writes and finishes.
Result<void> write_values(const store::Session& session, const std::vector<analysis::ValueStatisticsRow>& rows,
                          Format format, Output& output);
// For people: fewer columns, six digits of what is not whole.
PeopleTable people_values(const store::Session& session, const std::vector<analysis::ValueStatisticsRow>& rows);

// Of each row whose channel it is; the columns, as wide as these need; one row's fields in their order.
std::vector<std::string> sources_of_values(const SourceNaming& name_of,
                                           const std::vector<analysis::ValueStatisticsRow>& rows);
std::vector<Column> value_columns(const std::vector<analysis::ValueStatisticsRow>& rows,
                                  const std::vector<std::string>& sources);
void put_values(const analysis::ValueStatisticsRow& row, const std::string& source, RowWriter& writer, ByteBuffer& out);

}  // namespace sla::formats
