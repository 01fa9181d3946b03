#include "agent/publish/spool.h"

#include "agent/publish/spool_folder.h"
#include "proto/base/text.h"
#include "proto/base/whole_file.h"

#include <fmt/format.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <tuple>
#include <utility>

namespace sla::publish {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPieceSuffix = ".sla";
constexpr const char* kReserve = "/reserve";
constexpr std::uint64_t kMostReserve = 1 << 20;  // a piece's end is some KiB, of thousands of channels more
constexpr std::uint64_t kReservesInASpool = 16;
constexpr std::uint64_t kMaxRunFile = 64 << 10;

std::optional<std::uint64_t> piece_number(const std::string& name) {
    if (!name.ends_with(kPieceSuffix)) return std::nullopt;
    const auto number = whole_number<std::uint64_t>(std::string_view(name).substr(0, name.size() - kPieceSuffix.size()));
    return number == 0 ? std::nullopt : number;
}

// An agent was killed, or had no space, before it had said whose capture it is: there is nothing in it.
bool is_begun_only(const fs::path& folder) {
    const std::string name = folder.filename();
    constexpr std::size_t kDate = 8;
    const bool is_dated = name.size() > kDate && name[kDate] == 'T' && name.find_first_not_of("0123456789") == kDate;
    if (!is_dated) return false;  // somebody else's
    std::error_code failed;
    for (const auto& entry : fs::directory_iterator(folder, failed)) {
        if (entry.path().filename() != kSpareRunFile) return false;
    }
    return !failed;
}

bool is_gone(const std::string& path) {
    return ::access(path.c_str(), F_OK) != 0 && errno == ENOENT;
}

bool is_full_disk(int failed) {
    return failed == ENOSPC || failed == EDQUOT || failed == EFBIG;  // the last is the limit of a user's files
}

}  // namespace

std::uint64_t size_of(const std::string& path) {
    std::error_code failed;
    const std::uintmax_t bytes = fs::file_size(path, failed);
    return failed ? 0 : bytes;
}

std::string default_spool(const std::string& fleet) {
    const char* const state = std::getenv("XDG_STATE_HOME");
    const char* const home = std::getenv("HOME");
    if (state != nullptr && *state != '\0') return fmt::format("{}/sla/spool/{}", state, fleet);
    if (home != nullptr && *home != '\0') return fmt::format("{}/.local/state/sla/spool/{}", home, fleet);
    return "";
}

Result<std::unique_ptr<Spool>> Spool::open(const std::string& typed, std::uint64_t limit) {
    if (typed.empty())
        return invalid_input(
            "there is no place for the spool: neither $XDG_STATE_HOME nor $HOME is set; name a folder with --spool-dir");
    // Of "spool" and "spool/" the parent is the same, and there is one.
    const std::string folder = (fs::absolute(typed) / "").parent_path();
    if (Result<void> made = make_spool_folder(folder); !made) return made.error();
    const Result<int> lock = lock_spool_folder(folder);
    if (!lock) return lock.error();
    std::unique_ptr<Spool> spool(new Spool(folder, limit, *lock));
    std::error_code ignored;
    for (auto at = fs::recursive_directory_iterator(folder, ignored); at != fs::recursive_directory_iterator();
         at.increment(ignored)) {
        if (const auto number = piece_number(at->path().filename()))
            spool->hold(at->path().parent_path().filename(), *number, {0, size_of(at->path())});
    }
    spool->keep_reserve();
    return spool;
}

Spool::~Spool() {
    std::error_code ignored;
    const auto is_capture = [&](const fs::directory_entry& entry) { return entry.is_directory(ignored); };
    if (std::none_of(fs::directory_iterator(folder_, ignored), fs::directory_iterator(), is_capture)) (void)give_reserve();
    ::close(lock_);
}

void Spool::keep_reserve() const {
    const std::string path = folder_ + kReserve;
    const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (fd < 0) return;
    const auto bytes = static_cast<off_t>(std::min(kMostReserve, limit_ / kReservesInASpool));
    if (::fallocate(fd, 0, 0, bytes) != 0) ::unlink(path.c_str());  // there is not so much, or no way to ask for it
    ::close(fd);
}

bool Spool::give_reserve() const {
    return ::unlink((folder_ + kReserve).c_str()) == 0;
}

Result<capture::Finished> Spool::end_piece(const std::string& path) const {
    Result<capture::Finished> done = capture::finish_file(path);
    return done || !give_reserve() ? done : capture::finish_file(path);
}

std::vector<Run> Spool::left(std::vector<std::string>& odd) const {
    std::vector<Run> runs;
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(folder_, ignored)) {
        if (!entry.is_directory(ignored)) continue;
        const std::string name = entry.path().filename();
        if (is_begun_only(entry.path())) {
            fs::remove_all(entry.path(), ignored);
            continue;
        }
        const Result<std::string> text = read_whole_file(entry.path() / kRunFile, kMaxRunFile);
        Result<Run> run = text ? parse_run_file(*text) : text.error();
        if (run && run->capture != name) run = damaged("it names another capture");
        if (run) {
            runs.push_back(std::move(*run));
        } else {
            odd.push_back(entry.path().string() + ": " + run.error().message);
        }
    }
    std::sort(runs.begin(), runs.end(), [](const Run& a, const Run& b) {
        return std::tie(a.started_ns, a.capture) < std::tie(b.started_ns, b.capture);
    });
    return runs;
}

Result<void> Spool::begin(const Run& run) {
    std::lock_guard lock(run_mutex_);
    return begin_run(run);
}

// Under the lock of runs, as make_again.
Result<void> Spool::begin_run(const Run& run) {
    const std::string folder = folder_ + "/" + run.capture;
    const bool is_tried_again = run_ && !is_begun_;
    int failed = ::mkdir(folder.c_str(), 0700) == 0 || (is_tried_again && errno == EEXIST) ? 0 : errno;
    for (int file = 0; failed == 0 && file < 2; ++file) failed = write_run_file(folder, run);  // the spare one, too
    if (failed == 0 || is_full_disk(failed)) {
        run_ = run;
        is_begun_ = failed == 0;
        return {};
    }
    return system_error("cannot begin a capture in " + folder, failed);
}

Result<void> Spool::make_ready() {
    std::lock_guard lock(run_mutex_);
    if (is_begun_ && is_gone(folder_ + "/" + run_->capture)) {
        if (Result<void> made = make_again(); !made) return made;
    }
    if (!run_ || is_begun_) return {};
    if (Result<void> begun = begin_run(Run(*run_)); !begun || is_begun_) return begun;
    return system_error("cannot begin a capture in " + folder_, ENOSPC);
}

// The lock went with the folder.
Result<void> Spool::make_again() {
    if (Result<void> made = make_spool_folder(folder_); !made) return made;
    if (!is_lock_of_spool(folder_, lock_)) {
        const Result<int> lock = lock_spool_folder(folder_);
        if (!lock) return lock.error();
        ::close(std::exchange(lock_, *lock));
    }
    is_begun_ = false;
    ++made_again_;
    return {};
}

// Into a folder that somebody removed it comes when that is made again.
Result<void> Spool::write_down(const Run& run) {
    std::lock_guard lock(run_mutex_);
    const std::string folder = folder_ + "/" + run.capture;
    const int failed = write_run_file(folder, run);
    if (failed != 0 && !(failed == ENOENT && is_gone(folder)))
        return system_error("cannot write " + folder + "/" + kRunFile, failed);
    if (run_ && run_->capture == run.capture) run_ = run;
    return {};
}

std::vector<std::uint64_t> Spool::pieces_of(const std::string& capture) const {
    std::vector<std::uint64_t> numbers;
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(folder_ + "/" + capture, ignored)) {
        if (const auto number = piece_number(entry.path().filename())) numbers.push_back(*number);
    }
    std::sort(numbers.begin(), numbers.end());
    return numbers;
}

std::string Spool::path_of(const std::string& capture, std::uint64_t piece) const {
    return fmt::format("{}/{}/{}{}", folder_, capture, piece, kPieceSuffix);
}

void Spool::remove(const std::string& capture, std::uint64_t piece) {
    if (::unlink(path_of(capture, piece).c_str()) == 0 || errno == ENOENT) forget(capture, piece);
}

void Spool::forget(const std::string& capture, std::uint64_t piece) {
    std::lock_guard lock(mutex_);
    const auto at = held_.find({capture, piece});
    if (at == held_.end()) return;
    set_bytes(at->second, 0);
    held_.erase(at);
}

void Spool::look_for_removed() {
    std::lock_guard lock(mutex_);
    for (auto& [piece, held] : held_) {
        if (held.bytes > 0 && is_gone(path_of(piece.first, piece.second))) set_bytes(held, 0);
    }
}

// Under the lock.
void Spool::set_bytes(Held& held, std::uint64_t bytes) {
    bytes_.fetch_add(bytes - std::exchange(held.bytes, bytes), std::memory_order_relaxed);  // pairs with bytes(): a figure
}

bool Spool::has(const std::string& capture, std::uint64_t piece) const {
    return !is_gone(path_of(capture, piece));
}

void Spool::hold(const std::string& capture, std::uint64_t piece, const Held& held) {
    {
        std::lock_guard lock(mutex_);
        held_.try_emplace({capture, piece});
    }
    note(capture, piece, held);
}

void Spool::note(const std::string& capture, std::uint64_t piece, const Held& held) {
    std::lock_guard lock(mutex_);
    const auto known = held_.find({capture, piece});
    if (known == held_.end()) return;
    set_bytes(known->second, held.bytes);
    known->second.events = held.events;
}

Spool::Held Spool::noted(const std::string& capture, std::uint64_t piece) const {
    std::lock_guard lock(mutex_);
    const auto at = held_.find({capture, piece});
    return at == held_.end() ? Held() : at->second;
}

void Spool::remove(const std::string& capture) {
    std::error_code ignored;
    const std::string folder = folder_ + "/" + capture;
    for (const char* file : {kRunFile, kSpareRunFile}) fs::remove(folder + "/" + file, ignored);
    fs::remove(folder, ignored);  // only when it is empty
}

}  // namespace sla::publish
