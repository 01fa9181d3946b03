// The event table: every row of the selection in merged order.
//
// Columns (the contract of `sla table`):
//   index             row of this table, from 0
//   tick              raw stamp
//   time_ns           from the capture's start
//   source thread channel kind
//   value             as the event's type says; empty for none; of a gap the exact number of events lost
//   text              the event's own, or made by its channel's formatter; of a gap its cause
//   delta_any_ns      since the row before
//   delta_channel_ns  since the row before of the same channel in this table
//   error_ns          ± of the longer of both deltas; empty when the row has none
// Behind them those of the caller, if any.
#pragma once

#include "viewer/analysis/selection.h"
#include "viewer/formats/conversion.h"
#include "viewer/formats/output.h"
#include "viewer/formats/table/extra_columns.h"
#include "viewer/formats/table/format.h"

#include <cstdint>
#include <string>
#include <vector>

namespace sla::formats {

// The names of the table's own columns.
std::vector<std::string> table_column_names();

// Writes and finishes; returns the number of rows. Stopped by `progress` it is kUnavailable, and no file is left.
// Rows that are not final yet (beyond a live session's watermark) are not written.
Result<std::uint64_t> write_table(const store::Session& session, const analysis::Selection& selection, Format format,
                                  Output& output, const Progress& progress = {}, const ExtraColumns* extra = nullptr);

}  // namespace sla::formats
