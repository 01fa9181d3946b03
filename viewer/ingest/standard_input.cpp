#include "viewer/ingest/standard_input.h"

#include "proto/base/wait_for_input.h"
#include "proto/capture/file.h"
#include "viewer/ingest/spill.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <vector>

namespace sla::ingest {

namespace {

std::string path_of(int fd) {
    return std::string(kDescriptors) + std::to_string(fd);
}

}  // namespace

Result<std::string> keep_standard_input(const std::function<bool()>& goes_on) {
    struct stat status {};
    if (fstat(STDIN_FILENO, &status) != 0) return system_error("cannot read standard input", errno);
    if (S_ISREG(status.st_mode)) {
        const int fd = dup(STDIN_FILENO);
        return fd < 0 ? Result<std::string>(system_error("cannot read standard input", errno)) : path_of(fd);
    }
    if (isatty(STDIN_FILENO) == 1)
        return invalid_input("'-' is standard input, and nothing is piped into it, as in: zcat c.sla.gz | sla stats -");
    auto file = capture::File::create_unnamed(default_spill_directory());
    if (!file.ok()) return file.error();
    constexpr std::chrono::milliseconds kLook{100};
    std::vector<char> bytes(std::size_t{1} << 20);
    for (;;) {
        const ssize_t got = read(STDIN_FILENO, bytes.data(), bytes.size());
        const int failed = got < 0 ? errno : 0;
        if (got == 0) return path_of(file->release());
        if (!goes_on()) return unavailable("interrupted while reading standard input");
        if (failed == EAGAIN) wait_for_input(STDIN_FILENO, kLook);
        if (failed == EAGAIN || failed == EINTR) continue;
        if (failed != 0) return system_error("cannot read standard input", failed);
        const std::string_view piece(bytes.data(), static_cast<std::size_t>(got));
        if (Result<void> written = file->append(piece); !written.ok()) return written.error();
    }
}

}  // namespace sla::ingest
