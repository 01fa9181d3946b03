#include "emu/machine/image_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <xxhash.h>

#include <algorithm>
#include <cerrno>
#include <vector>

namespace sla::machine {

Result<std::unique_ptr<ImageFile>> ImageFile::open(const std::string& path, Writes writes) {
    const int access = writes == Writes::kToFile ? O_RDWR : O_RDONLY;
    const int descriptor = ::open(path.c_str(), access | O_CLOEXEC | O_NONBLOCK);  // a pipe is refused, not waited for
    if (descriptor < 0) return system_error("cannot open the disk image " + path, errno);
    struct stat status {};
    std::unique_ptr<ImageFile> image(new ImageFile(descriptor, 0, writes));
    if (::fstat(descriptor, &status) != 0) return system_error("cannot look at the disk image " + path, errno);
    if (!S_ISREG(status.st_mode)) return invalid_input(path + " is not a file; give a disk image");
    if (status.st_size == 0 || status.st_size % static_cast<off_t>(device::kSectorBytes) != 0) {
        return invalid_input("the disk image " + path + " has " + std::to_string(status.st_size) +
                             " bytes; a disk consists of whole sectors of 512. Is it cut off?");
    }
    image->sectors_ = static_cast<std::uint64_t>(status.st_size) / device::kSectorBytes;
    return image;
}

ImageFile::~ImageFile() {
    ::close(descriptor_);
}

bool ImageFile::read(std::uint64_t number, device::Sector to) {
    if (const auto* found = written_.find(number)) {
        std::copy(found->begin(), found->end(), to.begin());
        return true;
    }
    const auto offset = static_cast<off_t>(number * device::kSectorBytes);
    return ::pread(descriptor_, to.data(), to.size(), offset) == static_cast<ssize_t>(to.size());
}

bool ImageFile::write(std::uint64_t number, device::ConstSector from) {
    if (writes_ == Writes::kForgotten) {
        std::copy(from.begin(), from.end(), written_.at(number).begin());
        return true;
    }
    const auto offset = static_cast<off_t>(number * device::kSectorBytes);
    return ::pwrite(descriptor_, from.data(), from.size(), offset) == static_cast<ssize_t>(from.size());
}

Result<std::uint64_t> ImageFile::checksum() {
    constexpr std::size_t kChunk = 1U << 20;
    if (checksum_) return *checksum_;
    std::vector<std::uint8_t> chunk(kChunk);
    std::uint64_t sum = 0;
    for (off_t at = 0;;) {
        const ssize_t got = ::pread(descriptor_, chunk.data(), chunk.size(), at);
        if (got < 0) return system_error("cannot read the disk image", errno);
        if (got == 0) break;
        sum = XXH64(chunk.data(), static_cast<std::size_t>(got), sum);
        at += got;
    }
    checksum_ = sum;
    return sum;
}

}  // namespace sla::machine
