// A Pentium's caches and TLBs, as models that count: 8 KB of data and 8 KB of code, two ways of 32-byte lines; TLBs of 64
// and 32 entries in four ways, for pages of 4 KB.
//
// Data: a read that misses fills a line (state E); a write that hits makes it M, one that misses goes to memory and fills
// nothing; a line in state M that gives way is written back. Code: a read is one fetch of a line, when execution enters it.
// Where this differs from the chip: caching is always on, whatever CR0 says; all of memory below the chips' windows but
// A0000h-BFFFFh is cacheable; the least recently used entry always gives way; nobody else is on the bus, so no line is ever
// S; and since the CPU that feeds the models has no paging, the TLBs see the pages of linear addresses, as though paging
// mapped every one where it is.
#pragma once

#include "emu/bus/state_visitor.h"
#include "emu/pmc/p5_counts.h"
#include "emu/pmc/tag_array.h"

#include <cstdint>

namespace sla::pmc {

inline constexpr unsigned kLineBits = 5;  // of an address: a byte's place in its cache line

class P5Caches {
public:
    P5Caches(P5Counts& counts, std::uint64_t ram_bytes) : counts_(counts), ram_bytes_(ram_bytes) {}

    void data(std::uint32_t address, unsigned bytes, bool write);
    // The line of code that holds the address.
    void code(std::uint32_t address);
    // INVD, WBINVD.
    void invalidate(bool write_back);
    void clear();

    void visit_state(bus::StateVisitor& state);

private:
    enum class Line : std::uint8_t { kExclusive, kModified };
    struct None {};

    [[nodiscard]] bool cacheable(std::uint32_t address) const;
    void data_line(std::uint32_t address, bool write);

    P5Counts& counts_;
    std::uint64_t ram_bytes_;
    TagArray<Line> data_{128, 2};
    TagArray<None> code_{128, 2};
    TagArray<None> data_pages_{16, 4};
    TagArray<None> code_pages_{8, 4};
};

}  // namespace sla::pmc
