#include "emu/machine/multiboot.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <vector>

namespace sla::machine {

namespace {

constexpr std::size_t kSearchBytes = 8192;  // the header lies in the first 8 KB
constexpr std::uint32_t kMagic = 0x1BADB002;
constexpr std::uint32_t kHasAddresses = 1U << 16;
constexpr std::uint32_t kMandatory = 0xFFFF;
constexpr std::uint32_t kKnown = 0x3;  // page-aligned modules, memory information

// Where the information lies: below the BIOS' old data area, above the interrupt table.
constexpr std::uint32_t kInformation = 0x1000;
constexpr std::uint32_t kMap = 0x1100;
constexpr std::uint32_t kLoaderName = 0x1180;
constexpr std::uint32_t kCommandLine = 0x1200;
constexpr std::uint32_t kFirstFree = 0x2000;
constexpr std::uint32_t kLowRamEnd = 0xA0000;

class Loader {
public:
    Loader(bus::Memory& memory, std::span<const std::uint8_t> file, std::string_view name)
        : memory_(memory), file_(file), name_(name) {}

    Result<LoadedKernel> load(std::string_view command_line) {
        const auto header = find_header();
        if (!header) return broken("has no Multiboot header in its first 8 KB; is it a kernel for another loader?");
        const std::uint32_t flags = dword(*header + 4);
        if ((flags & kMandatory & ~kKnown) != 0)
            return broken("demands a video mode or more, which this loader does not offer");
        auto entry = (flags & kHasAddresses) != 0 ? load_by_header(*header) : load_elf();
        if (!entry) return entry.error();
        if (auto described = describe(command_line); !described) return described.error();
        return LoadedKernel{*entry, kInformation};
    }

private:
    [[nodiscard]] Error broken(std::string_view what) const {
        return invalid_input("the kernel " + std::string(name_) + " " + std::string(what));
    }
    [[nodiscard]] bool inside(std::size_t offset, std::size_t bytes) const {
        return offset <= file_.size() && bytes <= file_.size() - offset;
    }
    // Little-endian fields; the caller has checked that they are inside.
    [[nodiscard]] std::uint32_t dword(std::size_t offset) const {
        return file_[offset] | file_[offset + 1] << 8U | file_[offset + 2] << 16U |
               static_cast<std::uint32_t>(file_[offset + 3]) << 24U;
    }
    [[nodiscard]] std::uint16_t word(std::size_t offset) const {
        return static_cast<std::uint16_t>(file_[offset] | file_[offset + 1] << 8U);
    }

    [[nodiscard]] std::optional<std::size_t> find_header() const {
        for (std::size_t at = 0; at + 12 <= std::min(file_.size(), kSearchBytes); at += 4) {
            if (dword(at) == kMagic && dword(at) + dword(at + 4) + dword(at + 8) == 0) return at;
        }
        return std::nullopt;
    }

    // Puts a part of the file at an address and zeros behind it.
    Result<void> place(std::uint32_t address, std::size_t offset, std::uint32_t from_file, std::uint32_t in_memory) {
        if (!inside(offset, from_file) || from_file > in_memory) return broken("is cut off: a segment lies behind its end");
        if (in_memory == 0) return {};
        const auto ram = memory_.at(address, in_memory);
        const bool firmware = address < bus::Memory::kMegabyte && std::uint64_t{address} + in_memory > kLowRamEnd;
        if (address < kFirstFree || firmware) {
            return broken("wants memory below 1 MB that the firmware has; link it at 1 MB");
        }
        if (address >= memory_.regions()[0].bytes.size() || ram.size() < in_memory) {
            return broken("wants memory that this PC does not have free; give it more with --memory");
        }
        std::copy_n(file_.begin() + static_cast<std::ptrdiff_t>(offset), from_file, ram.begin());
        std::fill(ram.begin() + from_file, ram.end(), std::uint8_t{0});
        return {};
    }

    Result<std::uint32_t> load_by_header(std::size_t header) {
        if (!inside(header, 32)) return broken("is cut off inside its Multiboot header");
        const std::uint32_t header_address = dword(header + 12);
        const std::uint32_t load = dword(header + 16);
        const std::uint32_t load_end = dword(header + 20);
        const std::uint32_t bss_end = dword(header + 24);
        if (load > header_address || header_address - load > header)
            return broken("has a Multiboot header with wrong addresses");
        const std::size_t offset = header - (header_address - load);
        const std::size_t rest = file_.size() - offset;
        if (load_end != 0 && load_end < load) return broken("has a Multiboot header that ends before it begins");
        const std::uint32_t bytes = load_end != 0 ? load_end - load : static_cast<std::uint32_t>(rest);
        const std::uint32_t total = bss_end > load && bss_end - load > bytes ? bss_end - load : bytes;
        if (auto placed = place(load, offset, bytes, total); !placed) return placed.error();
        return dword(header + 28);
    }

    Result<std::uint32_t> load_elf() {
        constexpr std::size_t kHeaderBytes = 52;
        constexpr std::size_t kSegmentBytes = 32;
        constexpr std::uint16_t kIntel386 = 3;
        constexpr std::uint32_t kLoadSegment = 1;
        const bool elf32 = inside(0, kHeaderBytes) &&
                           std::memcmp(file_.data(),
                                       "\x7F"
                                       "ELF\1\1",
                                       6) == 0 &&
                           word(18) == kIntel386;
        if (!elf32) return broken("is no 32-bit ELF file for the 386; link it with -m elf_i386");
        const std::uint32_t table = dword(28);
        const std::uint16_t entry_bytes = word(42);
        const std::uint16_t entries = word(44);
        if (entry_bytes < kSegmentBytes || !inside(table, std::size_t{entry_bytes} * entries)) {
            return broken("is cut off: its table of segments lies behind its end");
        }
        bool any = false;
        for (unsigned i = 0; i < entries; ++i) {
            const std::size_t at = table + std::size_t{entry_bytes} * i;
            if (dword(at) != kLoadSegment) continue;
            any = true;
            if (auto placed = place(dword(at + 12), dword(at + 4), dword(at + 16), dword(at + 20)); !placed)
                return placed.error();
        }
        if (!any) return broken("has no segment to load");
        return dword(24);
    }

    void put(std::uint32_t address, std::uint32_t value) {
        auto bytes = memory_.at(address, 4);
        for (unsigned byte = 0; byte < 4; ++byte) bytes[byte] = static_cast<std::uint8_t>(value >> (8 * byte));
    }
    void put_text(std::uint32_t address, std::string_view text) {
        auto bytes = memory_.at(address, text.size() + 1);
        std::copy(text.begin(), text.end(), bytes.begin());
        bytes[text.size()] = 0;
    }

    // Fields of the information structure: flags, memory sizes, command line, map, loader.
    Result<void> describe(std::string_view command_line) {
        constexpr std::uint32_t kMemory = 1U << 0;
        constexpr std::uint32_t kHasCommandLine = 1U << 2;
        constexpr std::uint32_t kHasMap = 1U << 6;
        constexpr std::uint32_t kHasName = 1U << 9;
        const std::string all = std::string(name_) + (command_line.empty() ? "" : " ") + std::string(command_line);
        if (all.size() >= kFirstFree - kCommandLine)
            return invalid_input("the kernel's command line is too long: --append takes some 3000 characters");
        const auto ram = static_cast<std::uint32_t>(memory_.regions()[0].bytes.size());
        put(kInformation, kMemory | kHasCommandLine | kHasMap | kHasName);
        put(kInformation + 4, kLowRamEnd >> 10);
        put(kInformation + 8, (ram - bus::Memory::kMegabyte) >> 10);
        put(kInformation + 16, kCommandLine);
        put_text(kCommandLine, all);
        constexpr std::uint32_t kEntryBytes = 24;  // its size field, which does not count itself, included
        put(kInformation + 44, 2 * kEntryBytes);
        put(kInformation + 48, kMap);
        put_map(kMap, 0, kLowRamEnd);
        put_map(kMap + kEntryBytes, bus::Memory::kMegabyte, ram - bus::Memory::kMegabyte);
        put(kInformation + 64, kLoaderName);
        put_text(kLoaderName, "sla-emu");
        return {};
    }
    void put_map(std::uint32_t at, std::uint32_t base, std::uint32_t bytes) {
        constexpr std::uint32_t kRam = 1;
        const std::uint32_t fields[] = {20, base, 0, bytes, 0, kRam};
        for (const std::uint32_t field : fields) {
            put(at, field);
            at += 4;
        }
    }

    bus::Memory& memory_;
    std::span<const std::uint8_t> file_;
    std::string_view name_;
};

}  // namespace

Result<LoadedKernel> load_multiboot(bus::Memory& memory, std::span<const std::uint8_t> file, std::string_view name,
                                    std::string_view command_line) {
    return Loader(memory, file, name).load(command_line);
}

}  // namespace sla::machine
