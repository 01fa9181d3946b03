#include "proto/capture/file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <limits>
#include <utility>

namespace sla::capture {

File::File(int descriptor, std::string path, std::uint64_t bytes)
    : descriptor_(descriptor), path_(std::move(path)), bytes_(bytes) {}

File::File(File&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)),
      path_(std::move(other.path_)),
      hidden_(std::move(other.hidden_)),
      bytes_(other.bytes_) {}

File& File::operator=(File&& other) noexcept {
    if (this == &other) return *this;
    close();
    descriptor_ = std::exchange(other.descriptor_, -1);
    path_ = std::move(other.path_);
    hidden_ = std::move(other.hidden_);
    bytes_ = other.bytes_;
    return *this;
}

File::~File() {
    close();
}

void File::close() {
    if (descriptor_ >= 0) ::close(std::exchange(descriptor_, -1));
    hidden_.remove();
}

Error written_by_another(const std::string& what) {
    return unavailable(what + " is being written by another program; name another file, or end that one first");
}

// A file system without locks has none to break.
Result<void> File::lock() const {
    if (flock(descriptor_, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return {};
    return written_by_another("'" + path_ + "'");
}

Result<File> File::create(const std::string& path) {
    const int descriptor = ::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0644);
    if (descriptor < 0 && errno == ENXIO)
        return unavailable("cannot create the capture '" + path + "': it is a pipe, which nobody reads, or a socket");
    if (descriptor < 0) return system_error("cannot create the capture '" + path + "'", errno);
    File file(descriptor, path, 0);
    fcntl(descriptor, F_SETFL, 0);  // to open a pipe must not wait, to write to it may
    if (Result<void> locked = file.lock(); !locked) return locked.error();
    struct stat info {};
    const bool has_bytes = fstat(descriptor, &info) == 0 && S_ISREG(info.st_mode) && info.st_size > 0;
    if (has_bytes && ftruncate(descriptor, 0) != 0) return system_error("cannot replace the capture '" + path + "'", errno);
    return file;
}

Result<File> File::create_hidden(const std::string& path) {
    struct stat there {};
    const bool exists = stat(path.c_str(), &there) == 0;
    if (exists && S_ISDIR(there.st_mode)) return invalid_input("'" + path + "' is a directory; name a file in it");
    if (exists && !S_ISREG(there.st_mode)) return create(path);  // a device takes bytes, but cannot be replaced
    TemporaryName hidden(path);
    const int descriptor = hidden.create(0644);
    if (descriptor < 0) return system_error("cannot create the capture '" + path + "'", errno);
    File file(descriptor, path, 0);
    file.hidden_ = std::move(hidden);
    return file;
}

Result<File> File::create_unnamed(const std::string& directory) {
    int descriptor = ::open(directory.c_str(), O_RDWR | O_TMPFILE | O_CLOEXEC, 0600);
    if (descriptor < 0 && (errno == EOPNOTSUPP || errno == EISDIR)) {  // some file systems only know files with a name
        std::string path = directory + "/sla-XXXXXX";
        descriptor = mkostemp(path.data(), O_CLOEXEC);
        if (descriptor >= 0) unlink(path.c_str());
    }
    if (descriptor < 0) return system_error("cannot create a file in '" + directory + "'", errno);
    return File(descriptor, directory + "/(unnamed)", 0);
}

Result<File> File::read_while_written() const {
    const int descriptor = fcntl(descriptor_, F_DUPFD_CLOEXEC, 0);
    if (descriptor < 0) return system_error("cannot read the capture '" + path_ + "'", errno);
    return File(descriptor, path_, std::numeric_limits<std::uint64_t>::max());
}

namespace {

// What was meant may be an agent.
Error not_opened(const std::string& path, int why) {
    if (why == ENXIO) return unavailable("'" + path + "' is a socket; for the agent behind it write unix:" + path);
    const std::size_t colon = path.find_last_not_of("0123456789");
    const bool port = colon != std::string::npos && colon == path.find(':') && colon + 1 < path.size();
    if (why == ENOENT && port && path.find('/') == std::string::npos)
        return unavailable("there is no capture '" + path + "'; for an agent there write tcp:" + path);
    return system_error("cannot open the capture '" + path + "'", why);
}

}  // namespace

Result<File> File::open(const std::string& path) {
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (descriptor < 0) return not_opened(path, errno);
    File file(descriptor, path, 0);
    struct stat info {};
    if (fstat(descriptor, &info) != 0) return system_error("cannot look at the capture '" + path + "'", errno);
    if (!S_ISREG(info.st_mode)) return invalid_input("'" + path + "' is not a file: a capture must be one");
    file.bytes_ = static_cast<std::uint64_t>(info.st_size);
    return file;
}

Result<File> File::open_to_append(const std::string& path, std::uint64_t bytes) {
    const int descriptor = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
    if (descriptor < 0) return not_opened(path, errno);
    File file(descriptor, path, bytes);
    if (Result<void> locked = file.lock(); !locked) return locked.error();
    const auto end = static_cast<off_t>(bytes);
    if (ftruncate(descriptor, end) != 0 || lseek(descriptor, end, SEEK_SET) != end)
        return system_error("cannot go on with the capture '" + path + "'", errno);
    return file;
}

bool File::is_written(const std::string& path) {
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (descriptor < 0) return false;
    return !File(descriptor, path, 0).lock();
}

Result<void> File::append(std::string_view data) {
    const std::uint64_t start = bytes_;
    while (!data.empty()) {
        const ssize_t written = ::write(descriptor_, data.data(), data.size());
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) {
            const int why = errno;
            if (ftruncate(descriptor_, static_cast<off_t>(start)) == 0) {
                lseek(descriptor_, static_cast<off_t>(start), SEEK_SET);
                bytes_ = start;
            }
            (void)flock(descriptor_, LOCK_UN);  // nothing more is written to it: whoever brings it to its end may
            return system_error("cannot write to the capture '" + path_ + "'", why);
        }
        bytes_ += static_cast<std::uint64_t>(written);
        data.remove_prefix(static_cast<std::size_t>(written));
    }
    return {};
}

Result<void> File::finish() {
    // What cannot be synced (a device, a pipe) has nothing to wait for.
    const bool synced = fdatasync(descriptor_) == 0 || errno == EINVAL || errno == EROFS;
    const int sync_error = errno;
    const bool closed = ::close(std::exchange(descriptor_, -1)) == 0;
    if (!synced) return system_error("cannot save the capture '" + path_ + "'", sync_error);
    if (!closed) return system_error("cannot close the capture '" + path_ + "'", errno);
    return hidden_.empty() ? Result<void>() : hidden_.take_its_place();
}

int File::release() {
    fcntl(descriptor_, F_SETFD, 0);
    return std::exchange(descriptor_, -1);
}

std::size_t File::read_at(std::uint64_t offset, char* out, std::size_t size) const {
    if (offset >= bytes_) return 0;
    size = static_cast<std::size_t>(std::min<std::uint64_t>(size, bytes_ - offset));
    std::size_t done = 0;
    while (done < size) {
        const ssize_t got = pread(descriptor_, out + done, size - done, static_cast<off_t>(offset + done));
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) break;
        done += static_cast<std::size_t>(got);
    }
    return done;
}

}  // namespace sla::capture
