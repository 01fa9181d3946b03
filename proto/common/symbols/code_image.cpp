#include "proto/common/symbols/code_image.h"

#include <gelf.h>

#include <utility>

namespace sla::symbol {

Result<void> CodeImage::add_file(const std::string& typed) {
    auto file = read_file_at(typed, "--code", "code");
    if (!file.ok()) return file.error();
    if (file->elf) return add_elf(*file);
    if (file->content.empty()) return damaged("'" + file->path + "' is empty: it has no code");
    if (!file->base) {
        return invalid_input("--code " + typed +
                             ": it is no ELF program; behind @ stands where its first byte lies, as in boot.bin@0xff000 (a "
                             "firmware image ends at 0x100000)");
    }
    add(*file->base, {file->content.begin(), file->content.end()});
    return {};
}

Result<void> CodeImage::add_elf(const FileAt& file) {
    const auto added = file.elf ? add_elf(*file.elf, file.base.value_or(0)) : Result<void>();
    if (!added.ok()) return in_file(file.path, added.error());
    return {};
}

Result<void> CodeImage::add_elf(const ElfFile& file, std::uint64_t base) {
    Elf* elf = file.get();
    GElf_Ehdr header;
    std::size_t count = 0;
    if (gelf_getehdr(elf, &header) == nullptr || elf_getphdrnum(elf, &count) != 0)
        return damaged("it is a damaged ELF file");
    for (std::size_t i = 0; i < count; ++i) {
        GElf_Phdr part;
        if (gelf_getphdr(elf, static_cast<int>(i), &part) == nullptr) continue;
        if (part.p_type != PT_LOAD || (part.p_flags & PF_X) == 0) continue;
        // Null: it is not within the file.
        const Elf_Data* bytes =
            elf_getdata_rawchunk(elf, static_cast<std::int64_t>(part.p_offset), part.p_filesz, ELF_T_BYTE);
        if (bytes == nullptr || bytes->d_buf == nullptr) continue;
        const auto* first = static_cast<const std::uint8_t*>(bytes->d_buf);
        add(part.p_vaddr + base, {first, first + bytes->d_size});
    }
    is_64_ = is_64_ || gelf_getclass(elf) == ELFCLASS64;
    is_fixed_ = is_fixed_ && header.e_type == ET_EXEC;
    return {};
}

void CodeImage::add(std::uint64_t address, std::vector<std::uint8_t> bytes) {
    if (!bytes.empty()) parts_.emplace(address, std::move(bytes));
}

std::span<const std::uint8_t> CodeImage::from(std::uint64_t address) const {
    auto found = parts_.upper_bound(address);
    if (found == parts_.begin()) return {};
    --found;
    const std::uint64_t within = address - found->first;
    if (within >= found->second.size()) return {};
    return std::span(found->second).subspan(within);
}

}  // namespace sla::symbol
