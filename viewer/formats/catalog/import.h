// Captures out of other tools' files, and out of our own exports. Nothing about these files is trusted: what makes no sense
// is an error that says where, memory is bounded by the window of the CaptureSink and a line's or an event's length.
//
//   csv       our event table (csv or tsv), or any table with a time and a channel column, or bare time,channel,value
//   vcd       value change dumps
//   chrome    trace event JSON
//   perfetto  the track events of Perfetto's protobuf
//   ctf       CTF 1.8 as `sla export --format ctf` writes it
//   sr        sigrok sessions, their logic channels
//   parquet   our event table as `sla export --format parquet` and `sla archive` write it
//   trace-cmd the text that `trace-cmd report` prints
//   trace-dat trace-cmd's own files, which the program trace-cmd reads for us
//   perf-script the text that `perf script` prints
#pragma once

#include "proto/base/result.h"
#include "viewer/formats/conversion.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace sla::formats {

enum class ImportFormat { kCsv, kJson, kVcd, kChrome, kCtf, kSr, kTraceCmd, kTraceDat, kPerfScript, kPerfetto, kParquet };

Result<ImportFormat> parse_import_format(std::string_view name);
const char* import_format_name(ImportFormat format);

// By what is in it. kInvalidInput when it is none of these: says what it looks like, if anything.
Result<ImportFormat> detect_format(const std::string& path);
Result<ImportFormat> detect_content(std::string_view head);

// Of a file that could not be read as a capture, for the end of the message that says so: what it looks like, and how it becomes
// one. Empty: that was not why, or it looks like nothing known.
std::string import_advice(const Error& error, const std::string& path);

struct ImportReport {
    std::uint64_t events = 0;
    std::uint64_t channels = 0;
    Notes notes;
};

// Reads `path` and writes the capture file `capture`, whole or not at all.
Result<ImportReport> import_file(const std::string& path, ImportFormat format, const std::string& capture,
                                 const Progress& progress = {});

}  // namespace sla::formats
