// Captures out of other tools' files, and out of our own exports. Nothing about these files is trusted: what makes no sense
// is an error that says where, memory is bounded by the sink's window and a line's or an event's length.
//
//   csv       our event table (csv or tsv), or any table with a time and a channel column, or bare time,channel,value
//   vcd       value change dumps
//   chrome    trace event JSON
//   ctf       CTF 1.8 as `sla export --to ctf` writes it
//   sr        sigrok sessions, their logic channels
//   trace-cmd the text that `trace-cmd report` prints
#pragma once

#include "proto/base/result.h"
#include "viewer/exchange/capture_sink.h"

#include <cstdint>
#include <functional>
#include <istream>
#include <string>
#include <string_view>
#include <vector>

namespace sla::exchange {

enum class ImportFormat { kCsv, kVcd, kChrome, kCtf, kSr, kTraceCmd };

Result<ImportFormat> parse_import_format(std::string_view name);
const char* import_format_name(ImportFormat format);

// By what is in it. kInvalidInput when it is none of these: says what it looks like, if anything.
Result<ImportFormat> detect_format(const std::string& path);
Result<ImportFormat> detect_content(std::string_view head);

// Called now and then with the bytes read and the bytes there are (0: not known); false stops.
using Progress = std::function<bool(std::uint64_t done, std::uint64_t all)>;

struct ImportReport {
    std::uint64_t events = 0;
    std::uint64_t channels = 0;
    std::vector<std::string> notes;  // what could not be taken over, a sentence each
};

// Reads `path` and writes the capture file `capture`, whole or not at all.
Result<ImportReport> import_file(const std::string& path, ImportFormat format, const std::string& capture,
                                 const Progress& progress = {});

// The readers behind it: everything into the sink, but not finished; sentences into `notes`.
using Notes = std::vector<std::string>;
Result<void> import_csv(std::istream& in, CaptureSink& sink, Notes& notes, const Progress& progress = {});
Result<void> import_vcd(std::istream& in, CaptureSink& sink, Notes& notes, const Progress& progress = {});
Result<void> import_chrome(std::istream& in, CaptureSink& sink, Notes& notes, const Progress& progress = {});
Result<void> import_trace_cmd(std::istream& in, CaptureSink& sink, Notes& notes, const Progress& progress = {});
Result<void> import_ctf(const std::string& directory, CaptureSink& sink, Notes& notes, const Progress& progress = {});
// `bytes` is the whole archive when it is not empty, else `path` names it.
Result<void> import_sr(const std::string& path, std::string_view bytes, CaptureSink& sink, Notes& notes,
                       const Progress& progress = {});

}  // namespace sla::exchange
