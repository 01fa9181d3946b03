#include "viewer/workspace/view/view_file.h"

#include "proto/base/whole_file.h"
#include "viewer/workspace/files/kept_file.h"
#include "viewer/workspace/view/view_json.h"

#include <nlohmann/json.hpp>

#include <utility>

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

Result<std::optional<ViewState>> KeptView::load(const std::string& path, std::uint64_t capture_id) {
    const Result<std::optional<std::string>> text = read_file_if_there(path);
    could_not_read_ = !text.ok();
    if (!text) return text.error();
    text_ = text->value_or("");
    if (!*text) return std::optional<ViewState>();
    Result<ViewState> state = parse_view(**text, capture_id);
    could_not_read_ = !state.ok();
    if (!state) {
        return damaged("how the capture was arranged, in " + path + ", was left aside: " + state.error().message +
                       ". The next arrangement takes its place, and it becomes " + name_aside(path));
    }
    return std::optional<ViewState>(std::move(*state));
}

Result<void> KeptView::save(const ViewState& state, std::uint64_t capture_id, const std::string& path) {
    const Result<std::optional<std::string>> there = read_file_if_there(path);
    const bool is_of_another = !could_not_read_ && there.ok() && *there && **there != text_;
    if (std::exchange(could_not_read_, false) || is_of_another) set_aside(path);
    std::string text = view_text(state, capture_id);
    if (Result<void> written = write_kept_file(path, text, "keep how this capture is arranged in"); !written) return written;
    text_ = std::move(text);
    if (!is_of_another || std::exchange(has_said_so_, true)) return {};
    return unavailable("another window has arranged this capture, too: what it had kept of it is " + name_aside(path) +
                       " now, and this window's arrangement is in its place");
}

}  // namespace sla::workspace
