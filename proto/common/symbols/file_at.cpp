#include "proto/common/symbols/file_at.h"

#include "proto/base/text.h"
#include "proto/base/whole_file.h"

#include <cerrno>
#include <utility>

namespace sla::symbol {

namespace {

constexpr std::size_t kMost = std::size_t{64} << 20;  // far more than maps and firmware have; a device may have no end

}  // namespace

std::optional<std::uint64_t> hexadecimal(std::string_view word) {
    if (word.starts_with("0x") || word.starts_with("0X")) word.remove_prefix(2);
    constexpr int kBase = 16;
    return whole_number<std::uint64_t>(word, kBase);
}

Result<FileAt> read_file_at(const std::string& typed, std::string_view option, std::string_view what) {
    FileAt out{typed, {}, {}, {}};
    if (const std::size_t at = typed.rfind('@'); at != std::string::npos) {
        const auto number = hexadecimal(std::string_view(typed).substr(at + 1));
        if (!number || *number > 0xFFFFFFFF) {
            return invalid_input(std::string(option) + " " + typed +
                                 ": behind @ stands the address to be added, as in boot.map@0xf0000");
        }
        out.base = static_cast<std::uint32_t>(*number);
        out.path.resize(at);
    }
    Result<std::optional<ElfFile>> elf = ElfFile::open(out.path);
    if (!elf) return elf.error();
    if (*elf) {
        out.elf.emplace(std::move(**elf));
        return out;
    }
    Result<std::optional<std::string>> content = read_file_if_there(out.path, kMost);
    if (!content) return content.error();
    if (!*content) return system_error("cannot open " + std::string(what) + " '" + out.path + "'", ENOENT);
    out.content = std::move(**content);
    return out;
}

}  // namespace sla::symbol
