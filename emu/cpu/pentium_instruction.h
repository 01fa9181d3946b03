// Whether a Pentium with MMX has an instruction. What KVM's emulation of a guest gives up on is either invalid, which a guest
// may count on, or the host's lack, which no handler of the guest can help.
#pragma once

#include "emu/cpu/x86_state.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace sla::cpu {

// The first instruction of the code as text, "fwait", where a Pentium in that mode does it; nothing where it is an invalid
// opcode there.
std::optional<std::string> pentium_instruction(std::span<const std::uint8_t> code, const X86State& state);

}  // namespace sla::cpu
