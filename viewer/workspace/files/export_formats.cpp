#include "viewer/workspace/files/export_formats.h"

#include "proto/base/text.h"
#include "viewer/formats/endings.h"

#include <algorithm>
#include <array>

namespace sla::workspace {

namespace {

using formats::ExportFormat;

constexpr std::array<ExportFormatName, 12> kExportFormatNames{{
    {ExportFormat::kSla, "sla", "a capture: sla-viewer, sla"},
    {ExportFormat::kCsv, "csv", "the table, comma separated"},
    {ExportFormat::kTsv, "tsv", "the table, tab separated"},
    {ExportFormat::kJson, "json", "the table as JSON"},
    {ExportFormat::kJsonl, "jsonl", "the table, a JSON object a line"},
    {ExportFormat::kText, "txt", "the table as text"},
    {ExportFormat::kVcd, "vcd", "GTKWave, Surfer, PulseView"},
    {ExportFormat::kChrome, "chrome.json", "chrome://tracing, Perfetto, speedscope"},
    {ExportFormat::kPerfetto, "pftrace", "Perfetto"},
    {ExportFormat::kCtf, "ctf", "a folder: babeltrace2, Trace Compass"},
    {ExportFormat::kSr, "sr", "PulseView, sigrok-cli"},
    {ExportFormat::kParquet, "parquet", "DuckDB, ClickHouse, pandas"},
}};

std::string_view without_slashes(std::string_view path) {
    while (path.ends_with('/')) path.remove_suffix(1);
    return path;
}

}  // namespace

std::span<const ExportFormatName> export_formats() {
    return kExportFormatNames;
}

const ExportFormatName& name_of(ExportFormat format) {
    return *std::find_if(kExportFormatNames.begin(), kExportFormatNames.end(),
                         [&](const ExportFormatName& one) { return one.format == format; });
}

Result<ExportFormat> format_for_export(std::string_view path, ExportFormat otherwise) {
    path = without_slashes(path);
    if (formats::ending_of(path).empty()) return otherwise;
    if (const auto format = formats::export_format_of_name(path); format.ok()) return *format;
    std::string endings;
    for (const ExportFormatName& one : kExportFormatNames) endings += std::string(" .") + one.ending;
    return invalid_input("'" + std::string(path.substr(path.rfind('/') + 1)) +
                         "' would be a false name: no format here ends so. Name it" + endings);
}

std::string renamed_for(const std::string& path, ExportFormat format) {
    const std::string_view plain = without_slashes(path);
    if (formats::ending_of(plain).empty()) return path;
    const auto named = formats::export_format_of_name(plain);
    if (!named.ok() || *named == format) return path;
    const std::string_view own = name_of(*named).ending;
    const std::size_t cut = plain.ends_with(own) ? own.size() : formats::ending_of(plain).size();
    return std::string(plain.substr(0, plain.size() - cut)) + name_of(format).ending;
}

std::vector<std::string> patterns_of(std::string_view typed) {
    const auto words = split_words(typed, " ,;");
    return {words.begin(), words.end()};
}

}  // namespace sla::workspace
