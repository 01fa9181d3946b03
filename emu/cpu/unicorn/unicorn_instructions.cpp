// The instructions that end a run of the library before they do anything, done here instead.
#include "emu/cpu/unicorn/unicorn_cpu.h"

#include <array>

namespace sla::cpu {

std::optional<Exit> UnicornCpu::emulate(std::uint32_t report, std::uint32_t error_code) {
    // EIP may be an older one.
    emulated_ = block_.find_intercepted(report);
    if (!emulated_) {
        return Exit{ExitReason::kFailed, 0, {}, address(), "the Unicorn CPU emulator does not say where it stopped"};
    }
    engine_.write(UC_X86_REG_EIP, emulated_->address.offset);
    const bool runs_again = report == intercepted::kWriteCr0;
    give_back_rest(runs_again ? 0 : static_cast<std::uint32_t>(emulated_->length));
    count_up_to_eip(!runs_again);
    std::optional<Exit> exit;
    switch (report) {
        case intercepted::kCpuid: {
            const CpuidAnswer answer = client_.cpuid(engine_.read(UC_X86_REG_EAX));
            engine_.write(UC_X86_REG_EAX, answer.eax);
            engine_.write(UC_X86_REG_EBX, answer.ebx);
            engine_.write(UC_X86_REG_ECX, answer.ecx);
            engine_.write(UC_X86_REG_EDX, answer.edx);
            skip();
            break;
        }
        case intercepted::kReadTsc:
            put_edx_eax(client_.read_tsc());
            skip();
            break;
        case intercepted::kReadCounter: exit = emulate_counter(); break;
        case intercepted::kMsr: exit = emulate_msr(error_code != 0); break;
        case intercepted::kHalt:
            exit = Exit{ExitReason::kHalt, 0, {}, emulated_->address, {}};
            skip();
            break;
        case intercepted::kWriteDr5:
        case intercepted::kWriteDr7: emulate_debug_write(); break;
        case intercepted::kWriteCr0:
            mode_.begin();
            update_intercepts();
            break;
        default:
            exit = Exit{
                ExitReason::kFailed, 0, {}, emulated_->address, "the Unicorn CPU emulator stopped for no reason SLA knows"};
    }
    emulated_.reset();
    return exit || runs_again ? exit : trap_behind();
}

// An instruction that was done here has run: the guest's own trap flag wants its exception.
std::optional<Exit> UnicornCpu::trap_behind() {
    constexpr std::uint32_t kSingleStep = 1U << 14;  // DR6
    if ((engine_.read(UC_X86_REG_EFLAGS) & flag::kTrap) == 0) return std::nullopt;
    engine_.write(UC_X86_REG_DR6, engine_.read(UC_X86_REG_DR6) | kSingleStep);
    return exception(vector::kDebug, std::nullopt);
}

std::optional<Exit> UnicornCpu::emulate_msr(bool write) {
    const std::uint32_t number = engine_.read(UC_X86_REG_ECX);
    if (write) {
        const std::uint64_t value = std::uint64_t{engine_.read(UC_X86_REG_EDX)} << 32 | engine_.read(UC_X86_REG_EAX);
        if (!client_.write_msr(number, value)) return exception(vector::kGeneralProtection, 0);
    } else {
        const auto value = client_.read_msr(number);
        if (!value) return exception(vector::kGeneralProtection, 0);
        put_edx_eax(*value);
    }
    skip();
    return std::nullopt;
}

std::optional<Exit> UnicornCpu::emulate_counter() {
    const auto value = client_.read_counter(engine_.read(UC_X86_REG_ECX));
    if (!value) return exception(vector::kGeneralProtection, 0);
    put_edx_eax(*value);
    skip();
    return std::nullopt;
}

// The library crashes when DR7 switches a breakpoint on. So it has the register's value, and never its effect.
void UnicornCpu::emulate_debug_write() {
    constexpr std::array kGeneral{UC_X86_REG_EAX, UC_X86_REG_ECX, UC_X86_REG_EDX, UC_X86_REG_EBX,
                                  UC_X86_REG_ESP, UC_X86_REG_EBP, UC_X86_REG_ESI, UC_X86_REG_EDI};
    constexpr std::uint32_t kAlwaysOne = 1U << 10;
    constexpr std::uint32_t kAnyEnabled = 0xFF;
    const X86State state = this->state();
    LinearMemory code(memory_.physical(), memory_.write(), state);
    const std::uint32_t last = state.segments[kCs].base + state.eip + static_cast<std::uint32_t>(emulated_->length) - 1;
    const std::uint32_t value = engine_.read(kGeneral[code.read(last, 1) & 7]);
    if ((value & kAnyEnabled) != 0) breakpoints_wanted_ = true;
    engine_.write(UC_X86_REG_DR7, value | kAlwaysOne);
    skip();
}

// VMCALL, VMMCALL and INT1 are no instructions of the library's processor.
std::optional<Exit> UnicornCpu::invalid_opcode() {
    const X86State state = this->state();
    LinearMemory code(memory_.physical(), memory_.write(), state);
    const std::uint32_t at = state.segments[kCs].base + state.eip;
    const std::uint32_t bytes = code.read(at, 4) & 0xFFFFFF;
    constexpr std::uint32_t kVmcall = 0xC1010F;
    constexpr std::uint32_t kVmmcall = 0xD9010F;
    constexpr std::uint32_t kCallBytes = 3;  // of either
    constexpr std::uint32_t kInt1 = 0xF1;
    const bool is_call = !code.fault() && (bytes == kVmcall || bytes == kVmmcall);
    give_back_rest(is_call ? kCallBytes : 0);
    count_up_to_eip(true);
    emulated_ = UnicornBlock::Found{address()};
    std::optional<Exit> exit;
    if (is_call) {
        engine_.write(UC_X86_REG_EAX, client_.hypercall(registers()));
        engine_.write(UC_X86_REG_EIP, state.eip + kCallBytes);
        exit = trap_behind();
    } else if (!code.fault() && (bytes & 0xFF) == kInt1) {
        engine_.write(UC_X86_REG_EIP, state.eip + 1);
        exit = exception(vector::kDebug, std::nullopt);
    } else {
        exit = exception(vector::kInvalidOpcode, std::nullopt);
    }
    emulated_.reset();
    return exit;
}

void UnicornCpu::finish_mode_write() {
    const std::uint32_t cr0 = engine_.read(UC_X86_REG_CR0);
    mode_.finish(cr0);
    counter_.look_again();
    pages_.set_paging((cr0 & control::kPaging) != 0);
    update_intercepts();
    if (traps_.mode) client_.mode_changed();
}

void UnicornCpu::put_edx_eax(std::uint64_t value) {
    engine_.write(UC_X86_REG_EAX, static_cast<std::uint32_t>(value));
    engine_.write(UC_X86_REG_EDX, static_cast<std::uint32_t>(value >> 32));
}

// Over the instruction at EIP.
void UnicornCpu::skip() {
    engine_.write(UC_X86_REG_EIP, emulated_->address.offset + static_cast<std::uint32_t>(emulated_->length));
    context_.end_shadow();
    shadow_ = false;
}

Exit UnicornCpu::exception(std::uint8_t number, std::optional<std::uint32_t> error_code) {
    return {ExitReason::kException, number, error_code, address(), {}};
}

}  // namespace sla::cpu
