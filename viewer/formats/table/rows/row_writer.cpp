#include "viewer/formats/table/rows/row_writer.h"

#include "viewer/formats/endings.h"
#include "viewer/formats/table/format.h"

#include <string>

namespace sla::formats {

std::unique_ptr<RowWriter> make_row_writer(Format format, std::vector<Column> columns) {
    switch (format) {
        case Format::kCsv: return make_delimited_writer(false, std::move(columns));
        case Format::kTsv: return make_delimited_writer(true, std::move(columns));
        case Format::kJson: return make_json_writer(false, std::move(columns));
        case Format::kJsonl: return make_json_writer(true, std::move(columns));
        case Format::kText: return make_text_writer(std::move(columns));
    }
    return nullptr;
}

Result<Format> parse_format(std::string_view name) {
    if (name == "csv") return Format::kCsv;
    if (name == "tsv") return Format::kTsv;
    if (name == "json") return Format::kJson;
    if (name == "jsonl") return Format::kJsonl;
    if (name == "text") return Format::kText;
    return invalid_input("'" + std::string(name) + "' is not a format; use csv, tsv, json, jsonl or text");
}

Format format_for_file(std::string_view path, Format otherwise) {
    if (path.ends_with(".csv")) return Format::kCsv;
    if (path.ends_with(".tsv")) return Format::kTsv;
    if (path.ends_with(".json")) return Format::kJson;
    if (path.ends_with(".jsonl")) return Format::kJsonl;
    if (path.ends_with(".txt")) return Format::kText;
    return otherwise;
}

Result<Format> format_of_name(std::string_view path, Format otherwise) {
    const auto known = check_ending(path, {"csv", "tsv", "json", "jsonl", "txt"},
                                    "a table is .csv, .tsv, .json, .jsonl or .txt; or say which with --format");
    if (!known.ok()) return known.error();
    return format_for_file(path, otherwise);
}

}  // namespace sla::formats
