#include "emu/cpu/kvm/access_address.h"

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

bool reads(const MemoryAccess& access, const Found& found, const X86State& state, LinearMemory& memory) {
    for (const auto& operand : memory_operands(found.code, found.code32, state)) {
        if (operand && memory.physical(operand->linear) == access.address) return true;
    }
    return false;
}

// String instructions have moved their registers on.
bool wrote(const MemoryAccess& access, const Found& found, const X86State& state, LinearMemory& memory) {
    for (const auto& operand : memory_operands(found.code, found.code32, state)) {
        if (!operand || !operand->written || operand->bytes != access.size) continue;
        std::uint32_t target = operand->linear;
        if (operand->steps) target += (state.eflags & kDirection) != 0 ? access.size : 0 - access.size;
        if (memory.physical(target) == access.address) return true;
    }
    return false;
}

}  // namespace

std::optional<std::uint32_t> address_of(const PortAccess& access, const X86State& state, LinearMemory& memory,
                                        bool out_ends_behind) {
    const auto here = [&]() -> std::optional<std::uint32_t> {
        const auto found = instruction_at(state.eip, state, memory);
        const bool fits = found && found->instruction.length <= kLongestPortAccess && makes(access, *found, state);
        return fits ? std::optional(state.eip) : std::nullopt;
    };
    if (!access.out || !out_ends_behind) {
        if (const auto found_at = here()) return found_at;
    }
    for (std::uint32_t length = std::min(kLongestPortAccess, state.eip); length >= 1; --length) {
        const auto found = instruction_at(state.eip - length, state, memory);
        if (found && found->instruction.length == length && makes(access, *found, state)) return state.eip - length;
    }
    return here();
}

std::optional<std::uint32_t> address_of(const MemoryAccess& access, const X86State& state, LinearMemory& memory) {
    const auto at = instruction_at(state.eip, state, memory);
    if (!access.write) return at && reads(access, *at, state, memory) ? std::optional(state.eip) : std::nullopt;
    std::optional<std::uint32_t> found_at;
    unsigned could = 0;
    const auto consider = [&](const Found& found, std::uint32_t offset) {
        if (!wrote(access, found, state, memory)) return;
        found_at = offset;
        ++could;
    };
    if (at && at->instruction.repeated) consider(*at, state.eip);
    for (std::uint32_t length = 1; length <= std::min(kMaxInstructionBytes, state.eip); ++length) {
        const auto found = instruction_at(state.eip - length, state, memory);
        if (found && found->instruction.length == length) consider(*found, state.eip - length);
    }
    return could == 1 ? found_at : std::nullopt;
}

}  // namespace sla::cpu
