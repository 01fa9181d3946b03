// Where in a block of code the instruction stands that the library stopped at or asked about.
#include "emu/cpu/memory_operand.h"
#include "emu/cpu/unicorn_cpu.h"

#include <algorithm>
#include <span>
#include <vector>

namespace sla::cpu {

namespace {

bool intercepts(std::uint32_t report, const Instruction& found) {
    switch (report) {
        case intercepted::kCpuid: return found.opcode == 0x0FA2;
        case intercepted::kReadTsc: return found.opcode == 0x0F31;
        case intercepted::kReadCounter: return found.opcode == 0x0F33;
        case intercepted::kMsr: return found.opcode == 0x0F30 || found.opcode == 0x0F32;
        case intercepted::kHalt: return found.opcode == 0xF4;
        case intercepted::kWriteCr0: {
            constexpr unsigned kLmsw = 6;
            return (found.opcode == 0x0F22 && found.reg() == 0) || found.opcode == 0x0F06 ||
                   (found.opcode == 0x0F01 && found.reg() == kLmsw);
        }
        default: return false;
    }
}

}  // namespace

template <typename Visit>
void UnicornCpu::walk_block(const X86State& state, Visit visit) {
    LinearMemory linear(memory_, write_, state);
    std::vector<std::uint8_t> bytes;
    while (bytes.size() < block_.size) {
        const auto page = linear.view(block_.start + static_cast<std::uint32_t>(bytes.size()), block_.size - bytes.size());
        if (page.empty()) return;
        bytes.insert(bytes.end(), page.begin(), page.end());
    }
    const bool code32 = state.code32();
    for (std::uint32_t at = 0; at < bytes.size();) {
        const auto code = std::span<const std::uint8_t>(bytes).subspan(at);
        const auto found = decode(code, code32);
        if (!found) return;
        const Segment& segment = state.segments[kCs];
        if (visit(*found, code, CodeAddress{segment.selector, block_.start + at - segment.base, true})) return;
        at += static_cast<std::uint32_t>(found->length);
    }
}

template <typename Test>
std::optional<CodeAddress> UnicornCpu::find_in_block(unsigned count, Test test) {
    std::optional<CodeAddress> place;
    walk_block(state(), [&](const Instruction& found, std::span<const std::uint8_t>, const CodeAddress& at) {
        length_ = found.length;
        if (test(found) && --count == 0) place = at;
        return place.has_value();
    });
    return place;
}

// The library does not tell the place of IN and OUT; but a block is run from its start, so the n-th access comes from the
// n-th instruction of its kind. A repeated one is a block of its own from its second turn on.
CodeAddress UnicornCpu::running_address() {
    if (instruction_) return *instruction_;
    if (window_access_) return place_of_window_access();
    const Access access = access_;
    const auto is_access = [access](const Instruction& found) {
        const unsigned op = found.opcode;
        const bool string = op >= 0x6C && op <= 0x6F;
        const bool other = (op >= 0xE4 && op <= 0xE7) || (op >= 0xEC && op <= 0xEF);
        return (string || other) && (op & 2) == (access.out ? 2U : 0U);
    };
    const unsigned count = access.out ? outs_ : ins_;
    if (const auto place = remembered_place(count)) return *place;
    const auto place = find_in_block(count, is_access);
    if (place) remember_place(count, *place);
    return place.value_or(CodeAddress{});
}

// Nor does it tell who accesses memory; but then the registers are up to date, and say which instructions could. If that is
// more than one, nobody knows.
CodeAddress UnicornCpu::place_of_window_access() {
    const X86State state = this->state();
    const bool code32 = state.code32();
    unsigned could = 0;
    CodeAddress place;
    walk_block(state, [&](const Instruction&, std::span<const std::uint8_t> code, const CodeAddress& at) {
        for (const auto& operand : memory_operands(code, code32, state)) {
            if (!operand || LinearMemory(memory_, write_, state).physical(*operand) != *window_access_) continue;
            ++could;
            place = at;
        }
        return could > 1;
    });
    return could == 1 ? place : CodeAddress{};
}

// In real mode, where the segment's base follows from its selector, without a look at the rest of the state: some 40 ns
// instead of 110, and 250 for taking the block apart.
std::optional<CodeAddress> UnicornCpu::remembered_place(unsigned count) {
    const PlaceCache::Entry& entry = places_.slot(block_.start, count);
    if (entry.length == 0 || entry.key.block != block_.start) return std::nullopt;
    PlaceCache::Key now{block_.start, count, access_.out};
    std::uint16_t selector = 0;
    std::span<const std::uint8_t> code;
    const bool real = (engine_.read(UC_X86_REG_CR0) & control::kProtectionEnable) == 0;
    if (real) {
        selector = static_cast<std::uint16_t>(engine_.read(UC_X86_REG_CS));
        now.code_base = std::uint32_t{selector} << 4;
        code = memory_.at(block_.start & (a20_mapped_ ? kA20On : kA20Off), entry.length);
    } else {
        const X86State state = this->state();
        selector = state.segments[kCs].selector;
        now.code_base = state.segments[kCs].base;
        now.code32 = state.code32();
        code = LinearMemory(memory_, write_, state).view(block_.start, entry.length);
    }
    if (!entry.holds(now, code)) return std::nullopt;
    return CodeAddress{selector, block_.start + entry.offset - now.code_base, true};
}

// A segment whose base real mode would not give its selector, as behind a switch of modes, is not for remembered_place.
void UnicornCpu::remember_place(unsigned count, const CodeAddress& place) {
    const X86State state = this->state();
    const Segment& segment = state.segments[kCs];
    const std::uint32_t offset = segment.base + place.offset - block_.start;
    const std::size_t length = offset + length_;
    PlaceCache::Entry entry{{block_.start, count, access_.out, segment.base, state.code32()}};
    if (length > entry.code.size()) return;
    if (!state.protected_mode() && segment.base != std::uint32_t{segment.selector} << 4) return;
    const auto code = LinearMemory(memory_, write_, state).view(block_.start, length);
    if (code.size() != length) return;
    std::copy(code.begin(), code.end(), entry.code.begin());
    entry.length = static_cast<std::uint8_t>(length);
    entry.offset = static_cast<std::uint8_t>(offset);
    places_.slot(block_.start, count) = entry;
}

// The library does not say reliably where such an instruction stands: EIP may be an older one. But it is the first of its
// kind in the block, for any before it would have ended the run before.
bool UnicornCpu::find_place(std::uint32_t report) {
    const auto place = find_in_block(1, [report](const Instruction& found) { return intercepts(report, found); });
    if (!place) return false;
    engine_.write(UC_X86_REG_EIP, place->offset);
    return true;
}

}  // namespace sla::cpu
