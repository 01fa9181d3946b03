// Enters the handler of an interrupt or exception as the processor does it: real mode, protected mode with rings and the
// TSS's stacks, from virtual 8086 mode, through task gates. For backends whose library does not. Rules: Intel's manual,
// volume 3, chapter 6.
//
// Either the whole state changes, or a fault comes back and nothing changed but CR2 and, for INT n, EIP (back to the INT). A
// task gate has a third way: a fault comes back that belongs to the task which was switched to.
#pragma once

#include "emu/cpu/linear_memory.h"
#include "emu/cpu/x86_state.h"

#include <cstdint>
#include <optional>

namespace sla::cpu {

struct Interrupt {
    enum class Kind {
        kExternal,   // from outside: INTR
        kNmi,        // the NMI pin
        kSoftware,   // INT n, INT3, INTO; EIP is behind it
        kException,  // EIP is where the handler shall return to
    };
    std::uint8_t vector = 0;
    Kind kind = Kind::kExternal;
    std::optional<std::uint32_t> error_code;
    std::uint32_t instruction = 0;  // EIP of the INT n; only kSoftware
};

struct Fault {
    std::uint8_t vector = 0;
    std::optional<std::uint32_t> error_code;
};

namespace vector {
inline constexpr std::uint8_t kDivideError = 0;
inline constexpr std::uint8_t kDebug = 1;
inline constexpr std::uint8_t kNmi = 2;
inline constexpr std::uint8_t kInvalidOpcode = 6;
inline constexpr std::uint8_t kDeviceNotAvailable = 7;
inline constexpr std::uint8_t kDoubleFault = 8;
inline constexpr std::uint8_t kInvalidTss = 10;
inline constexpr std::uint8_t kNotPresent = 11;
inline constexpr std::uint8_t kStackFault = 12;
inline constexpr std::uint8_t kGeneralProtection = 13;
inline constexpr std::uint8_t kPageFault = 14;
inline constexpr std::uint8_t kAlignmentCheck = 17;
}  // namespace vector

constexpr bool pushes_error_code(std::uint32_t number) {
    return number == vector::kDoubleFault || (number >= vector::kInvalidTss && number <= vector::kPageFault) ||
           number == vector::kAlignmentCheck;
}

// What the fault makes of the exception during whose delivery it came: itself, or a double fault.
Interrupt escalate(const Interrupt& delivering, const Fault& fault);

// `use`: where a handler was entered, what that took of memory.
std::optional<Fault> deliver(const Interrupt& interrupt, X86State& state, const bus::Memory& memory,
                             const PhysicalWrite& write, MemoryUse* use = nullptr);

}  // namespace sla::cpu
