#include "viewer/workspace/view/view_file.h"

#include "proto/base/whole_file.h"
#include "viewer/workspace/files/kept_file.h"
#include "viewer/workspace/view/view_json.h"

#include <nlohmann/json.hpp>

namespace sla::workspace {

namespace {

using nlohmann::json;

constexpr int kViewFileVersion = 1;

}  // namespace

std::string view_text(const ViewState& state, std::uint64_t capture_id) {
    json out = {{"version", kViewFileVersion}, {"capture_id", capture_id}};
    for (const ViewField& field : view_fields()) field.write(state, out);
    return out.dump(2, ' ', false, json::error_handler_t::replace) + "\n";
}

Result<ViewState> parse_view(std::string_view text, std::uint64_t capture_id) {
    const json from = json::parse(text, nullptr, false);
    const auto version = number_in(from, "version");
    if (!version) return damaged("it is not readable JSON with a version");
    if (*version > kViewFileVersion) return damaged("it was written by a newer sla-viewer");
    const bool is_same = number_in(from, "capture_id") == capture_id;
    ViewState state;
    for (const ViewField& field : view_fields()) {
        if (is_same || field.scope == ViewField::Scope::kAnyCapture) field.read(from, state);
    }
    return state;
}

Result<void> save_view(const ViewState& state, std::uint64_t capture_id, const std::string& path) {
    return write_kept_file(path, view_text(state, capture_id), "keep how this capture is arranged in");
}

Result<std::optional<ViewState>> load_view(const std::string& path, std::uint64_t capture_id) {
    const Result<std::optional<std::string>> text = read_file_if_there(path);
    if (!text) return text.error();
    if (!*text) return std::optional<ViewState>();
    Result<ViewState> state = parse_view(**text, capture_id);
    if (!state) {
        return damaged("how the capture was arranged, in " + path + ", was left aside: " + state.error().message +
                       ". The next arrangement takes its place, and it becomes " + name_aside(path));
    }
    return std::optional<ViewState>(std::move(*state));
}

}  // namespace sla::workspace
