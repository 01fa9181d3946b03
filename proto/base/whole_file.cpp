#include "proto/base/whole_file.h"

#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <memory>
#include <utility>

namespace sla {

namespace {

struct CloseFile {
    void operator()(std::FILE* file) const { std::fclose(file); }
};

// What the system says its length is and a byte more, with which its end is noticed; files of /proc say 0.
std::size_t expected_bytes(std::FILE* file) {
    constexpr std::size_t kLeast = 4096;
    struct stat about {};
    if (fstat(fileno(file), &about) != 0 || about.st_size <= 0) return kLeast;
    return static_cast<std::size_t>(about.st_size) + 1;
}

}  // namespace

Result<std::optional<std::string>> read_file_if_there(const std::string& path, std::size_t most) {
    const std::unique_ptr<std::FILE, CloseFile> file(std::fopen(path.c_str(), "rbe"));
    if (!file && errno == ENOENT) return std::optional<std::string>();
    if (!file) return system_error("cannot open '" + path + "'", errno);
    std::setvbuf(file.get(), nullptr, _IONBF, 0);
    std::string bytes;
    std::size_t done = 0;
    for (std::size_t wanted = expected_bytes(file.get()); done <= most; wanted = done * 2) {
        bytes.resize(most == kAnyLength ? wanted : std::min(wanted, most + 1));
        done += std::fread(bytes.data() + done, 1, bytes.size() - done, file.get());
        if (done < bytes.size()) break;
    }
    if (std::ferror(file.get()) != 0) return system_error("cannot read '" + path + "'", errno);
    if (done > most) return damaged("'" + path + "' is longer than " + std::to_string(most) + " bytes");
    bytes.resize(done);
    return std::optional<std::string>(std::move(bytes));
}

Result<std::string> read_whole_file(const std::string& path, std::size_t most) {
    Result<std::optional<std::string>> bytes = read_file_if_there(path, most);
    if (!bytes) return bytes.error();
    if (!*bytes) return system_error("cannot open '" + path + "'", ENOENT);
    return std::move(**bytes);
}

}  // namespace sla
