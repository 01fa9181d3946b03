// The forms a table can take.
#pragma once

#include "proto/base/result.h"

#include <string_view>

namespace sla::formats {

enum class Format { kCsv, kTsv, kJson, kJsonl, kText };

// "csv", "tsv", "json", "jsonl", "text".
Result<Format> parse_format(std::string_view name);

// By the ending of a file's name (.csv .tsv .json .jsonl .txt), else `otherwise`.
Format format_for_file(std::string_view path, Format otherwise);
// The same, but an ending that is none of these is an error.
Result<Format> format_of_name(std::string_view path, Format otherwise);

}  // namespace sla::formats
