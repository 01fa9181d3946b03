#include "viewer/archive/archive_reader.h"

#include "proto/fleet/names.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string_view>
#include <utility>

namespace sla::archive {

namespace fs = std::filesystem;

namespace {

constexpr const char* kManifests = "manifest";
constexpr std::uintmax_t kMaxManifestBytes = std::uintmax_t{256} << 20;

// "date=D/host=H/capture=C/part-T.parquet" of this very capture: a manifest leads nowhere else.
bool is_own_part(const Manifest& manifest, std::string_view file) {
    const std::string own = "/host=" + manifest.host + "/capture=" + manifest.capture + "/part-";
    const std::size_t at = file.find('/');
    if (at == std::string_view::npos || !file.starts_with("date=") || !file.substr(at).starts_with(own)) return false;
    std::string_view tick = file.substr(at + own.size());
    if (!tick.ends_with(".parquet")) return false;
    tick.remove_suffix(std::string_view(".parquet").size());
    return !tick.empty() && tick.find_first_not_of("0123456789") == std::string_view::npos;
}

Result<ArchivedCapture> capture_of(const fs::path& path) {
    std::error_code error;
    const std::uintmax_t size = fs::is_regular_file(path, error) ? fs::file_size(path, error) : 0;
    if (error || size == 0 || size > kMaxManifestBytes)
        return damaged("'" + path.string() + "' is no manifest of an archive: it is empty, too large or no file");
    auto manifest = read_manifest(path);
    if (!manifest.ok()) return manifest.error();
    const std::string name = manifest->host + "." + manifest->capture + ".json";
    if (!fleet::is_token(manifest->host) || !fleet::is_token(manifest->capture) || path.filename() != name)
        return damaged("'" + path.string() + "' says that it is of another capture than its name");
    for (const Part& part : manifest->parts) {
        if (!is_own_part(*manifest, part.file))
            return damaged("'" + path.string() + "' names a part that is none of its capture: " + part.file.substr(0, 200));
    }
    return ArchivedCapture{path.parent_path().parent_path().string(), std::move(*manifest)};
}

// The part's file agrees with what the manifest says of it.
Result<formats::ParquetFacts> checked_part(const std::string& path, const Part& part) {
    auto facts = formats::parquet_facts(path);
    if (!facts.ok()) return Error{facts.error().code, "'" + path + "': " + facts.error().message};
    if (facts->rows != part.rows)
        return damaged("'" + path + "' has " + std::to_string(facts->rows) + " rows, but the manifest says " +
                       std::to_string(part.rows));
    const bool is_within =
        !facts->first_tick || (*facts->first_tick >= part.first_tick && *facts->last_tick <= part.last_tick);
    if (!is_within) return damaged("'" + path + "' has rows of other times than the manifest says: parts would overlap");
    return facts;
}

struct FoundParts {
    std::vector<std::string> paths;
    std::optional<formats::SinkClock> clock;
};

Result<FoundParts> find_parts(const ArchivedCapture& capture, ReadReport& report) {
    FoundParts found;
    for (const Part& part : capture.manifest.parts) {
        const std::string path = capture.folder + "/" + part.file;
        std::error_code error;
        const fs::file_status status = fs::status(path, error);
        if (status.type() == fs::file_type::not_found) {
            report.missing.push_back("'" + path + "' is not there: its " + std::to_string(part.rows) + " rows are left out");
            continue;
        }
        if (status.type() != fs::file_type::regular) return damaged("'" + path + "' is no file");
        auto facts = checked_part(path, part);
        if (!facts.ok()) return facts.error();
        if (found.clock && found.clock->origin_tick != facts->clock.origin_tick)
            return damaged("'" + path + "' counts time from another moment than the parts before it");
        found.clock = facts->clock;
        found.paths.push_back(path);
    }
    if (!found.clock)
        return not_found("of " + capture.name() + " no part is in '" + capture.folder + "'" +
                         (report.missing.empty() ? "" : "; " + report.missing.front()));
    return found;
}

// What is no row. Of a range the end is not known.
void put_facts(const Manifest& manifest, const formats::ParquetRange& range, formats::CaptureSink& sink) {
    const auto ps = [&](std::uint64_t tick) { return sink.clock().to_ps(tick); };
    const std::uint64_t known = range == formats::ParquetRange() ? manifest.known_tick : 0;
    const auto begin = manifest.begin_tick == 0 ? std::nullopt : std::optional(ps(manifest.begin_tick));
    if (begin || known != 0) sink.set_known(begin, ps(std::max(known, manifest.begin_tick)));
    for (const Damage& damage : manifest.damage)
        sink.add_damage(damage.tick == 0 ? std::nullopt : std::optional(ps(damage.tick)), damage.text);
}

}  // namespace

bool is_archive(const std::string& path) {
    std::error_code ignored;
    const fs::path at(path);
    if (fs::is_directory(at / kManifests, ignored)) return true;
    return at.extension() == ".json" && at.parent_path().filename() == kManifests && fs::is_regular_file(at, ignored);
}

Result<std::vector<ArchivedCapture>> captures_of(const std::string& path) {
    std::vector<fs::path> manifests;
    std::error_code error;
    if (fs::is_directory(path, error)) {
        for (const fs::directory_entry& entry : fs::directory_iterator(fs::path(path) / kManifests, error)) {
            if (entry.path().extension() == ".json") manifests.push_back(entry.path());
        }
        if (error) return unavailable("cannot look through the archive '" + path + "': " + error.message());
        std::sort(manifests.begin(), manifests.end());
    } else {
        manifests.push_back(fs::absolute(path));
    }
    std::vector<ArchivedCapture> captures;
    for (const fs::path& manifest : manifests) {
        auto capture = capture_of(manifest);
        if (!capture.ok()) return capture.error();
        captures.push_back(std::move(*capture));
    }
    if (captures.empty()) return not_found("the archive '" + path + "' has no capture yet; `sla archive` adds one");
    return captures;
}

Result<ReadReport> read_capture(const ArchivedCapture& capture, const formats::ParquetRange& range, const std::string& to,
                                const formats::Progress& progress) {
    ReadReport report;
    const auto found = find_parts(capture, report);
    if (!found.ok()) return found.error();
    auto sink = formats::CaptureSink::create(to, "archive");
    if (!sink.ok()) return sink.error();
    sink->set_clock(*found->clock);
    put_facts(capture.manifest, range, *sink);
    for (std::size_t i = 0; i < found->paths.size(); ++i) {
        if (progress && !progress(i, found->paths.size())) return unavailable("stopped");
        const auto taken = formats::import_parquet_range(found->paths[i], range, *sink);
        if (!taken.ok()) return Error{taken.error().code, "'" + found->paths[i] + "': " + taken.error().message};
        report.groups += taken->all;
        report.groups_read += taken->read;
    }
    report.rows = sink->events();
    if (auto finished = sink->finish(); !finished.ok()) return finished.error();
    return report;
}

}  // namespace sla::archive
