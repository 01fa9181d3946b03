// One capture, or a selection of it, in the formats of other tools. Each writer says what its format has no place for.
//
//   csv tsv json jsonl text   the event table (table.h)
//   vcd        value change dump, 1 ps: GTKWave, Surfer, PulseView
//   chrome     trace event JSON: chrome://tracing, Perfetto, speedscope
//   perfetto   Perfetto's protobuf
//   ctf        Common Trace Format 1.8, a directory with raw TSC stamps: babeltrace2, Trace Compass
//   sr         sigrok session: PulseView, sigrok-cli
//   sla        our own capture file, with all but the agent's own counts
//   parquet    the event table as typed columns: DuckDB, ClickHouse, pandas
#pragma once

#include "viewer/formats/conversion.h"

#include <cstdint>
#include <string>
#include <vector>

namespace sla::formats {

enum class ExportFormat { kCsv, kTsv, kJson, kJsonl, kText, kVcd, kChrome, kPerfetto, kCtf, kSr, kSla, kParquet };

Result<ExportFormat> parse_export_format(std::string_view name);
// By the ending of what is written: .csv .tsv .json .jsonl .txt .vcd .sr .pftrace .ctf .parquet, and .chrome.json for Chrome's.
Result<ExportFormat> export_format_of_name(std::string_view path);

struct ExportOptions {
    ExportFormat format = ExportFormat::kCsv;
    double sample_rate_hz = 0;  // sr only; 0: the highest of 1, 2, 5 times a power of ten, to 1 GHz, that stays small
};

// Writes to `path` ("" or "-": standard output), whole or not at all. kUnavailable when `progress` says stop.
Result<ExportReport> export_capture(const store::Session& session, const analysis::Selection& selection,
                                    const ExportOptions& options, const std::string& path, const Progress& progress = {});

}  // namespace sla::formats
