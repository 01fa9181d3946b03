// A Pentium's two pipes, as a model that counts. An instruction goes into V beside the one before it in U when the pair
// keeps the rules of p5_instruction.h, and V neither reads nor writes a register that U writes. Both at memory: an access
// each; in the same of eight banks (address bits 2-4): a conflict. An address made of a register that was written in the
// clock before costs one clock. Where this differs from the chip: code always comes as fast as it runs, so code that runs
// for the first time pairs too; and no other stall separates a pair.
#pragma once

#include "emu/bus/state_visitor.h"
#include "emu/pmc/p5_counts.h"
#include "emu/pmc/p5_instruction.h"

#include <cstdint>
#include <optional>

namespace sla::pmc {

class P5Pipes {
public:
    explicit P5Pipes(P5Counts& counts) : counts_(counts) {}

    void run(const P5Instruction& instruction);
    // Its first access to memory.
    void access(std::uint32_t address);
    // The next instruction comes from elsewhere, and pairs with nothing before it.
    void separate() { u_.reset(); }
    void clear();

    void visit_state(bus::StateVisitor& state);

private:
    [[nodiscard]] static bool pairs(const P5Instruction& u, const P5Instruction& v);

    P5Counts& counts_;
    std::optional<P5Instruction> u_;          // waits for a partner
    bool in_v_ = false;                       // the present instruction
    bool accessed_ = false;                   // it did already
    bool waited_ = false;                     // this clock's address interlock is counted
    std::optional<std::uint32_t> u_address_;  // of U's access
    std::uint8_t written_ = 0;                // registers, in this clock
    std::uint8_t written_before_ = 0;         // in the one before
};

}  // namespace sla::pmc
