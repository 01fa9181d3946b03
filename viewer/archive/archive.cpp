#include "viewer/archive/archive.h"

#include "proto/fleet/names.h"
#include "viewer/formats/parquet/parquet.h"

#include <fmt/format.h>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <ctime>
#include <filesystem>
#include <optional>
#include <set>
#include <utility>

namespace sla::archive {

namespace fs = std::filesystem;

namespace {

constexpr std::int64_t kPsPerNs = 1000;
constexpr std::int64_t kNsPerDay = std::int64_t{86'400} * 1'000'000'000;
constexpr const char* kNoDate = "__HIVE_DEFAULT_PARTITION__";  // as engines call what is not known

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

std::optional<std::int64_t> utc_ns(const time::ClockMap& clock, std::uint64_t tick) {
    if (clock.origin_realtime_ns() == 0) return std::nullopt;
    const std::int64_t ps = clock.to_ps(tick);
    std::int64_t sum = 0;
    const std::int64_t ns = ps / kPsPerNs - (ps % kPsPerNs < 0 ? 1 : 0);
    if (__builtin_add_overflow(clock.origin_realtime_ns(), ns, &sum) || sum < 0) return std::nullopt;
    return sum;
}

// "2026-11-25".
std::string date_of(const std::optional<std::int64_t>& utc) {
    if (!utc) return kNoDate;
    const std::time_t seconds = *utc / 1'000'000'000;
    std::tm parts{};
    gmtime_r(&seconds, &parts);
    return fmt::format("{:04}-{:02}-{:02}", parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday);
}

// The first tick of the next UTC day; kNever: it is not known.
std::uint64_t next_day(const time::ClockMap& clock, std::uint64_t tick) {
    const auto utc = utc_ns(clock, tick);
    if (!utc) return store::kNever;
    const std::int64_t midnight = (*utc / kNsPerDay + 1) * kNsPerDay;
    const auto is_before = [&](std::uint64_t at) {
        const auto of = utc_ns(clock, at);
        return of && *of < midnight;
    };
    std::uint64_t low = tick;  // before midnight
    std::uint64_t step = 1;
    while (is_before(low + step)) {
        low += step;
        step *= 2;
        if (step > SLA_TICK_MASK) return store::kNever;
    }
    std::uint64_t high = low + step;
    while (high - low > 1) {
        const std::uint64_t middle = low + (high - low) / 2;
        (is_before(middle) ? low : high) = middle;
    }
    return high;
}

// Of the first row at or behind a tick.
std::optional<std::uint64_t> next_row(const std::vector<const store::Lane*>& lanes, std::uint64_t tick) {
    std::optional<std::uint64_t> next;
    for (const store::Lane* lane : lanes) {
        const std::uint64_t row = lane->lower_bound(tick);
        if (row >= lane->size()) continue;
        const std::uint64_t at = lane->tick(row);
        next = next ? std::min(*next, at) : at;
    }
    return next;
}

}  // namespace

Result<Archive> Archive::open(const std::string& folder) {
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
    return Archive(folder, lock);
}

Archive::Archive(Archive&& other) noexcept : folder_(std::move(other.folder_)), lock_(std::exchange(other.lock_, -1)) {}

Archive::~Archive() {
    if (lock_ >= 0) close(lock_);
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

Result<AddReport> Archive::add(const store::Session& session, const AddPlan& plan, const analysis::Progress& progress) {
    AddReport report;
    const std::string host = fleet::to_token(plan.host);
    const std::string capture = fleet::to_token(plan.capture);
    const std::string manifest_path = folder_ + "/manifest/" + host + "." + capture + ".json";
    auto manifest = read_manifest(manifest_path);
    if (!manifest.ok()) return manifest.error();
    manifest->host = host;
    manifest->capture = capture;
    if (auto removed = remove_unlisted(*manifest); !removed.ok()) return removed.error();
    auto selection = analysis::select(session, {});
    if (!selection.ok()) return selection.error();
    const time::ClockMap& clock = session.clock();
    while (const auto first = next_row(selection->lanes, manifest->until_tick)) {
        if (*first >= plan.until) break;
        selection->from = *first;
        selection->until = std::min(plan.until, next_day(clock, *first));
        const std::string own = "date=" + date_of(utc_ns(clock, *first)) + "/host=" + host + "/capture=" + capture;
        const std::string name = fmt::format("{}/part-{:020}.parquet", own, *first);
        if (auto made = make_folders(folder_ + "/" + own); !made.ok()) return made.error();
        auto output = formats::Output::open(folder_ + "/" + name);
        if (!output.ok()) return output.error();
        bool is_sound = true;
        formats::PartPlan limits;
        limits.most_rows = plan.part_rows;
        limits.is_wanted = [&](const formats::ParquetPart& part) {
            const bool is_whole = part.is_full || selection->until < plan.until;
            is_sound = !plan.is_sound || plan.is_sound();
            return is_sound && part.rows > 0 && (is_whole || !plan.whole_parts);
        };
        const auto part = formats::write_parquet_part(session, *selection, limits, *output, progress);
        if (!part.ok()) return part.error();
        if (!is_sound)
            return unavailable("rows of " + host + "/" + capture +
                               " could not be read; that part was not written: run it again");
        if (!part->is_written) break;
        if (auto synced = sync_folder(folder_ + "/" + own); !synced.ok()) return synced.error();
        manifest->parts.push_back({name, part->rows, part->lost, part->first_tick, part->last_tick,
                                   utc_ns(clock, part->first_tick).value_or(0), utc_ns(clock, part->last_tick).value_or(0),
                                   output->bytes()});
        manifest->until_tick = part->last_tick + 1;
        if (auto written = write_manifest(*manifest, manifest_path); !written.ok()) return written.error();
        if (auto synced = sync_folder(folder_ + "/manifest"); !synced.ok()) return synced.error();
        ++report.parts;
        report.rows += part->rows;
    }
    report.manifest = std::move(*manifest);
    return report;
}

}  // namespace sla::archive
