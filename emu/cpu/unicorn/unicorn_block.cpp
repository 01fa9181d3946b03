#include "emu/cpu/unicorn/unicorn_block.h"

#include "emu/cpu/instruction_kinds.h"
#include "emu/cpu/memory_operand.h"

#include <algorithm>
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
        case intercepted::kWriteDr5: return found.opcode == 0x0F23 && found.reg() == 5;
        case intercepted::kWriteDr7: return found.opcode == 0x0F23 && found.reg() == 7;
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
void UnicornBlock::walk(const X86State& state, Visit visit) const {
    LinearMemory linear(memory_.physical(), memory_.write(), state);
    std::vector<std::uint8_t> bytes;
    while (bytes.size() < size_) {
        const auto page = linear.view(start_ + static_cast<std::uint32_t>(bytes.size()), size_ - bytes.size());
        if (page.empty()) return;
        bytes.insert(bytes.end(), page.begin(), page.end());
    }
    const bool code32 = state.code32();
    for (std::uint32_t at = 0; at < bytes.size();) {
        const auto rest = std::span<const std::uint8_t>(bytes).subspan(at);
        const auto found = decode(rest, code32);
        if (!found) return;
        const Segment& segment = state.segments[kCs];
        if (visit(*found, rest, bus::CodeAddress{segment.selector, start_ + at - segment.base, true})) return;
        at += static_cast<std::uint32_t>(found->length);
    }
}

template <typename Test>
std::optional<UnicornBlock::Found> UnicornBlock::find(unsigned count, Test test) const {
    std::optional<Found> result;
    walk(memory_.state(), [&](const Instruction& found, std::span<const std::uint8_t>, const bus::CodeAddress& at) {
        if (test(found) && --count == 0) result = Found{at, found.length};
        return result.has_value();
    });
    return result;
}

// A repeated access is a block of its own from its second turn on.
bus::CodeAddress UnicornBlock::address_of_access(bool protected_mode) {
    const bool is_last = segment_known_ && !window_access_ && last_->access == Access{start_, access_};
    if (is_last && last_->holds(memory_.a20_mask())) return last_->address;
    return look_up(protected_mode);
}

bus::CodeAddress UnicornBlock::look_up(bool protected_mode) {
    if (window_access_) return address_of_window_access();
    const Access access{start_, access_};
    AccessCache::Entry& known = cache_.slot(access);
    last_ = &known;
    if (known.access == access && known.holds(memory_.a20_mask()) &&
        (segment_known_ || runs_in(known.segment, protected_mode))) {
        segment_known_ = known.stays_in_segment;
        return known.address;
    }
    return look_for(access, protected_mode);
}

std::optional<UnicornBlock::Found> UnicornBlock::find_port_access() const {
    const Access access{start_, access_};
    return find(access.count(), [&access](const Instruction& found) {
        const unsigned op = found.opcode;
        const bool string = op >= 0x6C && op <= 0x6F;
        const bool other = (op >= 0xE4 && op <= 0xE7) || (op >= 0xEC && op <= 0xEF);
        return (string || other) && (op & 2) == (access.out() ? 2U : 0U);
    });
}

bus::CodeAddress UnicornBlock::look_for(const Access& access, bool protected_mode) {
    segment_known_ = false;
    const auto found = find_port_access();
    if (!found) return {};
    remember(access, *found, protected_mode);
    return found->address;
}

// The registers are up to date while a window is accessed, and say which instructions could do it. If that is more than one,
// nobody knows.
bus::CodeAddress UnicornBlock::address_of_window_access() const {
    const X86State state = memory_.state();
    const bool code32 = state.code32();
    unsigned could = 0;
    bus::CodeAddress address;
    walk(state, [&](const Instruction&, std::span<const std::uint8_t> rest, const bus::CodeAddress& at) {
        for (const auto& operand : memory_operands(rest, code32, state)) {
            if (!operand) continue;
            if (LinearMemory(memory_.physical(), memory_.write(), state).physical(operand->linear) != *window_access_)
                continue;
            ++could;
            address = at;
        }
        return could > 1;
    });
    return could == 1 ? address : bus::CodeAddress{};
}

// In real mode the base follows from the selector, and asking for that takes 15 ns, where the hidden parts take 60. A
// segment of which it is not true, as behind a switch of modes, is for remember() to find.
bool UnicornBlock::runs_in(const CodeSegment& segment, bool protected_mode) const {
    if (protected_mode) return context_.code_segment() == segment;
    return engine_.read_selector(UC_X86_REG_CS) == segment.selector && segment.is_of_real_mode();
}

// Code that runs stands where its linear address says.
std::span<const std::uint8_t> UnicornBlock::code(std::size_t length) const {
    return memory_.physical().at(masked(start_, memory_.a20_mask()), length);
}

void UnicornBlock::remember(const Access& access, const Found& found, bool protected_mode) {
    const CodeSegment segment = context_.code_segment();
    if (!protected_mode && !segment.is_of_real_mode()) return;
    AccessCache::Entry entry;
    entry.access = access;
    entry.segment = segment;
    entry.address = found.address;
    const std::size_t up_to_access = segment.base + found.address.offset - start_ + found.length;
    const bool whole = size_ <= AccessCache::Entry::kMostBytes;
    entry.stays_in_segment = whole && !find(1, is_far_transfer);
    const std::size_t length = whole ? size_ : up_to_access;
    if (length == 0 || length > AccessCache::Entry::kMostBytes) return;
    if (entry.make_from(code(AccessCache::Entry::kMostBytes), length, memory_.a20_mask())) cache_.slot(access) = entry;
}

std::optional<UnicornBlock::Found> UnicornBlock::find_intercepted(std::uint32_t report) const {
    return find(1, [report](const Instruction& found) { return intercepts(report, found); });
}

bool UnicornBlock::ends_with_load_of_ss(std::uint32_t next) const {
    if (size_ == 0 || start_ + size_ != next) return false;
    const auto bytes = code(size_);  // linear and physical are the same in real mode
    if (bytes.size() != size_) return false;
    constexpr std::uint8_t kPopSs = 0x17;
    constexpr std::uint8_t kMovSegment = 0x8E;
    const std::uint8_t last = bytes.back();
    if (last == kPopSs) return true;
    return bytes.size() >= 2 && bytes[bytes.size() - 2] == kMovSegment && (last >> 3 & 7) == kSs;
}

}  // namespace sla::cpu
