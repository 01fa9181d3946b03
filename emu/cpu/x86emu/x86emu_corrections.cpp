// Instructions that the library does wrong or not at all, done here: shifts and rotates, bit tests, CMPXCHG, CMPXCHG8B, XADD, BOUND,
// ENTER, XLAT, LOOP and JCXZ, AAM and DAS. Which and why: emu/cpu/DIFFERENCES.md.
#include "emu/bus/in_range.h"
#include "emu/cpu/x86emu/arithmetic.h"
#include "emu/cpu/x86emu/x86emu_cpu.h"

#include <cstring>

namespace sla::cpu {

namespace {

constexpr std::uint32_t kZeroFlag = 1U << 6;

}  // namespace

bool X86emuCpu::done(std::uint32_t next) {
    emu_->x86.R_EIP = next;
    x86emu_stop(emu_.get());
    return false;
}

bool X86emuCpu::correct(const DecodeCache::Entry& entry, std::uint32_t next) {
    const Instruction& found = entry.found;
    const unsigned op = found.opcode;
    const std::uint8_t last = entry.bytes[found.length - 1];
    constexpr unsigned kAam = 0xD4;
    if (op == 0xC8) return do_enter(entry, next);
    if (op == kAam) return do_aam(last, next);
    if (op == 0x2F) return do_das(next);
    if (bus::in_range(op, 0xC0, 0xC1) || bus::in_range(op, 0xD0, 0xD3)) return do_shift(entry, next);
    if (bus::in_range(op, 0xE0, 0xE3)) return do_loop(found, static_cast<std::int8_t>(last), next);
    switch (op) {
        case 0x62: return do_bound(entry, next);
        case 0xD7: return do_xlat(found, next);
        case 0x0FA4:
        case 0x0FA5:
        case 0x0FAC:
        case 0x0FAD: return do_double_shift(entry, next);
        case 0x0FA3:
        case 0x0FAB:
        case 0x0FB3:
        case 0x0FBB:
        case 0x0FBA: return op == 0x0FBA && found.reg() < 4 ? true : do_bit_test(entry, next);
        case 0x0FB0:
        case 0x0FB1:
        case 0x0FC0:
        case 0x0FC1: return do_exchange(entry, next);
        case 0x0FC7: return found.reg() == 1 && found.mode() != 3 ? do_exchange_8_bytes(entry, next) : true;
        default: return true;
    }
}

bool X86emuCpu::do_shift(const DecodeCache::Entry& entry, std::uint32_t next) {
    const Instruction& found = entry.found;
    const bool immediate = found.opcode < 0xD0;
    const unsigned bytes = (found.opcode & 1) == 0 ? 1 : found.wide ? 4 : 2;
    const std::uint32_t count = immediate                 ? entry.bytes[found.length - 1]
                                : (found.opcode & 2) == 0 ? 1
                                                          : emu_->x86.R_ECX & 0xFF;
    const Place place = place_of(entry, immediate ? 1 : 0);
    if (!may_access(place, bytes, true)) return false;
    const Computed result = shift(found.reg(), read_place(place, bytes), 8 * bytes, count, emu_->x86.R_EFLG);
    write_place(place, bytes, result.value);
    emu_->x86.R_EFLG = result.eflags;
    return done(next);
}

bool X86emuCpu::do_double_shift(const DecodeCache::Entry& entry, std::uint32_t next) {
    const Instruction& found = entry.found;
    const bool immediate = (found.opcode & 1) == 0;
    const unsigned bytes = found.wide ? 4 : 2;
    const std::uint32_t count = immediate ? entry.bytes[found.length - 1] : emu_->x86.R_ECX & 0xFF;
    const Place place = place_of(entry, immediate ? 1 : 0);
    if (!may_access(place, bytes, true)) return false;
    const bool right = found.opcode >= 0x0FAC;
    const Computed result =
        double_shift(right, read_place(place, bytes), read_register(found.reg(), bytes), 8 * bytes, count, emu_->x86.R_EFLG);
    write_place(place, bytes, result.value);
    emu_->x86.R_EFLG = result.eflags;
    return done(next);
}

// With a register, the bit may lie before or behind the operand.
bool X86emuCpu::do_bit_test(const DecodeCache::Entry& entry, std::uint32_t next) {
    const Instruction& found = entry.found;
    const bool immediate = found.opcode == 0x0FBA;
    const unsigned bytes = found.wide ? 4 : 2;
    const unsigned operation = immediate ? found.reg() - 4 : found.opcode >> 3 & 3;
    Place place = place_of(entry, immediate ? 1 : 0);
    std::uint32_t bit = immediate ? entry.bytes[found.length - 1] : read_register(found.reg(), bytes);
    if (!place.is_register && !immediate) {
        const auto away = static_cast<std::int32_t>(bytes == 2 ? static_cast<std::int16_t>(bit) : bit);
        const std::int32_t units = away >> (bytes == 2 ? 4 : 5);
        place.offset += static_cast<std::uint32_t>(units) * bytes;
        if (!found.wide_address) place.offset &= 0xFFFF;
    }
    bit %= 8 * bytes;
    if (!may_access(place, bytes, operation != 0)) return false;
    const Computed result = bit_test(operation, read_place(place, bytes), bit, emu_->x86.R_EFLG);
    if (operation != 0) write_place(place, bytes, result.value);
    emu_->x86.R_EFLG = result.eflags;
    return done(next);
}

// CMPXCHG and XADD.
bool X86emuCpu::do_exchange(const DecodeCache::Entry& entry, std::uint32_t next) {
    const Instruction& found = entry.found;
    const unsigned bytes = (found.opcode & 1) == 0 ? 1 : found.wide ? 4 : 2;
    const Place place = place_of(entry, 0);
    if (!may_access(place, bytes, true)) return false;
    const std::uint32_t destination = read_place(place, bytes);
    const std::uint32_t source = read_register(found.reg(), bytes);
    if (found.opcode >= 0x0FC0) {
        const Computed sum = add(destination, source, 8 * bytes, emu_->x86.R_EFLG);
        write_register(found.reg(), bytes, destination);
        write_place(place, bytes, sum.value);
        emu_->x86.R_EFLG = sum.eflags;
        return done(next);
    }
    const Computed compared = subtract(read_register(kEax, bytes), destination, 8 * bytes, emu_->x86.R_EFLG);
    const bool equal = compared.value == 0;
    write_place(place, bytes, equal ? source : destination);
    if (!equal) write_register(kEax, bytes, destination);
    emu_->x86.R_EFLG = compared.eflags;
    return done(next);
}

bool X86emuCpu::do_exchange_8_bytes(const DecodeCache::Entry& entry, std::uint32_t next) {
    auto& cpu = emu_->x86;
    const Place low = place_of(entry, 0);
    if (!may_access(low, 8, true)) return false;
    Place high = low;
    high.offset += 4;
    const std::uint32_t low_value = read_place(low, 4);
    const std::uint32_t high_value = read_place(high, 4);
    const bool equal = low_value == cpu.R_EAX && high_value == cpu.R_EDX;
    write_place(low, 4, equal ? cpu.R_EBX : low_value);
    write_place(high, 4, equal ? cpu.R_ECX : high_value);
    if (!equal) cpu.R_EAX = low_value, cpu.R_EDX = high_value;
    cpu.R_EFLG = equal ? cpu.R_EFLG | kZeroFlag : cpu.R_EFLG & ~kZeroFlag;
    return done(next);
}

bool X86emuCpu::do_bound(const DecodeCache::Entry& entry, std::uint32_t next) {
    constexpr std::uint8_t kBoundRange = 5;
    const Instruction& found = entry.found;
    if (found.mode() == 3) return true;
    const unsigned bytes = found.wide ? 4 : 2;
    const Place low = place_of(entry, 0);
    if (!may_access(low, 2 * bytes, false)) return false;
    Place high = low;
    high.offset += bytes;
    const auto as_signed = [bytes](std::uint32_t value) {
        return bytes == 2 ? static_cast<std::int16_t>(value) : static_cast<std::int32_t>(value);
    };
    const std::int32_t index = as_signed(read_register(found.reg(), bytes));
    const bool inside = index >= as_signed(read_place(low, bytes)) && index <= as_signed(read_place(high, bytes));
    return inside ? done(next) : fault(kBoundRange, std::nullopt);
}

// Frames of outer blocks, as many as the last byte says, are copied from below EBP.
bool X86emuCpu::do_enter(const DecodeCache::Entry& entry, std::uint32_t next) {
    auto& cpu = emu_->x86;
    const unsigned bytes = entry.found.wide ? 4 : 2;
    const bool stack32 = (cpu.R_SS_ACC & 0x400) != 0;
    const std::uint32_t stack_mask = mask_of_bytes(stack32 ? 4 : 2);
    const unsigned levels = entry.bytes[entry.found.length - 1] & 31U;
    std::uint16_t space = 0;
    std::memcpy(&space, entry.bytes.data() + entry.found.length - 3, sizeof space);
    std::uint32_t top = cpu.R_ESP;
    std::uint32_t frame = cpu.R_EBP;
    const auto place = [&](std::uint32_t offset) { return Place{false, 0, kSs, offset & stack_mask}; };
    const auto push = [&](std::uint32_t value) {
        top -= bytes;
        if (!may_access(place(top), bytes, true)) return false;
        write_place(place(top), bytes, value);
        return true;
    };
    if (!push(cpu.R_EBP)) return false;
    const std::uint32_t base = (cpu.R_ESP & ~stack_mask) | (top & stack_mask);
    for (unsigned level = 1; level < levels; ++level) {
        frame -= bytes;
        if (!may_access(place(frame), bytes, false) || !push(read_place(place(frame), bytes))) return false;
    }
    if (levels > 0 && !push(base)) return false;
    top -= space;
    if (!may_access(place(top), bytes, true)) return false;
    write_register(kEbp, bytes, base);
    write_register(kEsp, stack32 ? 4 : 2, top);
    return done(next);
}

bool X86emuCpu::do_aam(std::uint8_t base, std::uint32_t next) {
    if (base == 0) return fault(vector::kDivideError, std::nullopt);
    const std::uint32_t value = read_register(kEax, 1);
    write_register(kEax, 2, value / base << 8 | value % base);
    emu_->x86.R_EFLG = add(value % base, 0, 8, emu_->x86.R_EFLG).eflags;
    return done(next);
}

bool X86emuCpu::do_das(std::uint32_t next) {
    auto& cpu = emu_->x86;
    const std::uint32_t before = read_register(kEax, 1);
    std::uint32_t carry = cpu.R_EFLG & flag::kCarry;
    const bool upper = before > 0x99 || carry != 0;
    const bool lower = (before & 15) > 9 || (cpu.R_EFLG & flag::kAdjust) != 0;
    std::uint32_t value = before;
    if (lower) {
        carry |= before < 6 ? flag::kCarry : 0;
        value -= 6;
    }
    if (upper) {
        value -= 0x60;
        carry = flag::kCarry;
    }
    value &= 0xFF;
    write_register(kEax, 1, value);
    const std::uint32_t eflags = add(value, 0, 8, cpu.R_EFLG).eflags & ~(flag::kAdjust | flag::kCarry);
    cpu.R_EFLG = eflags | carry | (lower ? flag::kAdjust : 0);
    return done(next);
}

bool X86emuCpu::do_xlat(const Instruction& found, std::uint32_t next) {
    std::uint32_t offset = emu_->x86.R_EBX + (emu_->x86.R_EAX & 0xFF);
    if (!found.wide_address) offset &= 0xFFFF;
    const Place place{false, 0, found.segment.value_or(kDs), offset};
    if (!may_access(place, 1, false)) return false;
    write_register(kEax, 1, read_place(place, 1));
    return done(next);
}

// The count is as wide as addresses are.
bool X86emuCpu::do_loop(const Instruction& found, std::int8_t away, std::uint32_t next) {
    const unsigned bytes = found.wide_address ? 4 : 2;
    std::uint32_t count = read_register(kEcx, bytes);
    bool jumps = count == 0;  // JCXZ
    if (found.opcode != 0xE3) {
        count = (count - 1) & mask_of_bytes(bytes);
        const bool zero = (emu_->x86.R_EFLG & kZeroFlag) != 0;
        jumps = count != 0 && (found.opcode == 0xE2 || zero == (found.opcode == 0xE1));
    }
    const std::uint32_t target = (next + static_cast<std::uint32_t>(away)) & mask_of_bytes(found.wide ? 4 : 2);
    if (jumps && target > emu_->x86.R_CS_LIMIT) return fault(vector::kGeneralProtection, 0);
    if (found.opcode != 0xE3) write_register(kEcx, bytes, count);
    return done(jumps ? target : next & mask_of_bytes(found.wide || (emu_->x86.R_CS_ACC & 0x400) != 0 ? 4 : 2));
}

}  // namespace sla::cpu
