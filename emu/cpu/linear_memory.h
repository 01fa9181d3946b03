// Memory as the guest's own code addresses it: linear addresses through the page tables, 4 KB and big pages, with and
// without physical address extension (addresses above 4 GB do not exist here). Reads and writes set accessed and dirty bits;
// whoever only looks (view, physical, peek) changes nothing, and where no page is faults nothing.
//
// For what the processor does by itself at ring 0: reading tables, pushing frames. Made for one interrupt. The first page
// fault sticks: from then on reads give 0 and writes do nothing, so that its user may look once, before it commits.
#pragma once

#include "emu/bus/memory.h"
#include "emu/cpu/x86_state.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <span>

namespace sla::cpu {

// How a backend writes physical memory: it may have to forget code it translated.
using PhysicalWrite = std::function<void(std::uint32_t address, std::span<const std::uint8_t> bytes)>;

struct PageFault {
    std::uint32_t address = 0;
    std::uint32_t error_code = 0;
};

// An access of up to four bytes is a cycle; one that crosses a border of four is two, and misaligned.
constexpr void count_cycles(std::uint32_t address, unsigned bytes, std::uint64_t& cycles, std::uint64_t& misaligned) {
    const unsigned more = (address & 3) + bytes > 4 ? 1 : 0;
    cycles += 1 + more;
    misaligned += more;
}

// What the processor did with memory by itself.
struct MemoryUse {
    std::uint64_t reads = 0;  // cycles, as the next
    std::uint64_t writes = 0;
    std::uint64_t misaligned = 0;
};

class LinearMemory {
public:
    LinearMemory(const bus::Memory& memory, const PhysicalWrite& write, const X86State& state)
        : memory_(memory), write_(write), state_(state) {}

    // 1, 2 or 4 bytes. Where no memory answers, reads give all ones.
    [[nodiscard]] std::uint32_t read(std::uint32_t address, unsigned bytes);
    void write(std::uint32_t address, unsigned bytes, std::uint32_t value);
    // The bytes themselves, at most so many, up to the end of the page; empty where no page or no memory is.
    [[nodiscard]] std::span<const std::uint8_t> view(std::uint32_t address, std::size_t bytes);

    // Where the address leads; nothing where no page is.
    [[nodiscard]] std::optional<std::uint32_t> physical(std::uint32_t address) { return translate(address, Access::kLook); }
    // Nothing where no page or no memory is.
    [[nodiscard]] std::optional<std::uint8_t> peek(std::uint32_t address);

    [[nodiscard]] const std::optional<PageFault>& fault() const { return fault_; }
    // Of reads and writes until now.
    [[nodiscard]] const MemoryUse& use() const { return use_; }

private:
    enum class Access { kLook, kRead, kWrite };
    struct Entry {  // of a page table
        std::uint32_t at = 0;
        std::uint32_t bits = 0;
    };

    std::optional<std::uint32_t> translate(std::uint32_t address, Access access);
    std::optional<std::uint32_t> directory(std::uint32_t address);
    std::optional<std::uint32_t> fail(std::uint32_t address, std::uint32_t error_code);
    [[nodiscard]] Entry entry(std::uint32_t at) const;
    void mark(const Entry& entry, std::uint32_t bits);

    const bus::Memory& memory_;
    const PhysicalWrite& write_;
    const X86State& state_;
    std::optional<PageFault> fault_;
    MemoryUse use_;
};

inline constexpr std::uint16_t kNotRing = 0xFFFC;  // a selector without its ring, as error codes have it
inline constexpr std::uint16_t kLocalTable = 0x4;  // the bit of a selector

// The segment that a selector names, in the global or the local table. Nothing when it lies outside its table or the table's
// page is missing.
std::optional<Segment> read_descriptor(std::uint16_t selector, const X86State& state, LinearMemory& memory);

}  // namespace sla::cpu
