#include "viewer/export/format.h"

#include <string>

namespace sla::exporting {

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

}  // namespace sla::exporting
