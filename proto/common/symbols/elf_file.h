// A program file (ELF), of which only what is asked for is read: those with debug information are hundreds of megabytes long.
#pragma once

#include "proto/base/result.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>

struct Elf;  // of libelf

namespace sla::symbol {

// "'PATH': MESSAGE"
Error in_file(const std::string& path, const Error& error);

class ElfFile {
public:
    static bool is_elf(std::string_view content) { return content.starts_with("\177ELF"); }
    // Nothing: it cannot be opened, or it is no ELF file (a pipe never is). Errors name the file.
    static Result<std::optional<ElfFile>> open(const std::string& path);
    static Result<ElfFile> from(std::string content);
    ~ElfFile();
    ElfFile(ElfFile&& other) noexcept;
    ElfFile& operator=(ElfFile&&) = delete;

    [[nodiscard]] Elf* get() const { return elf_; }

private:
    ElfFile(int fd, std::unique_ptr<std::string> image);

    int fd_;                              // -1: it is in memory
    std::unique_ptr<std::string> image_;  // libelf wants to be able to write there
    Elf* elf_;                            // null: damaged
};

}  // namespace sla::symbol
