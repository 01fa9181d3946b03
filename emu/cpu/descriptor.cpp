#include "emu/cpu/descriptor.h"

namespace sla::cpu {

std::optional<Segment> read_descriptor(std::uint16_t selector, const X86State& state, LinearMemory& memory) {
    const bool local = (selector & kLocalTable) != 0;
    const TableRegister table = local ? TableRegister{state.ldt.base, state.ldt.limit} : state.gdt;
    const std::uint32_t offset = selector & 0xFFF8U;
    if (offset + 7 > table.limit) return std::nullopt;
    const std::uint32_t low = memory.read(table.base + offset, 4);
    const std::uint32_t high = memory.read(table.base + offset + 4, 4);
    if (memory.fault()) return std::nullopt;
    Segment segment;
    segment.selector = selector;
    segment.base = low >> 16 | (high & 0xFF) << 16 | (high & 0xFF000000);
    segment.limit = (low & 0xFFFF) | (high & 0x000F0000);
    if ((high & Segment::kGranular) != 0) segment.limit = segment.limit << 12 | 0xFFF;
    segment.attributes = high & Segment::kAll;
    return segment;
}

}  // namespace sla::cpu
