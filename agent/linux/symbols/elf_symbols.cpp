#include "agent/linux/symbols/elf_symbols.h"

#include "proto/common/symbols/elf_file.h"
#include "proto/common/symbols/symbols.h"

#include <gelf.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <memory>

namespace sla::linux {
namespace {

struct Segment {
    std::uint64_t address, offset, bytes;
    bool executable;
};

std::vector<Segment> segments_of(Elf* elf) {
    std::vector<Segment> segments;
    std::size_t count = 0;
    if (elf_getphdrnum(elf, &count) != 0) return segments;
    for (std::size_t i = 0; i < count; i++) {
        GElf_Phdr header;
        if (gelf_getphdr(elf, static_cast<int>(i), &header) == nullptr || header.p_type != PT_LOAD) continue;
        segments.push_back({header.p_vaddr, header.p_offset, header.p_filesz, (header.p_flags & PF_X) != 0});
    }
    return segments;
}

// Where an address stands in the file; nothing when the file does not hold it.
std::optional<std::uint64_t> offset_of(const std::vector<Segment>& segments, std::uint64_t address) {
    for (const Segment& segment : segments) {
        if (address >= segment.address && address - segment.address < segment.bytes)
            return address - segment.address + segment.offset;
    }
    return std::nullopt;
}

void read_symbols(Elf* elf, Elf_Scn* section, const GElf_Shdr& header, const std::vector<Segment>& segments,
                  ProgramFile& file) {
    Elf_Data* data = elf_getdata(section, nullptr);
    if (data == nullptr || header.sh_entsize == 0) return;
    const std::uint64_t count = header.sh_size / header.sh_entsize;
    for (std::uint64_t i = 0; i < count; i++) {
        GElf_Sym symbol;
        if (gelf_getsym(data, static_cast<int>(i), &symbol) == nullptr) break;
        if (symbol.st_value == 0 || symbol.st_shndx == SHN_UNDEF) continue;
        const char* name = elf_strptr(elf, header.sh_link, symbol.st_name);
        if (name == nullptr || *name == '\0') continue;
        if (GELF_ST_TYPE(symbol.st_info) == STT_OBJECT) file.variables.push_back({name, symbol.st_value, symbol.st_size});
        if (GELF_ST_TYPE(symbol.st_info) != STT_FUNC) continue;
        const auto offset = offset_of(segments, symbol.st_value);
        if (offset) file.functions.push_back({name, symbol.st_value, symbol.st_size, *offset});
    }
}

// Prelinking moves addresses: the note says where it thought .stapsdt.base was.
void read_notes(Elf_Scn* section, std::uint64_t base_now, const std::vector<Segment>& segments,
                std::vector<UsdtProbe>& probes) {
    constexpr std::uint32_t kStapsdt = 3;
    Elf_Data* data = elf_getdata(section, nullptr);
    if (data == nullptr) return;
    GElf_Nhdr note;
    std::size_t name_at = 0;
    std::size_t description_at = 0;
    for (std::size_t at = 0; (at = gelf_getnote(data, at, &note, &name_at, &description_at)) > 0;) {
        const auto* bytes = static_cast<const std::byte*>(data->d_buf);
        const bool is_stapsdt = note.n_namesz == 8 && std::memcmp(bytes + name_at, "stapsdt", 8) == 0;
        if (note.n_type != kStapsdt || !is_stapsdt) continue;
        auto probe = parse_usdt_note({bytes + description_at, note.n_descsz});
        if (!probe) continue;
        const std::uint64_t moved = base_now != 0 && probe->base != 0 ? base_now - probe->base : 0;
        probe->address += moved;
        if (probe->semaphore != 0) probe->semaphore += moved;
        const auto offset = offset_of(segments, probe->address);
        if (!offset) continue;
        probe->file_offset = *offset;
        probe->semaphore_offset = probe->semaphore != 0 ? offset_of(segments, probe->semaphore).value_or(0) : 0;
        probes.push_back(std::move(*probe));
    }
}

void read_sections(Elf* elf, const std::vector<Segment>& segments, ProgramFile& file) {
    std::size_t names = 0;
    if (elf_getshdrstrndx(elf, &names) != 0) return;
    std::uint64_t base = 0;
    std::vector<Elf_Scn*> notes;
    file.stripped = true;
    for (Elf_Scn* section = nullptr; (section = elf_nextscn(elf, section)) != nullptr;) {
        GElf_Shdr header;
        if (gelf_getshdr(section, &header) == nullptr) continue;
        const char* name = elf_strptr(elf, names, header.sh_name);
        if (header.sh_type == SHT_SYMTAB) file.stripped = false;
        if (header.sh_type == SHT_SYMTAB || header.sh_type == SHT_DYNSYM) read_symbols(elf, section, header, segments, file);
        if (name == nullptr) continue;
        if (std::strcmp(name, ".stapsdt.base") == 0) base = header.sh_addr;
        if (std::strcmp(name, ".note.stapsdt") == 0) notes.push_back(section);
    }
    for (Elf_Scn* section : notes) read_notes(section, base, segments, file.probes);
}

}  // namespace

std::optional<UsdtProbe> parse_usdt_note(std::span<const std::byte> description) {
    constexpr std::size_t kNumbers = 3 * sizeof(std::uint64_t);
    if (description.size() < kNumbers) return std::nullopt;
    UsdtProbe probe;
    std::memcpy(&probe.address, description.data(), sizeof probe.address);
    std::memcpy(&probe.base, description.data() + 8, sizeof probe.base);
    std::memcpy(&probe.semaphore, description.data() + 16, sizeof probe.semaphore);
    std::string_view texts(reinterpret_cast<const char*>(description.data()) + kNumbers, description.size() - kNumbers);
    for (std::string* text : {&probe.provider, &probe.name, &probe.arguments}) {
        const std::size_t end = texts.find('\0');
        if (end == std::string_view::npos) return std::nullopt;
        *text = texts.substr(0, end);
        texts.remove_prefix(end + 1);
    }
    if (probe.provider.empty() || probe.name.empty()) return std::nullopt;
    return probe;
}

Result<ProgramFile> read_program_file(const std::string& path) {
    const std::unique_ptr<char, decltype(&std::free)> absolute(::realpath(path.c_str(), nullptr), &std::free);
    if (!absolute) {
        if (errno == ENOENT)
            return not_found("there is no file " + path + "; if it was deleted while it runs, give the new one's path");
        return system_error("cannot find " + path, errno);
    }
    return read_program_below(absolute.get());
}

Result<ProgramFile> read_program_below(const std::string& path) {
    ProgramFile file;
    file.path = path;
    const Result<std::optional<symbol::ElfFile>> opened = symbol::ElfFile::open(path);
    if (!opened) return opened.error();
    if (!*opened && ::access(path.c_str(), R_OK) != 0) return system_error("cannot read " + path, errno);
    if (!*opened)
        return invalid_input(path + " is not a program or library (no ELF file); a script's functions cannot be hooked");
    Elf* const elf = (*opened)->get();
    if (gelf_getclass(elf) != ELFCLASS64)
        return invalid_input(file.path + " is not a 64-bit program; only those can be hooked");
    const std::vector<Segment> segments = segments_of(elf);
    for (const Segment& segment : segments) {
        file.parts.push_back({segment.address, segment.offset, segment.bytes});
        if (segment.executable) file.code.emplace_back(segment.offset, segment.offset + segment.bytes);
    }
    read_sections(elf, segments, file);
    std::sort(file.functions.begin(), file.functions.end(), [](const Function& a, const Function& b) {
        return a.address != b.address ? a.address < b.address : a.name < b.name;
    });
    const auto same = [](const Function& a, const Function& b) { return a.address == b.address && a.name == b.name; };
    file.functions.erase(std::unique(file.functions.begin(), file.functions.end(), same), file.functions.end());
    const auto by_name = [](const Variable& a, const Variable& b) { return a.name < b.name; };
    std::sort(file.variables.begin(), file.variables.end(), by_name);
    return file;
}

const Variable* ProgramFile::find_variable(std::string_view name) const {
    for (const Variable& variable : variables) {
        if (variable.name == name || (variable.name.starts_with("_Z") && symbol::readable_name(variable.name) == name))
            return &variable;
    }
    return nullptr;
}

const Function* ProgramFile::find_function(std::string_view name) const {
    for (const Function& function : functions) {
        if (function.name == name) return &function;
    }
    for (const Function& function : functions) {
        if (!function.name.starts_with("_Z")) continue;
        const std::string readable = symbol::readable_name(function.name);
        if (readable == name || readable.substr(0, readable.find('(')) == name) return &function;
    }
    return nullptr;
}

const Function* ProgramFile::function_at(std::uint64_t address) const {
    auto after = std::upper_bound(functions.begin(), functions.end(), address,
                                  [](std::uint64_t at, const Function& function) { return at < function.address; });
    if (after == functions.begin()) return nullptr;
    const Function& function = *--after;
    return address - function.address < std::max<std::uint64_t>(function.size, 1) ? &function : nullptr;
}

bool ProgramFile::is_code(std::uint64_t file_offset) const {
    return std::any_of(code.begin(), code.end(),
                       [&](const auto& part) { return file_offset >= part.first && file_offset < part.second; });
}

}  // namespace sla::linux
