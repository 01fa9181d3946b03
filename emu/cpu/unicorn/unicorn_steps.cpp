// Stop points: blocks that hold one are run an instruction at a time, by the trap flag, unnoticed by the guest.
//
//   block with a stop point ──► stopped before ──► run with TF: one instruction ──► exception 1 ──► the rest of the block
#include "emu/cpu/unicorn/unicorn_cpu.h"

#include <array>

namespace sla::cpu {

namespace {

constexpr std::uint8_t kDebugException = 1;
constexpr std::uint16_t kPushFlags = 0x9C;
constexpr std::uint16_t kPopFlags = 0x9D;
constexpr std::uint16_t kReturnFromHandler = 0xCF;

}  // namespace

bool UnicornCpu::stops_or_steps(std::uint32_t start, std::uint32_t size) {
    if (step_.armed) {
        if (!points_->stops_at(start)) return false;
        shadow_ = in_shadow(start);
        stop_before(start, ExitReason::kStopPoint);
        return true;
    }
    if (!points_->within(start, size)) return false;
    step_.wanted = true;
    stop_before(start, std::nullopt);
    return true;
}

void UnicornCpu::arm_step() {
    const X86State now = state();
    std::array<std::uint8_t, kMaxInstructionBytes> code{};
    for (std::uint32_t i = 0; i < code.size(); ++i) code[i] = read_byte(now.segments[kCs].base + now.eip + i).value_or(0);
    const auto found = decode(code, now.code32());
    step_ = {false, true, (now.eflags & flag::kTrap) != 0, found ? found->opcode : Instruction::kUnknown};
    engine_.write(UC_X86_REG_EFLAGS, now.eflags | flag::kTrap);
}

bool UnicornCpu::finish_step() {
    step_.armed = false;
    const bool done = !step_.trapped_itself && !end_.before_block && end_.vector == kDebugException;
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
    if (done) exceptions_.take();
    return done;
}

}  // namespace sla::cpu
