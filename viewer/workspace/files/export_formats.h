// What a file's name says about what is to be written to it, and which channels are meant by words: what an export asks a
// person, without asking.
#pragma once

#include "proto/base/result.h"
#include "viewer/formats/catalog/export.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sla::workspace {

struct ExportFormatName {
    formats::ExportFormat format;
    const char* ending;
    const char* what;  // who reads it
};
std::span<const ExportFormatName> export_formats();
const ExportFormatName& name_of(formats::ExportFormat format);

// The format that the name's ending promises; `otherwise` for a name without one. An ending that is no format's is an error:
// whatever were written, the name would be false.
Result<formats::ExportFormat> format_for_export(std::string_view path, formats::ExportFormat otherwise);
// The path with that format's ending in place of another format's; as it is when it has none of any format.
std::string renamed_for(const std::string& path, formats::ExportFormat format);
// "net.*, irq.0 idle" as it is typed: the patterns.
std::vector<std::string> patterns_of(std::string_view typed);

}  // namespace sla::workspace
