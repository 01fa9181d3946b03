#include "proto/common/tls/private_file.h"

#include "proto/base/new_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>

namespace sla::tls {
namespace {

struct Descriptor {
    int fd = -1;
    ~Descriptor() {
        if (fd >= 0) ::close(fd);
    }
};

Result<void> check_owner(const std::string& path, const struct stat& info, Others others) {
    if (!S_ISREG(info.st_mode)) return unavailable(path + " is no file");
    if (info.st_uid != ::geteuid() && info.st_uid != 0) return unavailable(path + " belongs to somebody else");
    if ((info.st_mode & (S_IWGRP | S_IWOTH)) != 0) {
        return unavailable(
            path + " can be changed by others, so nothing in it can be believed: look at it, then chmod 600 " + path);
    }
    if (others == Others::kMayNotRead && (info.st_mode & (S_IRGRP | S_IROTH)) != 0) {
        return unavailable(path + " can be read by others: chmod 600 " + path);
    }
    if (static_cast<std::size_t>(info.st_size) > kMaxPrivateFile) return unavailable(path + " is larger than 1 MiB");
    return {};
}

Result<void> make_folder_of(const std::string& path) {
    std::error_code error;
    const std::filesystem::path folder = std::filesystem::path(path).parent_path();
    if (folder.empty() || std::filesystem::exists(folder, error)) return {};
    std::filesystem::create_directories(folder, error);
    if (!error) std::filesystem::permissions(folder, std::filesystem::perms::owner_all, error);
    if (error) return unavailable("cannot make the folder " + folder.string() + ": " + error.message());
    return {};
}

}  // namespace

std::string config_file(std::string_view leaf) {
    const char* base = std::getenv("XDG_CONFIG_HOME");
    if (base != nullptr && *base != '\0') return std::string(base) + "/sla/" + std::string(leaf);
    const char* home = std::getenv("HOME");
    if (home != nullptr && *home != '\0') return std::string(home) + "/.config/sla/" + std::string(leaf);
    return "";
}

Result<std::string> read_private(const std::string& path, Others others) {
    const Descriptor file{::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)};
    if (file.fd < 0 && errno == ENOENT) return not_found("there is no " + path);
    if (file.fd < 0) return system_error("cannot read " + path, errno);
    struct stat info {};
    if (::fstat(file.fd, &info) != 0) return system_error("cannot read " + path, errno);
    if (Result<void> own = check_owner(path, info, others); !own) return own.error();
    std::string text;
    char bytes[4096];
    for (;;) {
        const ssize_t got = ::read(file.fd, bytes, sizeof bytes);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return system_error("cannot read " + path, errno);
        if (got == 0) return text;
        text.append(bytes, static_cast<std::size_t>(got));
        if (text.size() > kMaxPrivateFile) return unavailable(path + " is larger than 1 MiB");
    }
}

Result<void> write_private(const std::string& path, std::string_view text) {
    if (Result<void> made = make_folder_of(path); !made) return made;
    return replace_private_file(path, text);
}

Result<PrivateFileLock> PrivateFileLock::take(const std::string& path, const std::string& doing) {
    if (Result<void> made = make_folder_of(path); !made) return made.error();
    PrivateFileLock lock(::open((path + ".lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
    if (lock.fd_ < 0) return system_error("cannot " + doing + " " + path, errno);
    while (::flock(lock.fd_, LOCK_EX) != 0) {
        if (errno != EINTR) return system_error("cannot " + doing + " " + path, errno);
    }
    return lock;
}

PrivateFileLock::~PrivateFileLock() {
    if (fd_ >= 0) ::close(fd_);
}

}  // namespace sla::tls
