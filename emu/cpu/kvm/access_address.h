// Where the instruction stands that makes an access, found from the processor's state while the access is served: it is the
// one at EIP, or it ends there. For a CPU that does not say. Only the code decides, so one answer that fits is an answer,
// two are none.
#pragma once

#include "emu/cpu/linear_memory.h"
#include "emu/cpu/x86_state.h"

#include <cstdint>
#include <optional>

namespace sla::cpu {

struct PortAccess {
    bool out = false;
    unsigned size = 0;
    std::uint16_t port = 0;
};

// EIP moves over an OUT early on some hosts of KVM; an IN is at EIP.
std::optional<std::uint32_t> address_of(const PortAccess& access, const X86State& state, LinearMemory& memory,
                                        bool out_ends_behind);

struct MemoryAccess {  // to a chip's window
    bool write = false;
    unsigned size = 0;
    std::uint32_t address = 0;  // physical
};

// A read is at EIP. A write is behind its instruction, with the registers that it changed; a repeated one is at
// EIP. Accesses of the stack are left out.
std::optional<std::uint32_t> address_of(const MemoryAccess& access, const X86State& state, LinearMemory& memory);

}  // namespace sla::cpu
