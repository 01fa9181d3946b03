#include "viewer/process/own_directory.h"

#include "proto/base/runtime_dir.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <utility>

namespace sla::process {

namespace fs = std::filesystem;

namespace {

constexpr const char* kOwnerLock = "owner.lock";
constexpr std::string_view kChance = "XXXXXX";

// A lock of ours on that file, as a descriptor; -1: somebody has it, or there is no such file.
int lock_of(const fs::path& file, int flags) {
    const int fd = open(file.c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW | flags, 0600);
    if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) == 0) return fd;
    if (fd >= 0) close(fd);
    return -1;
}

bool is_ours(const fs::path& directory) {
    struct stat info {};
    return lstat(directory.c_str(), &info) == 0 && S_ISDIR(info.st_mode) && info.st_uid == geteuid();
}

void remove_if_abandoned(const fs::path& directory) {
    if (!is_ours(directory)) return;
    const int owner = lock_of(directory / kOwnerLock, 0);
    if (owner < 0) return;  // its owner lives, or has just made it
    std::error_code ignored;
    const bool has_agent = fs::exists(directory / SLA_AGENT_LOCK, ignored);
    const int agent = has_agent ? lock_of(directory / SLA_AGENT_LOCK, 0) : -1;
    if (!has_agent || agent >= 0) fs::remove_all(directory, ignored);
    if (agent >= 0) close(agent);
    close(owner);
}

void remove_abandoned(const fs::path& parent, const std::string& prefix) {
    std::error_code error;
    for (fs::directory_iterator at(parent, error), end; !error && at != end; at.increment(error)) {
        const std::string name = at->path().filename().string();
        if (name.starts_with(prefix) && name.size() == prefix.size() + kChance.size()) remove_if_abandoned(at->path());
    }
}

// Who cleans up may have taken it away before it was locked.
bool is_there(int lock) {
    struct stat info {};
    return fstat(lock, &info) == 0 && info.st_nlink > 0;
}

}  // namespace

Result<OwnDirectory> OwnDirectory::make(const std::string& parent, const std::string& kind) {
    const std::string prefix = "sla-" + kind + "-";
    remove_abandoned(parent, prefix);
    const std::string pattern = parent + "/" + prefix + std::string(kChance);
    constexpr int kMostTries = 8;
    for (int tried = 0; tried < kMostTries; ++tried) {
        std::string path = pattern;
        if (mkdtemp(path.data()) == nullptr) return system_error("cannot make a directory like '" + path + "'", errno);
        OwnDirectory made(std::move(path), -1);
        made.lock_ = lock_of(made.file(kOwnerLock), O_CREAT);
        if (made.lock_ >= 0 && is_there(made.lock_)) return made;
    }
    return system_error("cannot make a directory like '" + pattern + "'", errno);
}

OwnDirectory::OwnDirectory(OwnDirectory&& other) noexcept
    : path_(std::exchange(other.path_, "")), lock_(std::exchange(other.lock_, -1)) {}

OwnDirectory::~OwnDirectory() {
    std::error_code ignored;
    if (!path_.empty()) fs::remove_all(path_, ignored);
    if (lock_ >= 0) close(lock_);
}

}  // namespace sla::process
