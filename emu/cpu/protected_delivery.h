// interrupt_delivery in protected mode, one interrupt.
#pragma once

#include "emu/cpu/interrupt_delivery.h"

#include <optional>

namespace sla::cpu {

class ProtectedDelivery {
public:
    ProtectedDelivery(const Interrupt& interrupt, X86State& state, LinearMemory& memory)
        : interrupt_(interrupt), state_(state), memory_(memory) {}

    std::optional<Fault> run();
    // By a task gate: whatever run() gave, the registers are those of another task.
    [[nodiscard]] bool switched() const { return switched_; }

private:
    struct Gate {
        std::uint16_t selector = 0;
        std::uint32_t offset = 0;
        bool wide = false;       // 32-bit frame
        bool interrupt = false;  // clears IF
        bool task = false;       // selector: of a task
    };
    struct Stack {
        Segment segment;
        std::uint32_t sp = 0;
    };

    // Each step gives true to go on, false when fault_ is set.
    bool read_gate();
    bool find_code();
    bool choose_stack();
    bool read_inner_stack(unsigned ring);
    bool push_frame();
    void commit();

    bool fail(std::uint8_t number, std::uint32_t error_code);
    void push(std::uint32_t value);
    // 1 when the event is not an INT n of the program.
    [[nodiscard]] std::uint32_t external() const { return interrupt_.kind == Interrupt::Kind::kSoftware ? 0 : 1; }

    const Interrupt& interrupt_;
    X86State& state_;
    LinearMemory& memory_;
    std::optional<Fault> fault_;
    Gate gate_;
    Segment code_;
    Stack stack_;
    unsigned ring_ = 0;   // of the handler
    bool inner_ = false;  // another stack than the present one
    bool switched_ = false;
};

}  // namespace sla::cpu
