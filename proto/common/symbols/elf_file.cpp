#include "proto/common/symbols/elf_file.h"

#include <fcntl.h>
#include <libelf.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <utility>

namespace sla::symbol {

namespace {

Error damaged_elf() {
    return damaged("it is a damaged ELF file");
}

bool begins_as_elf(int fd) {
    std::array<char, 4> head{};
    struct stat about {};
    return fstat(fd, &about) == 0 && S_ISREG(about.st_mode) &&
           pread(fd, head.data(), head.size(), 0) == static_cast<ssize_t>(head.size()) &&
           ElfFile::is_elf({head.data(), head.size()});
}

}  // namespace

Error in_file(const std::string& path, const Error& error) {
    return {error.code, "'" + path + "': " + error.message};
}

ElfFile::ElfFile(int fd, std::unique_ptr<std::string> image) : fd_(fd), image_(std::move(image)), elf_(nullptr) {
    elf_version(EV_CURRENT);
    elf_ = image_ == nullptr ? elf_begin(fd_, ELF_C_READ, nullptr) : elf_memory(image_->data(), image_->size());
    if (elf_ == nullptr || elf_kind(elf_) == ELF_K_ELF) return;
    elf_end(elf_);
    elf_ = nullptr;
}

ElfFile::~ElfFile() {
    elf_end(elf_);
    if (fd_ >= 0) close(fd_);
}

ElfFile::ElfFile(ElfFile&& other) noexcept
    : fd_(std::exchange(other.fd_, -1)), image_(std::move(other.image_)), elf_(std::exchange(other.elf_, nullptr)) {}

Result<std::optional<ElfFile>> ElfFile::open(const std::string& path) {
    const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (fd < 0) return std::optional<ElfFile>();
    if (!begins_as_elf(fd)) {
        close(fd);
        return std::optional<ElfFile>();
    }
    ElfFile file(fd, nullptr);
    if (file.elf_ == nullptr) return in_file(path, damaged_elf());
    return std::optional<ElfFile>(std::move(file));
}

Result<ElfFile> ElfFile::from(std::string content) {
    ElfFile file(-1, std::make_unique<std::string>(std::move(content)));
    if (file.elf_ == nullptr) return damaged_elf();
    return file;
}

}  // namespace sla::symbol
