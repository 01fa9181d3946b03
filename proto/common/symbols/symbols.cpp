#include "proto/common/symbols/symbols.h"

#include "proto/base/text.h"
#include "proto/common/symbols/file_at.h"

#include <cxxabi.h>
#include <gelf.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <iterator>
#include <memory>
#include <optional>
#include <vector>

namespace sla::symbol {

namespace {

constexpr std::uint32_t kFarthest = 64 * 1024;  // from a symbol: what is farther away has a name of its own, or none
constexpr std::size_t kLongestName = 200;

bool is_name(std::string_view word) {
    if (word.empty() || word.size() > kLongestName || (word[0] >= '0' && word[0] <= '9')) return false;
    for (const char c : word) {
        const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
        if (!letter && std::string_view("_.$@?~").find(c) == std::string_view::npos) return false;
    }
    return true;
}

bool is_kept(const GElf_Sym& symbol) {
    const int type = GELF_ST_TYPE(symbol.st_info);
    return symbol.st_shndx != SHN_UNDEF && symbol.st_shndx != SHN_ABS &&
           (type == STT_FUNC || type == STT_NOTYPE || type == STT_OBJECT);
}

}  // namespace

std::string readable_name(const std::string& symbol) {
    int status = 0;
    const std::unique_ptr<char, decltype(&std::free)> name(abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status),
                                                           &std::free);
    return status == 0 && name ? name.get() : symbol;
}

Result<void> Symbols::add_file(const std::string& typed) {
    auto file = read_file_at(typed, "--symbols", "symbols");
    if (!file.ok()) return file.error();
    const std::string& path = file->path;
    const std::size_t before = names_.size();
    const std::uint32_t base = file->base.value_or(0);
    if (auto added = file->elf ? add_elf(*file->elf, base) : add(std::move(file->content), base); !added.ok())
        return in_file(path, added.error());
    if (names_.size() > before) return {};
    return damaged("'" + path +
                   "' has no symbols: an ELF file that is not stripped, a map of NASM's ([map all F]) or GNU ld's "
                   "(-Map), or lines of ADDRESS NAME");
}

Result<void> Symbols::add(std::string content, std::uint32_t base) {
    if (ElfFile::is_elf(content)) {
        const auto file = ElfFile::from(std::move(content));
        return file.ok() ? add_elf(*file, base) : Result<void>(file.error());
    }
    bool constants = false;  // of NASM's map: they are no places
    for (std::string_view left = content; !left.empty();) {
        const std::string_view line = take_line(left);
        if (line.starts_with("---- ")) constants = line.starts_with("---- No Section");
        if (!constants) add_line(line, base);
    }
    return {};
}

// The name last, the address before it (NASM has two of them, and the second is where it runs), or with nm's letter between.
bool Symbols::add_line(std::string_view line, std::uint32_t base) {
    const std::vector<std::string_view> words = split_words(line);
    if (words.size() < 2 || words.size() > 3 || !is_name(words.back())) return false;
    const bool lettered = words.size() == 3 && words[1].size() == 1 && !(words[1][0] >= '0' && words[1][0] <= '9');
    if (words.size() == 3 && !lettered && !hexadecimal(words[0])) return false;
    const auto address = hexadecimal(lettered ? words[0] : words[words.size() - 2]);
    if (!address || *address > 0xFFFFFFFF) return false;
    names_.emplace(static_cast<std::uint32_t>(*address) + base, words.back());
    return true;
}

Result<void> Symbols::add_elf(const ElfFile& file, std::uint32_t base) {
    for (Elf_Scn* section = nullptr; (section = elf_nextscn(file.get(), section)) != nullptr;) {
        GElf_Shdr header;
        if (gelf_getshdr(section, &header) == nullptr || header.sh_type != SHT_SYMTAB) continue;
        Elf_Data* data = elf_getdata(section, nullptr);
        if (data == nullptr || header.sh_entsize == 0) continue;
        const auto count = static_cast<int>(data->d_size / header.sh_entsize);
        for (int i = 0; i < count; ++i) {
            GElf_Sym symbol;
            if (gelf_getsym(data, i, &symbol) == nullptr || !is_kept(symbol) || symbol.st_value > 0xFFFFFFFF) continue;
            const char* name = elf_strptr(file.get(), header.sh_link, symbol.st_name);
            if (name != nullptr && is_name(name)) names_.emplace(static_cast<std::uint32_t>(symbol.st_value) + base, name);
        }
    }
    return {};
}

// The last one below; the end: it is too far away.
Symbols::Names::const_iterator Symbols::below(std::uint32_t linear) const {
    auto found = names_.upper_bound(linear);
    if (found == names_.begin()) return names_.end();
    --found;
    return linear - found->first > kFarthest ? names_.end() : found;
}

std::string Symbols::name_of(std::uint32_t linear) const {
    const auto found = below(linear);
    if (found == names_.end()) return "";
    const std::uint32_t beyond = linear - found->first;
    if (beyond == 0) return found->second;
    std::array<char, 9> digits{};
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), beyond, 16).ptr;
    return found->second + "+0x" + std::string(digits.data(), end);
}

std::vector<std::string> Symbols::names() const {
    std::vector<std::string> all;
    for (const auto& [address, name] : names_) all.push_back(name);
    return all;
}

// NASM's local labels, main.loop, are parts of what they stand in.
std::string Symbols::function_of(std::uint16_t selector, std::uint32_t offset) const {
    const auto found = below(segment_base(selector) + offset);
    if (found == names_.end()) return "";
    const std::size_t dot = found->second.find('.', 1);
    if (dot == std::string::npos) return found->second;
    const std::string whole = found->second.substr(0, dot);
    for (auto at = found; at->second.starts_with(whole); --at) {
        if (at->second == whole) return whole;
        if (at->second[dot] != '.' || at == names_.begin()) break;
    }
    return found->second;
}

std::optional<std::uint32_t> Symbols::address_of(std::string_view name) const {
    const auto found =
        std::find_if(names_.begin(), names_.end(), [name](const auto& entry) { return entry.second == name; });
    return found == names_.end() ? std::nullopt : std::optional(found->first);
}

// NASM's local labels, main.loop, are parts of what they stand in.
std::vector<Symbols::Extent> Symbols::extents_of(std::string_view name, bool cut_off) const {
    std::vector<Extent> out;
    for (auto at = names_.begin(); at != names_.end(); ++at) {
        const std::string known = at->second.starts_with("_Z") ? readable_name(at->second) : at->second;
        if (at->second != name && known != name && !(cut_off && known.starts_with(name))) continue;
        const std::string within = at->second + ".";
        const auto next =
            std::find_if(std::next(at), names_.end(), [&](const auto& entry) { return !entry.second.starts_with(within); });
        const std::uint64_t most = std::uint64_t{at->first} + kFarthest;
        out.push_back({at->first, next == names_.end() ? most : std::min<std::uint64_t>(next->first, most)});
    }
    return out;
}

std::string Symbols::name_of(std::uint16_t selector, std::uint32_t offset) const {
    return name_of(segment_base(selector) + offset);
}

}  // namespace sla::symbol
