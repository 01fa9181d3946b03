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
    const PlaceCache::Access access{block_.start, last_was_out_ ? outs_ : ins_, last_was_out_};
    const PlaceCache::Entry& known = places_.slot(access);
    if (known.access == access && known.is_made_from(block_code(known.length)) && runs_in(known.segment)) {
        return known.place;
    }
    const auto is_access = [access](const Instruction& found) {
        const unsigned op = found.opcode;
        const bool string = op >= 0x6C && op <= 0x6F;
        const bool other = (op >= 0xE4 && op <= 0xE7) || (op >= 0xEC && op <= 0xEF);
        return (string || other) && (op & 2) == (access.out ? 2U : 0U);
    };
    const auto place = find_in_block(access.count, is_access);
    if (place) remember_place(access, *place);
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

// In real mode the base follows from the selector, and asking for that takes 15 ns, where the hidden parts take 60. A
// segment of which it is not true, as behind a switch of modes, is for remember_place to find.
bool UnicornCpu::runs_in(const CodeSegment& segment) {
    if (protected_) return context_.code_segment() == segment;
    return engine_.read_selector(UC_X86_REG_CS) == segment.selector && segment.is_of_real_mode();
}

// Code that runs stands where its linear address says.
std::span<const std::uint8_t> UnicornCpu::block_code(std::size_t length) const {
    return memory_.at(block_.start & (a20_mapped_ ? kA20On : kA20Off), length);
}

void UnicornCpu::remember_place(const PlaceCache::Access& access, const CodeAddress& place) {
    const CodeSegment segment = context_.code_segment();
    if (!protected_ && !segment.is_of_real_mode()) return;
    const std::size_t length = segment.base + place.offset - block_.start + length_;
    PlaceCache::Entry entry{access, segment, place};
    const auto code = block_code(length);
    if (length > entry.code.size() || code.size() != length) return;
    std::copy(code.begin(), code.end(), entry.code.begin());
    entry.length = static_cast<std::uint8_t>(length);
    places_.slot(access) = entry;
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
