#include "emu/cpu/interrupt_delivery.h"

#include "emu/cpu/protected_delivery.h"

namespace sla::cpu {

namespace {

constexpr bool is_contributory(std::uint8_t number) {
    return number == vector::kDivideError || (number >= vector::kInvalidTss && number <= vector::kGeneralProtection);
}

std::optional<Fault> deliver_real(const Interrupt& interrupt, X86State& state, LinearMemory& memory) {
    const std::uint32_t entry = 4U * interrupt.vector;
    if (entry + 3 > state.idt.limit) return Fault{vector::kGeneralProtection, {}};
    const std::uint32_t target = memory.read(state.idt.base + entry, 4);

    Segment& code = state.segments[kCs];
    const Segment& stack = state.segments[kSs];
    const std::uint32_t mask = stack.has(Segment::kBig) ? 0xFFFFFFFFU : 0xFFFFU;
    std::uint32_t sp = state.general[kEsp];
    for (const std::uint32_t word : {state.eflags, std::uint32_t{code.selector}, state.eip}) {
        sp -= 2;
        memory.write(stack.base + (sp & mask), 2, word);
    }
    state.general[kEsp] = (state.general[kEsp] & ~mask) | (sp & mask);
    state.eflags &= ~(flag::kInterrupt | flag::kTrap);
    code.selector = static_cast<std::uint16_t>(target >> 16);
    code.base = std::uint32_t{code.selector} << 4;
    state.eip = target & 0xFFFF;
    return std::nullopt;
}

}  // namespace

Interrupt escalate(const Interrupt& delivering, const Fault& fault) {
    const bool exception = delivering.kind == Interrupt::Kind::kException;
    const bool contributory = is_contributory(fault.vector);
    const bool doubled =
        exception && ((is_contributory(delivering.vector) && contributory) ||
                      (delivering.vector == vector::kPageFault && (contributory || fault.vector == vector::kPageFault)));
    if (doubled) return {vector::kDoubleFault, Interrupt::Kind::kException, 0, 0};
    return {fault.vector, Interrupt::Kind::kException, fault.error_code, 0};
}

std::optional<Fault> deliver(const Interrupt& interrupt, X86State& state, const bus::Memory& memory,
                             const PhysicalWrite& write, MemoryUse* use) {
    LinearMemory linear(memory, write, state);
    if (!state.protected_mode()) {
        const auto fault = deliver_real(interrupt, state, linear);
        if (use != nullptr) *use = linear.use();
        if (fault && interrupt.kind == Interrupt::Kind::kSoftware) state.eip = interrupt.instruction;
        return fault;
    }
    ProtectedDelivery delivery(interrupt, state, linear);
    const auto fault = delivery.run();
    if (use != nullptr) *use = linear.use();
    const bool back = fault && !delivery.switched() && interrupt.kind == Interrupt::Kind::kSoftware;
    if (back) state.eip = interrupt.instruction;
    return fault;
}

}  // namespace sla::cpu
