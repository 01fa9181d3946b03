#include "emu/cpu/protected_delivery.h"

#include "emu/cpu/linear_memory.h"
#include "emu/cpu/task_switch.h"

namespace sla::cpu {

namespace {

// Types of system descriptors.
constexpr unsigned kTaskGate = 0x5;
constexpr unsigned kInterruptGate16 = 0x6;
constexpr unsigned kTrapGate16 = 0x7;
constexpr unsigned kInterruptGate32 = 0xE;
constexpr unsigned kTrapGate32 = 0xF;
constexpr unsigned kWideTss = 0x8;  // the bit that 32-bit task states have

}  // namespace

std::optional<Fault> ProtectedDelivery::run() {
    if (!read_gate()) return fault_;
    if (gate_.task) {
        TaskSwitch task(state_, memory_, external());
        fault_ = task.enter(gate_.selector, interrupt_.error_code);
        switched_ = task.switched();
    } else if (find_code() && choose_stack() && push_frame()) {
        commit();
    }
    return fault_;
}

bool ProtectedDelivery::fail(std::uint8_t number, std::uint32_t error_code) {
    fault_ = fault_of(number, error_code, memory_, state_);
    return false;
}

bool ProtectedDelivery::read_gate() {
    const std::uint32_t in_table = 8U * interrupt_.vector;
    const std::uint32_t error = in_table + 2 + external();
    if (in_table + 7 > state_.idt.limit) return fail(vector::kGeneralProtection, error);
    const std::uint32_t low = memory_.read(state_.idt.base + in_table, 4);
    const std::uint32_t high = memory_.read(state_.idt.base + in_table + 4, 4);
    const unsigned type = high >> 8 & 0x1F;
    gate_.wide = type == kInterruptGate32 || type == kTrapGate32;
    gate_.interrupt = type == kInterruptGate32 || type == kInterruptGate16;
    gate_.task = type == kTaskGate;
    const bool valid = gate_.wide || gate_.task || type == kInterruptGate16 || type == kTrapGate16;
    if (memory_.fault() || !valid) return fail(vector::kGeneralProtection, error);
    const bool by_program = interrupt_.kind == Interrupt::Kind::kSoftware;
    if (by_program && (high >> 13 & 3) < state_.cpl) return fail(vector::kGeneralProtection, error);
    if ((high & Segment::kPresent) == 0) return fail(vector::kNotPresent, error);
    gate_.selector = static_cast<std::uint16_t>(low >> 16);
    gate_.offset = (low & 0xFFFF) | (gate_.wide ? high & 0xFFFF0000 : 0);
    return true;
}

bool ProtectedDelivery::find_code() {
    const std::uint32_t error = (gate_.selector & kNotRing) | external();
    if ((gate_.selector & kNotRing) == 0) return fail(vector::kGeneralProtection, external());
    const auto found = read_descriptor(gate_.selector, state_, memory_);
    if (!found || !found->has(Segment::kNotSystem | Segment::kCode) || found->dpl() > state_.cpl) {
        return fail(vector::kGeneralProtection, error);
    }
    if (!found->has(Segment::kPresent)) return fail(vector::kNotPresent, error);
    code_ = *found;
    inner_ = !code_.has(Segment::kConforming) && code_.dpl() < state_.cpl;
    ring_ = inner_ ? code_.dpl() : state_.cpl;
    // From virtual 8086 mode, handlers run in ring 0 and nowhere else.
    if (state_.virtual_8086() && (!inner_ || ring_ != 0)) return fail(vector::kGeneralProtection, error);
    if (gate_.offset > code_.limit) return fail(vector::kGeneralProtection, external());
    return true;
}

bool ProtectedDelivery::choose_stack() {
    if (inner_) return read_inner_stack(ring_);
    stack_ = {state_.segments[kSs], state_.general[kEsp]};
    return true;
}

bool ProtectedDelivery::read_inner_stack(unsigned ring) {
    const bool wide = (state_.task.attributes >> 8 & kWideTss) != 0;
    const std::uint32_t entry = wide ? 4 + 8 * ring : 2 + 4 * ring;
    const unsigned bytes = wide ? 4 : 2;
    const std::uint32_t error_of_task = (state_.task.selector & kNotRing) | external();
    if (entry + bytes + 1 > state_.task.limit) return fail(vector::kInvalidTss, error_of_task);
    stack_.sp = memory_.read(state_.task.base + entry, bytes);
    const auto selector = static_cast<std::uint16_t>(memory_.read(state_.task.base + entry + bytes, 2));
    const std::uint32_t error = (selector & kNotRing) | external();
    if (memory_.fault() || (selector & kNotRing) == 0) return fail(vector::kInvalidTss, error);
    const auto found = read_descriptor(selector, state_, memory_);
    const bool fits = found && (selector & 3U) == ring && found->dpl() == ring && !found->has(Segment::kCode) &&
                      found->has(Segment::kNotSystem | Segment::kWritable);
    if (!fits) return fail(vector::kInvalidTss, error);
    if (!found->has(Segment::kPresent)) return fail(vector::kStackFault, error);
    stack_.segment = *found;
    return true;
}

void ProtectedDelivery::push(std::uint32_t value) {
    const unsigned bytes = gate_.wide ? 4 : 2;
    const std::uint32_t mask = stack_.segment.has(Segment::kBig) ? 0xFFFFFFFFU : 0xFFFFU;
    stack_.sp = (stack_.sp & ~mask) | ((stack_.sp - bytes) & mask);
    const std::uint32_t offset = stack_.sp & mask;
    const std::uint32_t last = offset + bytes - 1;
    const bool outside = stack_.segment.has(Segment::kExpandDown) ? offset <= stack_.segment.limit
                                                                  : last > stack_.segment.limit || last < offset;
    if (outside && !fault_) {
        fail(vector::kStackFault, inner_ ? (stack_.segment.selector & kNotRing) | external() : external());
    }
    if (!fault_) memory_.write(stack_.segment.base + offset, bytes, value);
}

bool ProtectedDelivery::push_frame() {
    if (state_.virtual_8086()) {
        for (const SegmentIndex index : {kGs, kFs, kDs, kEs}) push(state_.segments[index].selector);
    }
    if (inner_) {
        push(state_.segments[kSs].selector);
        push(state_.general[kEsp]);
    }
    push(state_.eflags);
    push(state_.segments[kCs].selector);
    push(state_.eip);
    if (interrupt_.error_code) push(*interrupt_.error_code);
    if (memory_.fault()) return fail(vector::kPageFault, 0);
    return !fault_;
}

void ProtectedDelivery::commit() {
    if (state_.virtual_8086()) {
        for (const SegmentIndex index : {kGs, kFs, kDs, kEs}) state_.segments[index] = Segment{};
    }
    if (inner_) state_.segments[kSs] = stack_.segment;
    state_.general[kEsp] = stack_.sp;
    state_.segments[kCs] = code_;
    state_.segments[kCs].selector = static_cast<std::uint16_t>((gate_.selector & kNotRing) | ring_);
    state_.segments[kCs].attributes |= Segment::kAccessed;
    state_.cpl = ring_;
    state_.eip = gate_.offset;
    state_.eflags &= ~(flag::kTrap | flag::kNestedTask | flag::kResume | flag::kVirtual8086);
    if (gate_.interrupt) state_.eflags &= ~flag::kInterrupt;
}

}  // namespace sla::cpu
