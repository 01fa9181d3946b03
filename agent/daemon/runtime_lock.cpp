#include "agent/daemon/runtime_lock.h"

#include "proto/base/runtime_dir.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <thread>
#include <utility>

namespace sla::daemon {
namespace {

constexpr std::string_view kEnding = " ending";

// Makes the directory and its missing parents; only the last is closed to others.
Result<void> make_directory(const std::string& path) {
    for (std::size_t at = path.find('/', 1); at != std::string::npos; at = path.find('/', at + 1)) {
        if (mkdir(path.substr(0, at).c_str(), 0755) != 0 && errno != EEXIST) {
            return system_error("cannot make the directory " + path.substr(0, at), errno);
        }
    }
    if (mkdir(path.c_str(), 0700) != 0 && errno != EEXIST) {
        return system_error("cannot make the runtime directory " + path + " (choose another with $SLA_RUNTIME_DIR)", errno);
    }
    return {};
}

Result<void> check_directory(const std::string& path) {
    switch (sla_runtime_dir_trusted(path.c_str())) {
        case 0: return {};
        case EPERM:
            return unavailable("the runtime directory " + path +
                               " belongs to somebody else or is open to others: make it yours alone (chmod 700), or choose "
                               "another with $SLA_RUNTIME_DIR");
        case ENOTDIR: return unavailable(path + " is not a directory: remove it, or choose another with $SLA_RUNTIME_DIR");
        default: return unavailable("the runtime directory " + path + " cannot be looked at");
    }
}

std::string read_owner(int fd) {
    std::array<char, 32> text{};
    ssize_t got = pread(fd, text.data(), text.size() - 1, 0);
    std::string owner(text.data(), got > 0 ? static_cast<std::size_t>(got) : 0);
    while (!owner.empty() && owner.back() == '\n') owner.pop_back();
    return owner;
}

// An agent that was asked to end gives its readers some seconds at most. On a busy machine it needs a moment before it says
// that it ends: whoever restarts it at once is not to be refused for that.
bool lock_in_time(int fd, std::chrono::milliseconds until_it_says_so) {
    constexpr auto kLongestEnd = std::chrono::seconds(5);
    constexpr auto kLook = std::chrono::milliseconds(10);
    const auto begin = std::chrono::steady_clock::now();
    while (flock(fd, LOCK_EX | LOCK_NB) != 0) {
        if (errno != EWOULDBLOCK && errno != EINTR) return false;
        const bool says_so = read_owner(fd).ends_with(kEnding);
        const auto waited = std::chrono::steady_clock::now() - begin;
        if (waited > (says_so ? kLongestEnd : until_it_says_so)) return false;
        std::this_thread::sleep_for(kLook);
    }
    return true;
}

// The lock's file says to the next one who holds it.
bool write_owner(int fd, const std::string& text) {
    return ftruncate(fd, 0) == 0 && pwrite(fd, text.data(), text.size(), 0) == static_cast<ssize_t>(text.size());
}

}  // namespace

Result<RuntimeLock> RuntimeLock::take(std::chrono::milliseconds until_it_says_so) {
    std::array<char, PATH_MAX> buffer{};
    if (sla_runtime_path(buffer.data(), buffer.size(), nullptr) < 0) {
        return invalid_input("the runtime directory's name is too long; choose a shorter $SLA_RUNTIME_DIR");
    }
    std::string directory = buffer.data();
    Result<void> ready = make_directory(directory);
    if (ready) ready = check_directory(directory);
    if (!ready) return ready.error();
    std::string path = directory + "/" SLA_AGENT_LOCK;
    int fd = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (fd < 0) return system_error("cannot open " + path, errno);
    if (!lock_in_time(fd, until_it_says_so)) {
        std::string owner = read_owner(fd);
        close(fd);
        return unavailable("an agent runs in " + directory + " already" + (owner.empty() ? "" : " (pid " + owner + ")") +
                           ": use that one, stop it, or give this one a directory of its own with $SLA_RUNTIME_DIR");
    }
    if (!write_owner(fd, std::to_string(getpid()) + "\n")) {
        int failed = errno;
        close(fd);
        return system_error("cannot write to " + path, failed);
    }
    return RuntimeLock(std::move(directory), fd);
}

void RuntimeLock::say_ending() const {
    (void)write_owner(fd_, std::to_string(getpid()) + std::string(kEnding) + "\n");  // else the next one is refused
}

RuntimeLock::RuntimeLock(RuntimeLock&& other) noexcept
    : directory_(std::move(other.directory_)), fd_(std::exchange(other.fd_, -1)) {}

RuntimeLock::~RuntimeLock() {
    if (fd_ >= 0) close(fd_);
}

}  // namespace sla::daemon
