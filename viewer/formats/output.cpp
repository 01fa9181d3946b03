#include "viewer/formats/output.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <utility>
#include <vector>

namespace sla::formats {

namespace {

std::vector<std::string>& kept_files() {
    static std::vector<std::string> files;
    return files;
}

Error is_read(const std::string& path) {
    return invalid_input("'" + path + "' is what is read; name another file for what is written");
}

}  // namespace

void keep_from_outputs(const std::string& path) {
    kept_files().push_back(path);
}

void forget_kept_files() {
    kept_files().clear();
}

bool is_kept_from_outputs(const std::string& path) {
    return std::any_of(kept_files().begin(), kept_files().end(), [&](const std::string& kept) {
        std::error_code error;
        return std::filesystem::equivalent(kept, path, error) && std::filesystem::is_regular_file(path, error);
    });
}

Result<Output> Output::open(const std::string& path) {
    Output out;
    if (path.empty() || path == "-") {
        out.fd_ = STDOUT_FILENO;
        return out;
    }
    struct stat there {};
    const bool exists = stat(path.c_str(), &there) == 0;
    if (exists && S_ISDIR(there.st_mode)) return invalid_input("'" + path + "' is a directory; name a file in it");
    if (exists && is_kept_from_outputs(path)) return is_read(path);
    out.path_ = path;
    if (exists && !S_ISREG(there.st_mode)) {  // a device or a pipe takes bytes, but cannot be replaced
        out.fd_ = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
    } else {
        out.hidden_ = TemporaryName(path);
        out.fd_ = out.hidden_.create(0666);
    }
    if (out.fd_ < 0) return system_error("cannot write '" + path + "'", errno);
    return out;
}

Output Output::to_string(std::string& target) {
    Output out;
    out.target_ = &target;
    return out;
}

Output::Output(Output&& other) noexcept
    : path_(std::move(other.path_)),
      hidden_(std::move(other.hidden_)),
      target_(other.target_),
      fd_(std::exchange(other.fd_, -1)),
      closed_(other.closed_),
      bytes_(other.bytes_),
      past_cache_(other.past_cache_),
      behind_(std::move(other.behind_)) {}

Output::~Output() {
    behind_.reset();
    if (fd_ > STDOUT_FILENO) close(fd_);
}

Result<void> Output::write(std::string_view bytes) {
    bytes_ += bytes.size();
    if (target_ != nullptr) {
        target_->append(bytes);
        return {};
    }
    if (behind_ != nullptr) {
        if (auto written = note(behind_->drain()); !written.ok()) return written;
    }
    return closed_ ? Result<void>() : note(write_all(fd_, bytes));
}

Result<void> Output::take(ByteBuffer& buffer) {
    const std::size_t taken = buffer.size() - (wants_whole_blocks() ? buffer.size() % kBlock : 0);
    if (taken == 0) return {};
    if (target_ != nullptr || bytes_ == 0) {
        auto written = write(buffer.view().substr(0, taken));
        buffer.drop_front(taken);
        return written;
    }
    if (behind_ == nullptr) behind_ = std::make_unique<WriteBehind>(fd_);
    if (!past_cache_ && !hidden_.empty() && bytes_ >= kThroughCache) {
        write_past_cache(fd_);
        past_cache_ = true;
    }
    bytes_ += taken;
    return note(behind_->put(buffer, taken));
}

Result<void> Output::take(std::string& buffer) {
    auto written = write(buffer);
    buffer.clear();
    return written;
}

Result<void> Output::note(const Written& written) {
    closed_ = closed_ || written.is_closed;
    if (written.error == ECANCELED) return unavailable("stopped while " + name() + " took nothing");
    if (written.error != 0) return system_error("cannot write to " + name(), written.error);
    return {};
}

Result<void> Output::finish(std::string_view rest) {
    if (auto written = write(rest); !written.ok()) return written;  // and all that is under way
    if (hidden_.empty()) return {};
    if (is_kept_from_outputs(path_)) return is_read(path_);  // opened since
    if (fsync(fd_) != 0 && errno != EINVAL && errno != EROFS)
        return system_error("cannot write " + name() + " to disk", errno);
    return hidden_.take_its_place();
}

namespace fs = std::filesystem;

Result<OutputDirectory> OutputDirectory::create(const std::string& path) {
    if (path.empty() || path == "-")
        return invalid_input("this format is a directory of files and cannot go to standard output; name it with -o");
    std::error_code error;
    const bool there = fs::exists(path, error);
    if (there && !(fs::is_directory(path, error) && fs::is_empty(path, error)))
        return invalid_input("'" + path + "' is there already; remove it, or name another directory");
    TemporaryName hidden(path);
    fs::create_directory(hidden.path(), error);
    if (error) return unavailable("cannot make the directory '" + path + "': " + error.message());
    return OutputDirectory(std::move(hidden));
}

}  // namespace sla::formats
