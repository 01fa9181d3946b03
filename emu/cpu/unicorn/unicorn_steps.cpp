// Stop points: blocks that hold one are run an instruction at a time, by the trap flag, unnoticed by the guest.
//
//   block with a stop point ──► stopped before ──► run with TF: one instruction ──► exception 1 ──► the rest of the block
//
// Such a block counts when it is entered, as others do, and interrupts wait for its end: so by the virtual clock everything
// happens at the time at which it happens anyway.
#include "emu/bus/in_range.h"
#include "emu/cpu/instruction_kinds.h"
#include "emu/cpu/unicorn/unicorn_cpu.h"

#include <algorithm>
#include <array>

namespace sla::cpu {

namespace {

constexpr std::uint16_t kPushFlags = 0x9C;
constexpr std::uint16_t kPopFlags = 0x9D;
constexpr std::uint16_t kReturnFromHandler = 0xCF;

constexpr bool compares(unsigned op) {
    return bus::in_range(op, 0xA6, 0xA7) || bus::in_range(op, 0xAE, 0xAF);
}

}  // namespace

bool UnicornCpu::stops_or_steps(std::uint32_t start, std::uint32_t size) {
    if (step_.armed) {
        if (!points_->stops_at(start)) return false;
        shadow_ = in_shadow(start);
        stop_before(start, ExitReason::kStopPoint);
        return true;
    }
    const bool begins = points_->enters_block(ahead_ != 0);
    if (!points_->within(start, size)) {
        if (begins) points_->passes_block();
        return false;
    }
    if (ahead_ == 0) {
        budget_ -= std::min<std::uint64_t>(budget_, size);
        executed_ += size;
        ahead_ = size;
    }
    step_from(start);
    return true;
}

void UnicornCpu::step_from(std::uint32_t start) {
    step_.wanted = true;
    stop_before(start, std::nullopt);
}

void UnicornCpu::arm_step() {
    const X86State now = state();
    std::array<std::uint8_t, kMaxInstructionBytes> code{};
    for (std::uint32_t i = 0; i < code.size(); ++i) code[i] = read_byte(now.segments[kCs].base + now.eip + i).value_or(0);
    const auto found = decode(code, now.code32());
    step_ = {false,
             true,
             (now.eflags & flag::kTrap) != 0,
             found ? found->opcode : Instruction::kUnknown,
             engine_.read(UC_X86_REG_DR6),
             {},
             {}};
    if (found) note_last_turn(now, *found, code);
    engine_.write(UC_X86_REG_EFLAGS, now.eflags | flag::kTrap);
}

bool UnicornCpu::finish_step() {
    step_.armed = false;
    const bool done = !step_.trapped_itself && !end_.before_block && end_.vector == vector::kDebug;
    const bool flags_are_the_guests = done && (step_.opcode == kPopFlags || step_.opcode == kReturnFromHandler);
    if (!flags_are_the_guests && !step_.trapped_itself) {
        engine_.write(UC_X86_REG_EFLAGS, engine_.read(UC_X86_REG_EFLAGS) & ~flag::kTrap);
    }
    if (done && step_.opcode == kPushFlags) {
        const X86State now = state();
        const Segment& stack = now.segments[kSs];
        const std::uint32_t top = now.general[kEsp] & (stack.has(Segment::kBig) ? 0xFFFFFFFF : 0xFFFF);
        constexpr std::uint8_t kTrapInSecondByte = flag::kTrap >> 8;
        const std::uint32_t at = stack.base + top + 1;
        if (const auto pushed = read_byte(at)) write_byte(at, *pushed & static_cast<std::uint8_t>(~kTrapInSecondByte));
    }
    if (!end_.before_block && points_ != nullptr && points_->watches()) {
        points_->look_for_changes([this](std::uint32_t linear) { return read_byte(linear); });
    }
    if (!done) return false;
    exceptions_.take();
    engine_.write(UC_X86_REG_DR6, step_.debug_status);
    take_turn_at_zero();
    return true;
}

void UnicornCpu::note_last_turn(const X86State& now, const Instruction& found, std::span<const std::uint8_t> code) {
    const std::uint32_t count = now.general[kEcx] & (found.wide_address ? 0xFFFFFFFF : 0xFFFF);
    if (!found.repeated || !is_string(found) || count != 1 || step_.trapped_itself) return;
    step_.last_turn = now.eip;
    if (!compares(found.opcode)) return;
    constexpr std::uint8_t kRepeatWhileNotZero = 0xF2;
    const auto prefixes = code.first(found.length - 1);
    step_.turns_while = std::find(prefixes.begin(), prefixes.end(), kRepeatWhileNotZero) == prefixes.end();
}

// The library's code takes one more turn with a count of zero, except where it is stepped. That turn takes its time.
void UnicornCpu::take_turn_at_zero() {
    if (!step_.last_turn || engine_.read(UC_X86_REG_EIP) == *step_.last_turn) return;
    const bool zero = (engine_.read(UC_X86_REG_EFLAGS) & flag::kZero) != 0;
    if (step_.turns_while && *step_.turns_while != zero) return;
    engine_.write(UC_X86_REG_EIP, *step_.last_turn);
}

}  // namespace sla::cpu
