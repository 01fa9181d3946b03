// Operands of the instructions that X86emuCpu does itself: registers by their numbers, places in memory with their limits.
#include "emu/cpu/x86emu/x86emu_cpu.h"

#include <array>
#include <cstring>
#include <utility>

namespace sla::cpu {

// The general registers by their numbers.
u32& X86emuCpu::general(unsigned number) {
    auto& cpu = emu_->x86;
    switch (number & 7) {
        case kEax: return cpu.R_EAX;
        case kEcx: return cpu.R_ECX;
        case kEdx: return cpu.R_EDX;
        case kEbx: return cpu.R_EBX;
        case kEsp: return cpu.R_ESP;
        case kEbp: return cpu.R_EBP;
        case kEsi: return cpu.R_ESI;
        default: return cpu.R_EDI;
    }
}

std::uint32_t X86emuCpu::read_register(unsigned number, unsigned bytes) {
    if (bytes == 1 && number >= 4) return general(number - 4) >> 8 & 0xFF;
    return general(number) & mask_of_bytes(bytes);
}

void X86emuCpu::write_register(unsigned number, unsigned bytes, std::uint32_t value) {
    const bool high = bytes == 1 && number >= 4;
    u32& into = general(high ? number - 4 : number);
    const std::uint32_t mask = high ? 0xFF00 : mask_of_bytes(bytes);
    into = (into & ~mask) | ((high ? value << 8 : value) & mask);
}

// `immediate`: bytes of the instruction behind the displacement.
X86emuCpu::Place X86emuCpu::place_of(const DecodeCache::Entry& entry, unsigned immediate) {
    const Instruction& found = entry.found;
    if (found.mode() == 3) return {true, found.rm(), kDs, 0};
    const bool direct = found.mode() == 0 &&
                        (found.wide_address ? (found.has_sib ? (found.sib & 7) == 5 : found.rm() == 5) : found.rm() == 6);
    const unsigned bytes = found.mode() == 1 ? 1 : (found.mode() == 2 || direct) ? (found.wide_address ? 4 : 2) : 0;
    std::uint32_t offset = 0;
    std::memcpy(&offset, entry.bytes.data() + found.length - immediate - bytes, bytes);
    if (bytes == 1) offset = static_cast<std::uint32_t>(static_cast<std::int8_t>(offset));
    bool by_stack = false;  // EBP or ESP is the base
    if (!found.wide_address) {
        constexpr std::array<std::pair<int, int>, 8> kParts{
            {{kEbx, kEsi}, {kEbx, kEdi}, {kEbp, kEsi}, {kEbp, kEdi}, {kEsi, -1}, {kEdi, -1}, {kEbp, -1}, {kEbx, -1}}};
        const auto [base, index] = kParts[found.rm()];
        if (!direct) {
            offset += general(static_cast<unsigned>(base)) + (index < 0 ? 0 : general(static_cast<unsigned>(index)));
            by_stack = base == kEbp;
        }
        offset &= 0xFFFF;
    } else {
        const unsigned base = found.has_sib ? found.sib & 7U : found.rm();
        const unsigned index = found.sib >> 3 & 7U;
        if (!direct) offset += general(base);
        if (found.has_sib && index != kEsp) offset += general(index) << (found.sib >> 6);
        by_stack = !direct && (base == kEbp || base == kEsp);
    }
    return {false, 0, found.segment.value_or(by_stack ? kSs : kDs), offset};
}

bool X86emuCpu::within_limits(const Place& place, unsigned bytes, bool write) const {
    if (place.is_register) return true;
    const Segment segment = state().segments[place.segment];
    const bool expands_down = !segment.has(Segment::kCode) && segment.has(Segment::kExpandDown);
    const std::uint64_t last = std::uint64_t{place.offset} + bytes - 1;
    const std::uint64_t end = segment.has(Segment::kBig) ? 0xFFFFFFFFU : 0xFFFFU;
    const bool inside = expands_down ? place.offset > segment.limit && last <= end : last <= segment.limit;
    const bool writable = !segment.has(Segment::kCode) && segment.has(Segment::kWritable);
    return inside && (!write || writable || (emu_->x86.R_CR0 & control::kProtectionEnable) == 0);
}

// False: the guest got a fault.
bool X86emuCpu::may_access(const Place& place, unsigned bytes, bool write) {
    if (within_limits(place, bytes, write)) return true;
    fault(place.segment == kSs ? vector::kStackFault : vector::kGeneralProtection, 0);
    return false;
}

std::uint32_t X86emuCpu::read_place(const Place& place, unsigned bytes) {
    if (place.is_register) return read_register(place.number, bytes);
    const std::uint32_t address = emu_->x86.seg[place.segment].base + place.offset;
    count_access(address, bytes, false);
    return load(address, bytes);
}

void X86emuCpu::write_place(const Place& place, unsigned bytes, std::uint32_t value) {
    if (place.is_register) return write_register(place.number, bytes, value);
    const std::uint32_t address = emu_->x86.seg[place.segment].base + place.offset;
    count_access(address, bytes, true);
    save(address, bytes, value);
}

}  // namespace sla::cpu
