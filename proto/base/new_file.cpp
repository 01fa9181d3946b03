#include "proto/base/new_file.h"

#include "proto/base/random_id.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <filesystem>
#include <system_error>
#include <utility>

namespace sla {

namespace fs = std::filesystem;

TemporaryName::TemporaryName(const std::string& path, std::string_view ending) : place_(path) {
    while (place_.size() > 1 && place_.back() == '/') place_.pop_back();
    std::error_code failed;
    if (fs::is_symlink(place_, failed)) {
        const fs::path target = fs::weakly_canonical(place_, failed);
        if (!failed) place_ = target.string();
    }
    std::array<char, 16> digits{};
    char* const end = std::to_chars(digits.data(), digits.data() + digits.size(), random_id(), 16).ptr;
    temporary_ = place_ + ".part-" + std::string(digits.data(), end) + std::string(ending);
}

TemporaryName::TemporaryName(TemporaryName&& other) noexcept
    : place_(std::move(other.place_)), temporary_(std::exchange(other.temporary_, {})) {}

TemporaryName& TemporaryName::operator=(TemporaryName&& other) noexcept {
    if (this == &other) return *this;
    remove();
    place_ = std::move(other.place_);
    temporary_ = std::exchange(other.temporary_, {});
    return *this;
}

TemporaryName::~TemporaryName() {
    remove();
}

int TemporaryName::create(unsigned mode) const {
    struct stat there {};
    const bool replaces = ::lstat(place_.c_str(), &there) == 0 && S_ISREG(there.st_mode);
    if (replaces) mode &= there.st_mode;
    const int file = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    if (file >= 0 && replaces) (void)::fchmod(file, mode);  // past the umask, as what is there
    return file;
}

void TemporaryName::reserve(unsigned mode) const {
    if (const int file = create(mode); file >= 0) ::close(file);
}

Result<void> TemporaryName::check_place() const {
    struct stat there {};
    if (::lstat(place_.c_str(), &there) != 0) return {};
    if (S_ISLNK(there.st_mode)) return invalid_input("'" + place_ + "' is a link to what is not there; name a file");
    if (!S_ISREG(there.st_mode) && !S_ISDIR(there.st_mode))
        return invalid_input("'" + place_ + "' is a device, a pipe or a socket, which no file replaces; name a file");
    return {};
}

Result<void> TemporaryName::take_its_place() {
    if (Result<void> good = check_place(); !good) return good;
    if (std::rename(temporary_.c_str(), place_.c_str()) != 0)
        return system_error("cannot put '" + place_ + "' in place", errno);
    temporary_.clear();
    return {};
}

void TemporaryName::remove() {
    std::error_code ignored;
    if (!temporary_.empty()) fs::remove_all(std::exchange(temporary_, {}), ignored);
}

namespace {

// `problem`: how an error begins.
Result<void> replace(const std::string& path, std::string_view bytes, unsigned mode, bool is_synced,
                     const std::string& problem) {
    TemporaryName name(path);
    const int file = name.create(mode);
    int failed = file < 0 ? errno : 0;
    while (!bytes.empty() && failed == 0) {
        const ssize_t written = ::write(file, bytes.data(), bytes.size());
        if (written < 0 && errno != EINTR) failed = errno;
        if (written > 0) bytes.remove_prefix(static_cast<std::size_t>(written));
    }
    if (failed == 0 && is_synced && ::fsync(file) != 0) failed = errno;
    if (file >= 0 && ::close(file) != 0 && failed == 0) failed = errno;
    if (failed != 0) return system_error(problem, failed);
    return name.take_its_place();
}

}  // namespace

Result<void> replace_file(const std::string& path, std::string_view bytes, const std::string& doing) {
    return replace(path, bytes, 0666, false, "cannot " + doing + " '" + path + "'");
}

Result<void> replace_private_file(const std::string& path, std::string_view bytes) {
    return replace(path, bytes, 0600, true, "cannot write " + path);
}

}  // namespace sla
