// The models of a Pentium's parts, fed with what a CPU does that sees every instruction. They are cold when the first
// counter asks for one of theirs, and run until none does. Each part's header says what is modelled, and what is not.
#pragma once

#include "emu/bus/state_visitor.h"
#include "emu/cpu/executed.h"
#include "emu/pmc/p5_branches.h"
#include "emu/pmc/p5_caches.h"
#include "emu/pmc/p5_counts.h"
#include "emu/pmc/p5_pipes.h"

#include <optional>

namespace sla::pmc {

class P5 {
public:
    explicit P5(std::uint64_t ram_bytes) : caches_(counts_, ram_bytes) {}

    [[nodiscard]] const P5Counts& counts() const { return counts_; }

    // An instruction is about to run; its accesses follow.
    void instruction(const cpu::Executed& now);
    void access(std::uint32_t address, unsigned bytes, bool write);
    // The last instruction is done, and the next one stands at that EIP.
    void resolve(std::uint32_t eip);
    // A handler is entered before the instruction at that EIP.
    void interrupted(std::uint32_t eip);
    // Everything empty; counts stay.
    void clear();

    void visit_state(bus::StateVisitor& state);

private:
    void visit_counts(bus::StateVisitor& state);

    struct Last {
        std::uint32_t address = 0;
        std::uint32_t next = 0;  // EIP behind it
        bool near_branch = false;
        bool far = false;
    };
    P5Counts counts_;
    P5Caches caches_;
    P5Branches branches_{counts_};
    P5Pipes pipes_{counts_};
    std::optional<Last> last_;
    std::optional<std::uint32_t> line_;  // of code, the one fetched last
};

}  // namespace sla::pmc
