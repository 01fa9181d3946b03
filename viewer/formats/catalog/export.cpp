#include "viewer/formats/catalog/export.h"

#include "viewer/formats/chrome/chrome.h"
#include "viewer/formats/ctf/ctf.h"
#include "viewer/formats/endings.h"
#include "viewer/formats/parquet/parquet.h"
#include "viewer/formats/perfetto/perfetto.h"
#include "viewer/formats/sla/sla.h"
#include "viewer/formats/sr/sr.h"
#include "viewer/formats/table/table.h"
#include "viewer/formats/vcd/vcd.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

namespace sla::formats {

namespace {

constexpr std::array<std::pair<std::string_view, ExportFormat>, 12> kExportFormats = {{{"csv", ExportFormat::kCsv},
                                                                                       {"tsv", ExportFormat::kTsv},
                                                                                       {"json", ExportFormat::kJson},
                                                                                       {"jsonl", ExportFormat::kJsonl},
                                                                                       {"text", ExportFormat::kText},
                                                                                       {"vcd", ExportFormat::kVcd},
                                                                                       {"chrome", ExportFormat::kChrome},
                                                                                       {"perfetto", ExportFormat::kPerfetto},
                                                                                       {"ctf", ExportFormat::kCtf},
                                                                                       {"sr", ExportFormat::kSr},
                                                                                       {"sla", ExportFormat::kSla},
                                                                                       {"parquet", ExportFormat::kParquet}}};

Result<ExportReport> as_table(const store::Session& session, const analysis::Selection& selection, Format format,
                              Output& output, const Progress& progress) {
    const auto rows = write_table(session, selection, format, output, progress);
    if (!rows.ok()) return rows.error();
    ExportReport report{*rows, {}};
    if (session.damage_count() > 0) {
        report.left_out.emplace_back(
            "tables do not say that a capture is damaged or was cut off: of what is made of it, limits may pass that of the "
            "capture nobody can tell");
    }
    return report;
}

Result<ExportReport> to_directory(const store::Session& session, const analysis::Selection& selection,
                                  const std::string& path, const Progress& progress) {
    auto directory = OutputDirectory::create(path);
    if (!directory.ok()) return directory.error();
    auto report = write_ctf(session, selection, directory->path(), progress);
    if (!report.ok()) return report;
    if (auto finished = directory->finish(); !finished.ok()) return finished.error();
    return report;
}

}  // namespace

Result<ExportFormat> parse_export_format(std::string_view name) {
    std::string known;
    for (const auto& [word, format] : kExportFormats) {
        if (word == name) return format;
        known += known.empty() ? "" : ", ";
        known += word;
    }
    return invalid_input("'" + std::string(name) + "' is not a format to export to; there are " + known);
}

Result<ExportFormat> export_format_of_name(std::string_view path) {
    while (path.ends_with('/')) path.remove_suffix(1);
    if (path.ends_with(".chrome.json")) return ExportFormat::kChrome;
    const std::string_view ending = ending_of(path);
    if (ending == "pftrace" || ending == "perfetto-trace") return ExportFormat::kPerfetto;
    const auto is_so_called = [&](const auto& known) { return known.first == (ending == "txt" ? "text" : ending); };
    const auto found = std::find_if(kExportFormats.begin(), kExportFormats.end(), is_so_called);
    if (found != kExportFormats.end() && ending != "text" && ending != "chrome") return found->second;
    return invalid_input("'" + std::string(path) +
                         "' does not say which format is meant: name it .csv .tsv .json .jsonl .txt .vcd .sr "
                         ".pftrace .ctf .parquet or .chrome.json, or use --format");
}

namespace {

// Sources come back with their facts from formats that have words of ours (source_facts.h); what is special to a channel, and
// shots, do not.
void add_losses(const store::Session& session, const analysis::Selection& selection, ExportFormat format,
                std::vector<std::string>& left_out) {
    using enum ExportFormat;
    constexpr std::array kWithWords = {kCtf, kVcd, kChrome, kParquet, kPerfetto};
    if (std::find(kWithWords.begin(), kWithWords.end(), format) == kWithWords.end()) return;
    const auto has_cost = [](const store::Lane* lane) { return lane->channel().section_ticks != 0; };
    if (std::any_of(selection.lanes.begin(), selection.lanes.end(), has_cost))
        left_out.emplace_back(
            "what an empty section costs on channels with stamps of their own (overhead_ns of sla stats) is not in it");
    if (const std::size_t shots = session.shots().size(); shots > 0 && format != kParquet)  // that says it of all
        left_out.push_back(std::to_string(shots) + (shots == 1 ? " shot is" : " shots are") + " not in it; sla keeps them");
}

// A span is two events, and a filter is asked of each alone.
void add_unclosed_spans(const analysis::Selection& selection, ExportFormat format, std::vector<std::string>& left_out) {
    using enum ExportFormat;
    constexpr std::array kDrawn = {kVcd, kChrome, kPerfetto, kSr};
    const bool is_drawn = std::find(kDrawn.begin(), kDrawn.end(), format) != kDrawn.end();
    const auto has_spans = [](const store::Lane* lane) { return lane->spans().rows() > 0; };
    if (selection.filter && is_drawn && std::any_of(selection.lanes.begin(), selection.lanes.end(), has_spans))
        left_out.emplace_back(
            "a span whose begin the filter lets through and whose end it does not stays open to the end of the file");
}

Result<ExportReport> write_format(const store::Session& session, const analysis::Selection& selection,
                                  const ExportOptions& options, const std::string& path, const Progress& progress) {
    if (options.format == ExportFormat::kCtf) return to_directory(session, selection, path, progress);
    if (options.format == ExportFormat::kSla) return write_sla(session, selection, path, progress);
    auto output = Output::open(path);
    if (!output.ok()) return output.error();
    switch (options.format) {
        case ExportFormat::kCsv: return as_table(session, selection, Format::kCsv, *output, progress);
        case ExportFormat::kTsv: return as_table(session, selection, Format::kTsv, *output, progress);
        case ExportFormat::kJson: return as_table(session, selection, Format::kJson, *output, progress);
        case ExportFormat::kJsonl: return as_table(session, selection, Format::kJsonl, *output, progress);
        case ExportFormat::kText: return as_table(session, selection, Format::kText, *output, progress);
        case ExportFormat::kVcd: return write_vcd(session, selection, *output, progress);
        case ExportFormat::kChrome: return write_chrome(session, selection, *output, progress);
        case ExportFormat::kPerfetto: return write_perfetto(session, selection, *output, progress);
        case ExportFormat::kSr: return write_sr(session, selection, options.sample_rate_hz, *output, progress);
        case ExportFormat::kParquet: return write_parquet(session, selection, *output, progress);
        case ExportFormat::kCtf:
        case ExportFormat::kSla: break;
    }
    return invalid_input("this format has no writer");
}

}  // namespace

Result<ExportReport> export_capture(const store::Session& session, const analysis::Selection& selection,
                                    const ExportOptions& options, const std::string& path, const Progress& progress) {
    auto report = write_format(session, selection, options, path, progress);
    if (!report.ok()) return report;
    add_losses(session, selection, options.format, report->left_out);
    add_unclosed_spans(selection, options.format, report->left_out);
    return report;
}

}  // namespace sla::formats
