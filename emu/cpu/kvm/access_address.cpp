#include "emu/cpu/kvm/access_place.h"

#include "emu/bus/in_range.h"
#include "emu/cpu/instruction.h"
#include "emu/cpu/memory_operand.h"

#include <algorithm>
#include <array>
#include <span>

namespace sla::cpu {

namespace {

constexpr std::uint32_t kLongestPortAccess = 4;  // prefixes included, as far as we look
constexpr std::uint32_t kDirection = 1U << 10;

using CodeBytes = std::array<std::uint8_t, kMaxInstructionBytes>;

struct Found {
    Instruction instruction;
    CodeBytes code;
    bool code32 = false;
};

std::optional<Found> instruction_at(std::uint32_t offset, const X86State& state, LinearMemory& memory) {
    Found found;
    const Segment& segment = state.segments[kCs];
    for (std::uint32_t i = 0; i < kMaxInstructionBytes; ++i)
        found.code[i] = memory.peek(segment.base + offset + i).value_or(0);
    found.code32 = state.code32();
    const auto decoded = decode(found.code, found.code32);
    if (!decoded) return std::nullopt;
    found.instruction = *decoded;
    return found;
}

bool makes(const PortAccess& access, const Found& found, const X86State& state) {
    const unsigned op = found.instruction.opcode;
    if (op < 0x6C || op > 0xEF || ((op & 2) != 0) != access.out || ((op & 1) == 0) != (access.size == 1)) return false;
    const bool immediate = op >= 0xE4 && op <= 0xE7;
    if (immediate) return found.code[found.instruction.length - 1] == access.port;
    return (op <= 0x6F || op >= 0xEC) && (state.general[kEdx] & 0xFFFF) == access.port;
}

bool is_string(unsigned op) {
    return bus::in_range(op, 0xA4, 0xA7) || bus::in_range(op, 0xAA, 0xAF);
}

bool writes_memory(const Instruction& found) {
    const unsigned op = found.opcode;
    if (op < 0x38) return (op & 7) < 2;  // ADD to XOR, into memory
    if (bus::in_range(op, 0x80, 0x83)) return found.reg() != 7;
    const bool one_byte = bus::in_range(op, 0x86, 0x89) || op == 0x8C || op == 0x8F || bus::in_range(op, 0xA2, 0xA5) ||
                          op == 0xAA || op == 0xAB || op == 0xC0 || op == 0xC1 || op == 0xC6 || op == 0xC7 ||
                          bus::in_range(op, 0xD0, 0xD3) || op == 0xF6 || op == 0xF7 || op == 0xFE || op == 0xFF;
    return one_byte || bus::in_range(op, 0x0F90, 0x0F9F) || op == 0x0FA4 || op == 0x0FA5 || op == 0x0FAB || op == 0x0FAC ||
           op == 0x0FAD || op == 0x0FB0 || op == 0x0FB1 || op == 0x0FB3 || bus::in_range(op, 0x0FBA, 0x0FBB) ||
           op == 0x0FC0 || op == 0x0FC1;
}

std::span<const std::uint8_t> prefixes(const Found& found) {
    const auto end = std::find_if(found.code.begin(), found.code.end(), [](std::uint8_t b) {
        return b != 0x26 && b != 0x2E && b != 0x36 && b != 0x3E && !bus::in_range(b, 0x64, 0x67) && b != 0xF0 && b != 0xF2 &&
               b != 0xF3;
    });
    return {found.code.begin(), end};
}

bool has_prefix(const Found& found, std::uint8_t first, std::uint8_t last) {
    const auto all = prefixes(found);
    return std::any_of(all.begin(), all.end(), [&](std::uint8_t b) { return bus::in_range(b, first, last); });
}

// Of the operand in memory.
unsigned bytes_of(const Found& found) {
    const unsigned op = found.instruction.opcode;
    if (op == 0x8C) return 2;
    const bool byte = op < 0x100 ? (op & 1) == 0 : bus::in_range(op, 0x0F90, 0x0F9F) || op == 0x0FB0 || op == 0x0FC0;
    if (byte) return 1;
    return found.code32 != has_prefix(found, 0x66, 0x66) ? 4 : 2;
}

bool reads(const MemoryAccess& access, const Found& found, const X86State& state, LinearMemory& memory) {
    for (const auto& operand : memory_operands(found.code, found.code32, state)) {
        if (operand && memory.physical(*operand) == access.address) return true;
    }
    return false;
}

bool wrote(const MemoryAccess& access, const Found& found, const X86State& state, LinearMemory& memory) {
    if (!writes_memory(found.instruction) || bytes_of(found) != access.size) return false;
    const auto operands = memory_operands(found.code, found.code32, state);
    const bool string = is_string(found.instruction.opcode);
    auto target = operands[string ? 1 : 0];
    if (!target) return false;
    if (string) *target += (state.eflags & kDirection) != 0 ? access.size : 0 - access.size;
    return memory.physical(*target) == access.address;
}

}  // namespace

std::optional<std::uint32_t> place_of(const PortAccess& access, const X86State& state, LinearMemory& memory,
                                      bool out_ends_behind) {
    const auto here = [&]() -> std::optional<std::uint32_t> {
        const auto found = instruction_at(state.eip, state, memory);
        const bool fits = found && found->instruction.length <= kLongestPortAccess && makes(access, *found, state);
        return fits ? std::optional(state.eip) : std::nullopt;
    };
    if (!access.out || !out_ends_behind) {
        if (const auto place = here()) return place;
    }
    for (std::uint32_t length = std::min(kLongestPortAccess, state.eip); length >= 1; --length) {
        const auto found = instruction_at(state.eip - length, state, memory);
        if (found && found->instruction.length == length && makes(access, *found, state)) return state.eip - length;
    }
    return here();
}

std::optional<std::uint32_t> place_of(const MemoryAccess& access, const X86State& state, LinearMemory& memory) {
    const auto at = instruction_at(state.eip, state, memory);
    if (!access.write) return at && reads(access, *at, state, memory) ? std::optional(state.eip) : std::nullopt;
    std::optional<std::uint32_t> place;
    unsigned could = 0;
    const auto consider = [&](const Found& found, std::uint32_t offset) {
        if (!wrote(access, found, state, memory)) return;
        place = offset;
        ++could;
    };
    if (at && is_string(at->instruction.opcode) && has_prefix(*at, 0xF2, 0xF3)) consider(*at, state.eip);
    for (std::uint32_t length = 1; length <= std::min(kMaxInstructionBytes, state.eip); ++length) {
        const auto found = instruction_at(state.eip - length, state, memory);
        if (found && found->instruction.length == length) consider(*found, state.eip - length);
    }
    return could == 1 ? place : std::nullopt;
}

}  // namespace sla::cpu
