#include "agent/publish/spool_folder.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <filesystem>

namespace sla::publish {
namespace {

namespace fs = std::filesystem;

constexpr const char* kLockFile = "/lock";

std::string read_owner(int fd) {
    std::array<char, 32> text{};
    const ssize_t got = ::pread(fd, text.data(), text.size() - 1, 0);
    return {text.data(), got > 0 ? static_cast<std::size_t>(got) : 0};
}

}  // namespace

Result<void> make_spool_folder(const std::string& path) {
    std::error_code failed;
    fs::create_directories(fs::path(path).parent_path(), failed);
    if (!failed && ::mkdir(path.c_str(), 0700) != 0 && errno != EEXIST) failed.assign(errno, std::generic_category());
    std::error_code unknown;
    if (!failed && !fs::is_directory(path, unknown) && !unknown) failed = std::make_error_code(std::errc::not_a_directory);
    if (failed)
        return unavailable("cannot make the spool's folder " + path + ": " + failed.message() +
                           "; name another with --spool-dir");
    return {};
}

Result<int> lock_spool_folder(const std::string& folder) {
    const std::string path = folder + kLockFile;
    const int fd = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (fd < 0) return system_error("cannot open the spool's lock " + path, errno);
    if (::flock(fd, LOCK_EX | LOCK_NB) != 0) {
        const std::string owner = read_owner(fd);
        ::close(fd);
        return unavailable("another agent" + (owner.empty() ? "" : " (pid " + owner + ")") + " publishes from the spool " +
                           folder + " already: stop it, or give this one a folder of its own with --spool-dir");
    }
    const std::string owner = std::to_string(::getpid());
    if (::ftruncate(fd, 0) != 0 || ::pwrite(fd, owner.data(), owner.size(), 0) != static_cast<ssize_t>(owner.size())) {
        const int failed = errno;
        if (failed != ENOSPC) {  // on a full disk there is what is to be published
            ::close(fd);
            return system_error("cannot write to " + path, failed);
        }
    }
    return fd;
}

bool is_lock_of_spool(const std::string& folder, int lock) {
    struct stat ours {};
    struct stat there {};
    return ::fstat(lock, &ours) == 0 && ::stat((folder + kLockFile).c_str(), &there) == 0 && ours.st_dev == there.st_dev &&
           ours.st_ino == there.st_ino;
}

}  // namespace sla::publish
