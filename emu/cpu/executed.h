// What a CPU that sees every instruction reports: the one that is about to run, and what all have done since power-on. Each
// number is exact: how often the instructions run would do it on a processor without caches.
#pragma once

#include "emu/bus/state_visitor.h"
#include "emu/cpu/instruction.h"
#include "emu/cpu/interrupt_delivery.h"

#include <array>
#include <cstdint>

namespace sla::cpu {

struct Executed {
    std::uint32_t address = 0;  // linear
    std::uint32_t eip = 0;
    Instruction instruction;
};

// Which of the counts a CPU keeps.
enum class Counting : std::uint8_t {
    kNothing,
    kBlocks,  // port_accesses and hardware_interrupts; and what follows from blocks of code, while somebody wants it
    kEverything,
};

struct EventCounts {
    std::uint64_t instructions = 0;
    std::uint64_t data_reads = 0;  // as count_cycles has them, as the next
    std::uint64_t data_writes = 0;
    std::uint64_t misaligned = 0;     // of memory and of ports
    std::uint64_t segment_loads = 0;  // and handlers entered: once, twice from another ring
    std::uint64_t branches = 0;       // counts_as_branch, taken or not; interrupts and exceptions
    std::uint64_t locked = 0;         // LOCK prefix, or XCHG with memory
    std::uint64_t port_accesses = 0;  // as count_cycles has them
    std::uint64_t floating_point = 0;
    std::uint64_t hardware_interrupts = 0;
    std::uint64_t code_lines = 0;  // of 32 bytes that execution came to; by a CPU that counts blocks
    // Accesses and instructions that match what DR0 to DR3 describe, whether they are switched on in DR7 or not.
    std::array<std::uint64_t, 4> breakpoints{};

    void port(std::uint16_t port, unsigned bytes) { count_cycles(port, bytes, port_accesses, misaligned); }
    // A handler was entered.
    void entered(const Interrupt& interrupt, bool from_another_ring, const MemoryUse& use);
    void visit_state(bus::StateVisitor& state);
};

}  // namespace sla::cpu
