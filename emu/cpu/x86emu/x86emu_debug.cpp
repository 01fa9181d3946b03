// Debug exceptions, which the library has none of: the trap flag, breakpoints of DR0 to DR3, and access to debug registers that
// DR7 guards.
//
//   before an instruction: breakpoint on its address, guarded access ──► fault, EIP at it
//   behind it:             trap flag, data and port breakpoints      ──► trap, EIP at the next one
//
// Behind a load of SS traps wait for one more instruction, and the trap flag's own is forgotten.
#include "emu/cpu/x86emu/x86emu_cpu.h"

#include <utility>

namespace sla::cpu {

namespace {

constexpr std::uint32_t kGuarded = 1U << 13;     // DR6 and DR7
constexpr std::uint32_t kSingleStep = 1U << 14;  // DR6
constexpr std::uint32_t kAnyEnabled = 0xFF;      // DR7

bool reads_or_writes_debug_register(unsigned op) {
    return op == 0x0F21 || op == 0x0F23;
}

bool loads_ss(const Instruction& found) {
    return found.opcode == 0x17 || (found.opcode == 0x8E && found.reg() == kSs);
}

}  // namespace

bool X86emuCpu::debug_exception(std::uint32_t reasons) {
    emu_->x86.drx[6] |= reasons;
    emu_->x86.drx[7] &= ~kGuarded;
    return fault(vector::kDebug, std::nullopt);
}

bool X86emuCpu::traps_are_done() {
    if (std::exchange(debug_traps_wait_, false)) {
        debug_traps_ &= ~kSingleStep;
        return true;
    }
    return debug_exception(debug_traps_);
}

// RF lets an instruction run once on which there is a breakpoint.
bool X86emuCpu::may_begin(std::uint32_t at, const Instruction& found) {
    auto& cpu = emu_->x86;
    if (reads_or_writes_debug_register(found.opcode) && (cpu.drx[7] & kGuarded) != 0) return debug_exception(kGuarded);
    const bool resumed = (cpu.R_EFLG & flag::kResume) != 0;
    const std::uint32_t hit = resumed ? 0 : fetch_breakpoints(at);
    if (hit != 0) return debug_exception(hit | debug_traps_);
    cpu.R_EFLG &= ~flag::kResume;
    if ((cpu.R_EFLG & flag::kTrap) != 0) debug_traps_ |= kSingleStep;
    debug_traps_wait_ = loads_ss(found);
    return true;
}

std::uint32_t X86emuCpu::fetch_breakpoints(std::uint32_t address) const {
    const auto& dr = emu_->x86.drx;
    if ((dr[7] & kAnyEnabled) == 0) return 0;
    std::uint32_t hit = 0;
    for (unsigned n = 0; n < 4; ++n) {
        const bool enabled = (dr[7] >> (2 * n) & 3) != 0;
        const auto use = static_cast<Use>(dr[7] >> (16 + 4 * n) & 3);
        if (enabled && use == Use::kExecute && dr[n] == address) hit |= 1U << n;
    }
    return hit;
}

}  // namespace sla::cpu
