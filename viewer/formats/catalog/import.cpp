#include "viewer/formats/catalog/import.h"

#include "viewer/formats/chrome/chrome.h"
#include "viewer/formats/ctf/ctf.h"
#include "viewer/formats/parquet/parquet.h"
#include "viewer/formats/perf_script/perf_script.h"
#include "viewer/formats/perfetto/perfetto.h"
#include "viewer/formats/sr/sr.h"
#include "viewer/formats/table/csv_reader.h"
#include "viewer/formats/table/json_reader.h"
#include "viewer/formats/trace_cmd/trace_cmd.h"
#include "viewer/formats/vcd/vcd.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <utility>

namespace sla::formats {

namespace {

constexpr std::array<std::pair<std::string_view, ImportFormat>, 13> kImportFormats = {
    {{"csv", ImportFormat::kCsv},
     {"tsv", ImportFormat::kCsv},
     {"json", ImportFormat::kJson},
     {"jsonl", ImportFormat::kJson},
     {"vcd", ImportFormat::kVcd},
     {"chrome", ImportFormat::kChrome},
     {"ctf", ImportFormat::kCtf},
     {"sr", ImportFormat::kSr},
     {"trace-cmd", ImportFormat::kTraceCmd},
     {"trace-dat", ImportFormat::kTraceDat},
     {"perf-script", ImportFormat::kPerfScript},
     {"perfetto", ImportFormat::kPerfetto},
     {"parquet", ImportFormat::kParquet}}};

Error unknown(const std::string& why) {
    return invalid_input(
        why +
        "; choose a format with --format: csv, tsv, json, jsonl, vcd, chrome, perfetto, ctf, sr, parquet, trace-cmd, "
        "trace-dat or perf-script");
}

bool looks_like_trace_cmd(std::string_view line) {
    const std::size_t cpu = line.find('[');
    const std::size_t close = line.find(']', cpu == std::string_view::npos ? 0 : cpu);
    if (line.starts_with("cpus=") || line.starts_with("CPU:") || line.starts_with("# tracer:")) return true;
    if (cpu == std::string_view::npos || close == std::string_view::npos || close < cpu + 2) return false;
    const bool number = line.substr(cpu + 1, close - cpu - 1).find_first_not_of("0123456789") == std::string_view::npos;
    return number && line.substr(0, cpu).find('-') != std::string_view::npos &&
           line.find(": ", close) != std::string_view::npos;
}

// Comments may stand before its first event.
bool looks_like_perf_script(std::string_view text) {
    while (text.starts_with('#') && text.find('\n') != std::string_view::npos) text.remove_prefix(text.find('\n') + 1);
    return is_perf_script(text.substr(0, text.find('\n')));
}

bool looks_like_table(std::string_view line) {
    if (line.find_first_of(",\t;") == std::string_view::npos) return false;
    if (line.find_first_of("0123456789-") == 0) return true;
    std::string lower(line);
    std::transform(lower.begin(), lower.end(), lower.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
    return lower.find("time") != std::string::npos || lower.find("tick") != std::string::npos;
}

Result<void> read_stream(const std::string& path, ImportFormat format, CaptureSink& sink, Notes& notes,
                         const Progress& progress) {
    std::error_code error;
    if (std::filesystem::is_directory(path, error)) return invalid_input("'" + path + "' is a directory; only ctf is one");
    std::ifstream in(path, std::ios::binary);
    if (!in) return system_error("cannot read '" + path + "'", errno);
    const std::uint64_t all = std::filesystem::file_size(path, error);
    const Progress counted = [&](std::uint64_t done, std::uint64_t) { return !progress || progress(done, error ? 0 : all); };
    switch (format) {
        case ImportFormat::kCsv: return import_csv(in, sink, notes, counted);
        case ImportFormat::kJson: return import_json(in, sink, notes, counted);
        case ImportFormat::kVcd: return import_vcd(in, sink, notes, counted);
        case ImportFormat::kChrome: return import_chrome(in, sink, notes, counted);
        case ImportFormat::kPerfetto: return import_perfetto(in, sink, notes, counted);
        case ImportFormat::kPerfScript: return import_perf_script(in, sink, notes, counted);
        default: return import_trace_cmd(in, sink, notes, counted);
    }
}

}  // namespace

Result<ImportFormat> parse_import_format(std::string_view name) {
    for (const auto& [word, format] : kImportFormats) {
        if (word == name) return format;
    }
    return unknown("'" + std::string(name) + "' is not a format to import from");
}

const char* import_format_name(ImportFormat format) {
    for (const auto& [word, known] : kImportFormats) {
        if (known == format) return word.data();
    }
    return "";
}

Result<ImportFormat> detect_content(std::string_view head) {
    if (head.starts_with("PK\x03\x04")) return ImportFormat::kSr;
    if (is_parquet(head)) return ImportFormat::kParquet;
    if (is_trace_dat(head)) return ImportFormat::kTraceDat;
    if (is_perfetto(head)) return ImportFormat::kPerfetto;
    if (head.starts_with("\xef\xbb\xbf")) head.remove_prefix(3);
    const std::size_t start = head.find_first_not_of(" \t\r\n");
    if (start == std::string_view::npos) return unknown("it is empty");
    const std::string_view text = head.substr(start);
    if (text.starts_with("\x89SLA")) return invalid_input("it is a capture already; no import is needed");
    if (text.starts_with("\xc1\x1f\xfc\xc1")) return invalid_input("it is one stream of a CTF trace; name its directory");
    if (is_json_table(text)) return ImportFormat::kJson;
    if (text[0] == '{' || text[0] == '[') return ImportFormat::kChrome;
    if (text[0] == '$' && text.size() > 1 && text[1] >= 'a' && text[1] <= 'z') return ImportFormat::kVcd;
    const std::string_view line = head.substr(start == 0 ? 0 : head.rfind('\n', start) + 1);
    const std::string_view first = line.substr(0, line.find('\n'));
    if (looks_like_perf_script(text)) return ImportFormat::kPerfScript;
    if (looks_like_trace_cmd(first)) return ImportFormat::kTraceCmd;
    if (looks_like_table(first)) return ImportFormat::kCsv;
    return unknown("what is in it looks like none of the formats known");
}

Result<ImportFormat> detect_format(const std::string& path) {
    std::error_code error;
    if (std::filesystem::is_directory(path, error)) {
        if (std::filesystem::exists(path + "/metadata", error)) return ImportFormat::kCtf;
        return invalid_input("the directory '" + path + "' has no `metadata`, so it is no CTF trace");
    }
    if (std::filesystem::is_fifo(path, error)) return unknown("'" + path + "' is a pipe, which can be read only once");
    std::ifstream in(path, std::ios::binary);
    if (!in) return system_error("cannot read '" + path + "'", errno);
    std::string head(4096, '\0');
    in.read(head.data(), static_cast<std::streamsize>(head.size()));
    if (in.bad()) return system_error("cannot read '" + path + "'", errno);
    head.resize(static_cast<std::size_t>(std::max<std::streamsize>(in.gcount(), 0)));
    auto format = detect_content(head);
    if (!format.ok()) return Error{format.error().code, "'" + path + "': " + format.error().message};
    return format;
}

std::string import_advice(const Error& error, const std::string& path) {
    if (error.code != ErrorCode::kDamaged) return {};
    const Result<ImportFormat> format = detect_format(path);
    if (!format.ok()) return {};
    const std::string capture = std::filesystem::path(path).replace_extension(".sla").string();
    return std::string("; it looks like ") + import_format_name(*format) + ", of which `sla import '" + path + "' -o '" +
           capture + "'` makes one";
}

namespace {

// `is_too_long`: for such ticks.
Result<ImportReport> import_by_ticks(const std::string& path, ImportFormat format, const std::string& capture,
                                     const Progress& progress, std::int64_t own_tick_ps, bool& is_too_long) {
    auto sink = CaptureSink::create(capture, import_format_name(format));
    if (!sink.ok()) return sink.error();
    sink->set_own_tick_ps(own_tick_ps);
    ImportReport report;
    const auto import = [&]() -> Result<void> {
        switch (format) {
            case ImportFormat::kCtf: return import_ctf(path, *sink, report.notes, progress);
            case ImportFormat::kSr: return import_sr(path, {}, *sink, report.notes, progress);
            case ImportFormat::kParquet: return import_parquet(path, *sink, report.notes, progress);
            case ImportFormat::kTraceDat: return import_trace_dat(path, *sink, report.notes, progress);
            default: return read_stream(path, format, *sink, report.notes, progress);
        }
    };
    const Result<void> read = import();
    is_too_long = sink->is_too_long();
    if (!read.ok()) return Error{read.error().code, "'" + path + "': " + read.error().message};
    if (auto finished = sink->finish(); !finished.ok()) return finished.error();
    report.events = sink->events();
    report.channels = sink->channels();
    return report;
}

}  // namespace

// Nobody knows how long a file lasts before its end was read.
Result<ImportReport> import_file(const std::string& path, ImportFormat format, const std::string& capture,
                                 const Progress& progress) {
    constexpr std::int64_t kNanosecondPs = 1'000;
    bool is_too_long = false;
    auto report = import_by_ticks(path, format, capture, progress, 1, is_too_long);
    std::error_code ignored;
    if (report.ok() || !is_too_long || !std::filesystem::is_regular_file(path, ignored)) return report;
    report = import_by_ticks(path, format, capture, progress, kNanosecondPs, is_too_long);
    if (report.ok()) report->notes.emplace_back("it spans more than three days: its times are whole nanoseconds here");
    return report;
}

}  // namespace sla::formats
