#include "viewer/process/unnamed_file.h"

#include <sys/mman.h>
#include <unistd.h>

namespace sla::process {

UnnamedFile::UnnamedFile() : fd_(memfd_create("sla-lines", MFD_CLOEXEC)) {}

UnnamedFile::~UnnamedFile() {
    if (fd_ >= 0) close(fd_);
}

std::string UnnamedFile::path() const {
    return "/proc/" + std::to_string(getpid()) + "/fd/" + std::to_string(fd_);
}

std::string UnnamedFile::text() const {
    std::string all;
    char piece[65536];
    for (ssize_t got = 0; (got = pread(fd_, piece, sizeof piece, static_cast<off_t>(all.size()))) > 0;)
        all.append(piece, static_cast<std::size_t>(got));
    return all;
}

}  // namespace sla::process
