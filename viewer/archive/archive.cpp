#include "viewer/archive/archive.h"

#include "proto/fleet/names.h"
#include "viewer/archive/days.h"
#include "viewer/archive/facts.h"
#include "viewer/formats/parquet/parquet.h"

#include <fmt/format.h>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <optional>
#include <set>
#include <utility>

namespace sla::archive {

namespace fs = std::filesystem;

namespace {

// Renames in it last from here on.
Result<void> sync_folder(const std::string& path) {
    const int fd = ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0) return system_error("cannot open '" + path + "'", errno);
    const bool is_synced = fsync(fd) == 0 || errno == EINVAL || errno == EROFS;
    const int reason = errno;
    close(fd);
    return is_synced ? Result<void>() : system_error("cannot write '" + path + "' to disk", reason);
}

Result<void> make_folders(const std::string& path) {
    std::error_code error;
    fs::create_directories(path, error);
    return error ? unavailable("cannot make the folder '" + path + "': " + error.message()) : Result<void>();
}

}  // namespace

Result<Archive> Archive::open(const std::string& folder) {
    std::error_code ignored;
    const bool is_new = !fs::exists(folder, ignored);
    if (auto made = make_folders(folder + "/manifest"); !made.ok()) return made.error();
    const std::string path = folder + "/.lock";
    const int lock = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (lock < 0) return system_error("cannot write to the archive '" + folder + "'", errno);
    if (flock(lock, LOCK_EX | LOCK_NB) != 0) {
        const int reason = errno;
        close(lock);
        if (reason != EWOULDBLOCK) return system_error("cannot lock the archive '" + folder + "'", reason);
        return unavailable("another `sla archive` writes to '" + folder + "'; wait for its end");
    }
    return Archive(folder, lock, is_new);
}

Archive::Archive(Archive&& other) noexcept
    : folder_(std::move(other.folder_)), lock_(std::exchange(other.lock_, -1)), is_new_(other.is_new_) {}

Archive::~Archive() {
    if (lock_ < 0) return;
    std::error_code ignored;
    // None of them goes that has something in it.
    if (is_new_ && fs::remove(folder_ + "/manifest", ignored) && fs::remove(folder_ + "/.lock", ignored))
        fs::remove(folder_, ignored);
    close(lock_);
}

// What a run left that died before it could list it.
Result<void> Archive::remove_unlisted(const Manifest& manifest) const {
    std::set<std::string> listed;
    for (const Part& part : manifest.parts) listed.insert(part.file);
    std::error_code error;
    for (const fs::directory_entry& day : fs::directory_iterator(folder_, error)) {
        const std::string name = day.path().filename();
        if (!name.starts_with("date=")) continue;
        const std::string own = name + "/host=" + manifest.host + "/capture=" + manifest.capture;
        std::error_code absent;
        for (const fs::directory_entry& file : fs::directory_iterator(folder_ + "/" + own, absent)) {
            const std::string part = file.path().filename();
            if (!part.starts_with("part-") || listed.contains(own + "/" + part)) continue;
            if (!fs::remove(file.path(), error) && error)
                return unavailable("cannot remove '" + file.path().string() +
                                   "', which a run that died left: " + error.message());
        }
    }
    return error ? unavailable("cannot look through '" + folder_ + "': " + error.message()) : Result<void>();
}

// One capture on its way into the folder.
struct Archive::Adding {
    Adding(const store::Session& from, const AddPlan& how, const analysis::Progress& asked)
        : session(&from), plan(how), progress(asked) {}

    const store::Session* session;
    const AddPlan& plan;
    const analysis::Progress& progress;
    std::string host;
    std::string capture;
    std::string manifest_path;
    Manifest manifest;
    analysis::Selection selection;
    Missing missing;
    AddReport report;
    store::Session borrowed;  // of parts, where the session has no clock

    [[nodiscard]] const time::ClockMap& clock() const { return session->clock(); }
};

Result<void> Archive::begin(Adding& adding) const {
    adding.host = fleet::to_token(adding.plan.host);
    adding.capture = fleet::to_token(adding.plan.capture);
    adding.manifest_path = folder_ + "/manifest/" + adding.host + "." + adding.capture + ".json";
    auto manifest = read_manifest(adding.manifest_path);
    if (!manifest.ok()) return manifest.error();
    adding.manifest = std::move(*manifest);
    adding.manifest.host = adding.host;
    adding.manifest.capture = adding.capture;
    if (auto removed = remove_unlisted(adding.manifest); !removed.ok()) return removed.error();
    const auto& origin_tick = adding.plan.found.origin_tick;
    if (origin_tick && adding.session->has_origin() && adding.session->origin().start_tick != *origin_tick) {
        return unavailable("the beginning of what is there of " + adding.host + "/" + adding.capture +
                           " went while it was read: run it again");
    }
    auto selection = analysis::select(*adding.session, {});
    if (!selection.ok()) return selection.error();
    adding.selection = std::move(*selection);
    adding.missing = missing_in(adding.manifest, adding.plan.found, adding.selection.lanes);
    adding.manifest.taken = taken_before(adding.manifest);
    adding.manifest.taken->events += adding.missing.before;
    adding.report.before = adding.missing.before;
    if (adding.missing.losses.empty() || adding.session->has_origin()) return {};
    adding.session = &adding.borrowed;
    return borrow_clock(adding.manifest, adding.borrowed);
}

Result<formats::Output> Archive::open_part(const Adding& adding, std::uint64_t first, std::string& name) const {
    const std::string own =
        "date=" + date_of(utc_ns(adding.clock(), first)) + "/host=" + adding.host + "/capture=" + adding.capture;
    if (auto made = make_folders(folder_ + "/" + own); !made.ok()) return made.error();
    name = fmt::format("{}/part-{:020}.parquet", own, first);
    return formats::Output::open(folder_ + "/" + name);
}

Result<void> Archive::list(Adding& adding, const std::string& name, const formats::ParquetPart& part,
                           std::uint64_t bytes) const {
    Manifest& manifest = adding.manifest;
    if (auto synced = sync_folder(folder_ + "/" + name.substr(0, name.rfind('/'))); !synced.ok()) return synced;
    manifest.parts.push_back({name, part.rows, part.lost, part.first_tick, part.last_tick,
                              utc_ns(adding.clock(), part.first_tick).value_or(0),
                              utc_ns(adding.clock(), part.last_tick).value_or(0), bytes});
    manifest.until_tick = part.last_tick + 1;
    if (auto written = write_manifest(manifest, adding.manifest_path); !written.ok()) return written;
    return sync_folder(folder_ + "/manifest");
}

Result<bool> Archive::add_rows(Adding& adding, std::uint64_t first, std::uint64_t until) const {
    const AddPlan& plan = adding.plan;
    analysis::Selection& selection = adding.selection;
    selection.from = first;
    selection.until = std::min(until, next_day(adding.clock(), first));
    std::string name;
    auto output = open_part(adding, first, name);
    if (!output.ok()) return output.error();
    bool is_sound = true;
    formats::PartPlan limits;
    limits.most_rows = plan.part_rows;
    limits.is_wanted = [&](const formats::ParquetPart& part) {
        const bool is_whole = part.is_full || selection.until < plan.until;
        is_sound = !plan.is_sound || plan.is_sound();
        return is_sound && part.rows > 0 && (is_whole || !plan.whole_parts);
    };
    const auto part = formats::write_parquet_part(*adding.session, selection, limits, *output, adding.progress);
    if (!part.ok()) return part.error();
    if (!is_sound) {
        return unavailable("rows of " + adding.host + "/" + adding.capture +
                           " could not be read; that part was not written: run it again");
    }
    if (!part->is_written) return false;
    take_rows(plan.found, selection.lanes, part->first_tick, part->last_tick + 1, *adding.manifest.taken);
    if (auto listed = list(adding, name, *part, output->bytes()); !listed.ok()) return listed.error();
    ++adding.report.parts;
    adding.report.rows += part->rows;
    return true;
}

Result<void> Archive::borrow_clock(const Manifest& manifest, store::Session& session) const {
    for (auto part = manifest.parts.rbegin(); part != manifest.parts.rend(); ++part) {
        const auto facts = formats::parquet_facts(folder_ + "/" + part->file);
        if (!facts.ok()) continue;
        session.set_origin({"", manifest.host, 0, facts->clock.origin_tick});
        for (const time::ClockSnapshot& snapshot : formats::snapshots_of(facts->clock)) session.add_clock(0, snapshot);
        return {};
    }
    return not_found("of " + manifest.host + "/" + manifest.capture + " events are gone, and no part is in '" + folder_ +
                     "' that tells its clock: how many cannot be noted there");
}

Result<void> Archive::add_losses(Adding& adding) const {
    const std::uint64_t tick = adding.manifest.until_tick;
    std::string name;
    auto output = open_part(adding, tick, name);
    if (!output.ok()) return output.error();
    const auto part = write_losses(*adding.session, adding.missing.losses, tick, *output);
    if (!part.ok()) return part.error();
    take_losses(adding.plan.found, adding.missing.losses, *adding.manifest.taken);
    if (auto listed = list(adding, name, *part, output->bytes()); !listed.ok()) return listed;
    adding.report.lost += adding.missing.lost();
    adding.missing.losses.clear();
    return {};
}

Result<void> Archive::note_facts(Adding& adding) const {
    if (adding.manifest.parts.empty() || adding.session == &adding.borrowed) return {};
    Manifest manifest = with_facts(adding.manifest, *adding.session, adding.selection.lanes, adding.plan.until);
    if (manifest == adding.manifest) return {};
    adding.manifest = std::move(manifest);
    if (auto written = write_manifest(adding.manifest, adding.manifest_path); !written.ok()) return written;
    return sync_folder(folder_ + "/manifest");
}

Result<AddReport> Archive::add(const store::Session& session, const AddPlan& plan, const analysis::Progress& progress) {
    Adding adding(session, plan, progress);
    if (auto begun = begin(adding); !begun.ok()) return begun.error();
    const Lanes& lanes = adding.selection.lanes;
    for (;;) {
        // Loss rows are a part of their own, at the first tick behind the last part that no row has.
        std::uint64_t losses_at = adding.missing.losses.empty() ? store::kNever : adding.manifest.until_tick;
        const auto first = next_row(lanes, adding.manifest.until_tick);
        while (losses_at < plan.until && next_row(lanes, losses_at) == losses_at) ++losses_at;
        if (losses_at == adding.manifest.until_tick && losses_at < plan.until) {
            if (auto added = add_losses(adding); !added.ok()) return added.error();
            continue;
        }
        if (!first || *first >= plan.until) break;
        const auto added = add_rows(adding, *first, std::min(plan.until, losses_at));
        if (!added.ok()) return added.error();
        if (!*added) break;
    }
    if (auto noted = note_facts(adding); !noted.ok()) return noted.error();
    adding.report.manifest = std::move(adding.manifest);
    return std::move(adding.report);
}

}  // namespace sla::archive
