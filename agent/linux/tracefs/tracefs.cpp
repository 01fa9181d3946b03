#include "agent/linux/tracefs/tracefs.h"

#include "agent/linux/capability_advice.h"
#include "agent/linux/unique_fd.h"

#include <linux/capability.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <array>
#include <cerrno>

namespace sla::linux {
namespace {

constexpr long kTracefsMagic = 0x74726163;
constexpr const char* kUsualPlace = "/sys/kernel/tracing";
constexpr const char* kOldPlace = "/sys/kernel/debug/tracing";

// errno says why not; 0: another file system is there.
bool is_tracefs(const char* path) {
    struct statfs info {};
    errno = 0;
    return ::statfs(path, &info) == 0 && static_cast<long>(info.f_type) == kTracefsMagic;
}

std::string capability() {
    return setcap_advice(CAP_DAC_OVERRIDE);
}

// Its mount point is there, and this user may not mount it. With `is_hidden` it may be in debugfs, which is closed to him.
Error not_mounted(bool is_hidden) {
    if (is_hidden)
        return unavailable(
            "no permission: tracefs is not mounted on " + std::string(kUsualPlace) +
            ", and /sys/kernel/debug, where it is too, is closed to this user; run sla-agent as root, or: " + capability());
    return unavailable("no permission: tracefs is not mounted; as root: mount -t tracefs tracefs " +
                       std::string(kUsualPlace) + ", and then, for this user: " + capability());
}

}  // namespace

Error tracefs_refused(const std::string& what, int errno_value) {
    if (errno_value == EACCES || errno_value == EPERM) {
        return unavailable("no permission: " + what + " is closed to this user; run sla-agent as root, or: " + capability());
    }
    return system_error(what, errno_value);
}

Result<std::string> find_tracefs() {
    if (is_tracefs(kUsualPlace)) return std::string(kUsualPlace);
    if (is_tracefs(kOldPlace)) return std::string(kOldPlace);
    const bool is_hidden = errno == EACCES;
    struct stat there {};
    if (::stat(kUsualPlace, &there) != 0) {
        if (errno == EACCES) return tracefs_refused(kUsualPlace, EACCES);
        return unavailable("not present: this kernel has no tracefs (it needs CONFIG_FTRACE), or the container hides " +
                           std::string(kUsualPlace));
    }
    if (::mount("tracefs", kUsualPlace, "tracefs", MS_NOSUID | MS_NODEV | MS_NOEXEC, nullptr) == 0)
        return std::string(kUsualPlace);
    if (errno == EPERM || errno == EACCES) return not_mounted(is_hidden);
    return unavailable("not present: tracefs cannot be mounted on " + std::string(kUsualPlace) +
                       "; this kernel may have been built without CONFIG_FTRACE");
}

Result<std::string> read_control(const std::string& path) {
    UniqueFd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (!fd) return tracefs_refused(path, errno);
    std::string text;
    std::array<char, 8192> piece{};
    for (;;) {
        const ssize_t got = ::read(fd.get(), piece.data(), piece.size());
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return tracefs_refused(path, errno);
        if (got == 0) break;
        text.append(piece.data(), static_cast<std::size_t>(got));
    }
    if (!text.empty() && text.back() == '\n') text.pop_back();
    return text;
}

Result<void> write_control(const std::string& path, const std::string& text, WriteMode mode) {
    UniqueFd fd(::open(path.c_str(), O_WRONLY | O_CLOEXEC | (mode == WriteMode::kAppend ? O_APPEND : O_TRUNC)));
    if (!fd) return tracefs_refused(path, errno);
    const ssize_t written = ::write(fd.get(), text.data(), text.size());
    if (written != static_cast<ssize_t>(text.size())) return tracefs_refused("'" + text + "' into " + path, errno);
    return {};
}

}  // namespace sla::linux
