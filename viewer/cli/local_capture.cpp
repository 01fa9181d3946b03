#include "viewer/cli/local_capture.h"

#include "proto/capture/pieces/capture_pieces.h"
#include "proto/wire/address.h"
#include "viewer/capture_tools/capture_copy.h"
#include "viewer/capture_tools/saved_history.h"
#include "viewer/cli/command.h"
#include "viewer/cli/interrupt.h"
#include "viewer/cli/text/progress.h"
#include "viewer/fleet/fleet_address.h"
#include "viewer/formats/catalog/import.h"
#include "viewer/formats/output.h"
#include "viewer/ingest/file_source.h"
#include "viewer/ingest/spill.h"
#include "viewer/ingest/standard_input.h"
#include "viewer/process/own_directory.h"

#include <fcntl.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <functional>
#include <string_view>
#include <utility>
#include <vector>

namespace sla::cli {

namespace {

// Paths that are shown as something else: few, and mostly none.
std::vector<std::pair<std::string, std::string>>& shown_names() {
    static std::vector<std::pair<std::string, std::string>> names;
    return names;
}

std::string keep(std::string path, std::string_view name) {
    shown_names().emplace_back(path, name);
    return path;
}

Result<std::string> kept_standard_input() {
    auto path = ingest::keep_standard_input([] { return interrupted() == 0; });
    return path.ok() ? keep(std::move(path).value(), ingest::kStandardInput) : path;
}

// What is written into a file that loses its name at once, as a path; `name` is what people call it.
Result<std::string> kept_without_name(const std::string& name,
                                      const std::function<Result<void>(const std::string&)>& write) {
    const auto directory = process::OwnDirectory::make(ingest::default_spill_directory(), "kept");
    if (!directory.ok()) return directory.error();
    const std::string file = directory->file("kept.sla");
    if (const Result<void> written = write(file); !written.ok()) return written.error();
    const int fd = open(file.c_str(), O_RDONLY);
    if (fd < 0) return system_error("cannot open what was saved of " + name, errno);
    return keep(std::string(ingest::kDescriptors) + std::to_string(fd), name);
}

Result<std::string> kept_agent(const std::string& address) {
    const auto parsed = wire::parse_address(address);
    if (!parsed.ok()) return parsed.error();
    Progress progress("saving");
    ingest::LoadOptions options;
    options.progress = [&](double share) { return progress.goes_on(share); };
    return kept_history(*parsed, address, options);
}

// The one capture of an archive, all of it.
Result<std::string> kept_whole_archive(const std::string& path) {
    const auto captures = archive::captures_of(path);
    if (!captures.ok()) return captures.error();
    if (captures->size() == 1) {
        std::vector<std::string> missing;
        auto kept = kept_archive(captures->front(), {}, missing);
        if (!kept.ok() || missing.empty()) return kept;
        return damaged("'" + path + "' is not whole: put its parts back, or ask what is there by `sla sql`");
    }
    const archive::Manifest& first = captures->front().manifest;
    return invalid_input("'" + path + "' is an archive of " + std::to_string(captures->size()) +
                         " captures: `sla sql` asks all of them; else name one, as in " + path + "/manifest/" + first.host +
                         "." + first.capture + ".json");
}

// Of a fleet's capture, for tools that read files.
Result<std::string> kept_fleet(const std::string& address) {
    const std::string shown = fleet::shown_address(address);
    return kept_without_name(shown, [&](const std::string& file) -> Result<void> {
        Progress progress("reading " + shown);
        const auto goes_on = [&](double share) { return progress.goes_on(share); };
        auto store = ingest::open_capture(address, goes_on, [](const std::string& what) { remark(what); });
        if (!store) return store.error();
        const auto damage = capture_tools::copy_capture(**store, file, goes_on);
        if (!damage) return damage.error();
        for (const std::string& one : *damage) warn("damage: " + one);
        return {};
    });
}

}  // namespace

Result<void> save_with_progress(const ingest::StreamOptions& stream, const std::string& file) {
    Progress progress("saving");
    return capture_tools::save_history(stream, file, [&](double share) { return progress.goes_on(share); });
}

Result<std::string> kept_history(const wire::Address& address, const std::string& name, const ingest::LoadOptions& options) {
    const auto stream = ingest::stream_for(address, options);
    if (!stream.ok()) return stream.error();
    return kept_without_name(
        name, [&](const std::string& file) { return capture_tools::save_history(*stream, file, options.progress); });
}

Result<std::string> kept_archive(const archive::ArchivedCapture& capture, const formats::ParquetRange& range,
                                 std::vector<std::string>& missing) {
    return kept_without_name(capture.name(), [&](const std::string& file) -> Result<void> {
        Progress progress("reading " + capture.name());
        const auto report = archive::read_capture(capture, range, file, [&](std::uint64_t done, std::uint64_t all) {
            return progress.goes_on(static_cast<double>(done) / static_cast<double>(all));
        });
        if (!report.ok()) return report.error();
        mention(std::to_string(report->groups_read) + " of " + std::to_string(report->groups) + " row groups of " +
                capture.name() + " read");
        missing = report->missing;
        if (range.first_tick <= range.last_tick) {
            for (const std::string& one : missing) warn("damage: " + one);
        }
        return {};
    });
}

Result<std::string> local_capture(const std::string& target) {
    if (fleet::is_fleet_address(target)) return kept_fleet(target);
    return wire::looks_like_address(target) ? kept_agent(target) : local_input(target);
}

Result<std::string> local_input(const std::string& target) {
    if (target == "-") return kept_standard_input();
    formats::keep_from_outputs(target);
    if (fleet::is_fleet_address(target)) return target;
    if (archive::is_archive(target)) return kept_whole_archive(target);
    // A name of no capture may be another format's, a folder of CTF say: whoever opens it complains.
    if (const auto pieces = capture::find_pieces(target)) {
        for (const std::string& piece : *pieces) formats::keep_from_outputs(piece);
    }
    return target;
}

Error with_import_advice(Error error, const std::string& path) {
    if (display_name(path) == path) error.message += formats::import_advice(error, path);
    return error;
}

bool names_capture(const std::string& word) {
    std::error_code ignored;
    return word == "-" || wire::looks_like_address(word) || fleet::is_fleet_address(word) || word.ends_with(".sla") ||
           std::filesystem::exists(word, ignored);
}

std::string display_name(const std::string& path) {
    const auto& names = shown_names();
    const auto found = std::find_if(names.begin(), names.end(), [&](const auto& name) { return name.first == path; });
    return found == names.end() ? path : found->second;
}

// The latest first: /proc/self/fd/12 begins like /proc/self/fd/1.
std::string with_display_names(std::string text) {
    for (auto name = shown_names().rbegin(); name != shown_names().rend(); ++name) {
        for (std::size_t at = text.find(name->first); at != std::string::npos; at = text.find(name->first, at)) {
            text.replace(at, name->first.size(), name->second);
            at += name->second.size();
        }
    }
    return text;
}

}  // namespace sla::cli
