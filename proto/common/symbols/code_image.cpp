#include "proto/common/symbols/code_image.h"

#include <gelf.h>

#include <memory>
#include <utility>

namespace sla::symbol {

namespace {

struct EndImage {
    void operator()(Elf* elf) const { elf_end(elf); }
};

bool is_within(const GElf_Phdr& part, std::size_t size) {
    return part.p_offset <= size && part.p_filesz <= size - part.p_offset;
}

}  // namespace

Result<void> CodeImage::add_file(const std::string& typed) {
    auto file = read_file_at(typed, "--code", "code");
    if (!file.ok()) return file.error();
    const auto elf = add_elf(*file);
    if (!elf.ok()) return elf.error();
    if (*elf) return {};
    if (file->content.empty()) return damaged("'" + file->path + "' is empty: it has no code");
    if (!file->base) {
        return invalid_input("--code " + typed +
                             ": it is no ELF program; behind @ stands where its first byte lies, as in boot.bin@0xff000 (a "
                             "firmware image ends at 0x100000)");
    }
    add(*file->base, {file->content.begin(), file->content.end()});
    return {};
}

Result<bool> CodeImage::add_elf(const FileAt& file) {
    auto added = add_elf(file.content, file.base.value_or(0));
    if (!added.ok()) return Error{added.error().code, "'" + file.path + "': " + added.error().message};
    return added;
}

Result<bool> CodeImage::add_elf(std::string_view content, std::uint64_t base) {
    constexpr std::string_view kElf("\177ELF");
    if (!content.starts_with(kElf)) return false;
    elf_version(EV_CURRENT);
    std::string image(content);  // libelf wants to be able to write
    const std::unique_ptr<Elf, EndImage> elf(elf_memory(image.data(), image.size()));
    GElf_Ehdr header;
    std::size_t count = 0;
    if (elf == nullptr || gelf_getehdr(elf.get(), &header) == nullptr || elf_getphdrnum(elf.get(), &count) != 0)
        return damaged("it is a damaged ELF file");
    for (std::size_t i = 0; i < count; ++i) {
        GElf_Phdr part;
        if (gelf_getphdr(elf.get(), static_cast<int>(i), &part) == nullptr) continue;
        if (part.p_type != PT_LOAD || (part.p_flags & PF_X) == 0 || !is_within(part, content.size())) continue;
        const std::string_view bytes = content.substr(part.p_offset, part.p_filesz);
        add(part.p_vaddr + base, {bytes.begin(), bytes.end()});
    }
    is_64_ = is_64_ || gelf_getclass(elf.get()) == ELFCLASS64;
    is_fixed_ = is_fixed_ && header.e_type == ET_EXEC;
    return true;
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
