#include "viewer/formats/endings.h"

#include <algorithm>
#include <cctype>
#include <string>

namespace sla::formats {

namespace {

constexpr std::string_view kOtherFormats[] = {
    "csv", "tsv", "json", "jsonl", "txt", "vcd", "sr",   "pftrace", "perfetto-trace", "ctf", "parquet",
    "png", "jpg", "jpeg", "html",  "xml", "svg", "yaml", "yml"};

}  // namespace

std::string_view ending_of(std::string_view path) {
    constexpr std::size_t kLongest = 14;        // "perfetto-trace"
    constexpr std::size_t kLongestUnknown = 5;  // beyond it is what mktemp makes
    const std::string_view name = path.substr(path.rfind('/') + 1);
    const std::size_t dot = name.rfind('.');
    if (dot == std::string_view::npos || dot == 0) return {};
    const std::string_view ending = name.substr(dot + 1);
    if (ending.size() > kLongest || ending.empty() || std::isalpha(static_cast<unsigned char>(ending.front())) == 0)
        return {};
    const bool known = std::find(std::begin(kOtherFormats), std::end(kOtherFormats), ending) != std::end(kOtherFormats);
    return known || ending.size() <= kLongestUnknown ? ending : std::string_view();
}

Result<void> check_ending(std::string_view path, std::initializer_list<std::string_view> endings, std::string_view rule) {
    const std::string_view ending = ending_of(path);
    if (ending.empty() || std::find(endings.begin(), endings.end(), ending) != endings.end()) return {};
    return invalid_input("'" + std::string(path) + "' would be a false name: " + std::string(rule));
}

Result<void> check_capture_name(std::string_view path) {
    const std::string_view ending = ending_of(path);
    if (std::find(std::begin(kOtherFormats), std::end(kOtherFormats), ending) == std::end(kOtherFormats)) return {};
    return invalid_input("'" + std::string(path) +
                         "' would be a false name: this writes a capture, name it .sla (`sla export` makes " +
                         std::string(ending) + " of a capture, if it can)");
}

}  // namespace sla::formats
