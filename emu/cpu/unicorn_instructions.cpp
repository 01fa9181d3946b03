// The instructions that end a run of the library before they do anything, done here instead.
#include "emu/cpu/unicorn_cpu.h"

namespace sla::cpu {

std::optional<Stop> UnicornCpu::emulate(std::uint32_t report, std::uint32_t error_code) {
    if (!find_place(report)) {
        return Stop{StopReason::kFailed, 0, {}, address(), "the Unicorn CPU emulator does not say where it stopped"};
    }
    give_back_rest();
    instruction_ = address();
    std::optional<Stop> stop;
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
        case intercepted::kReadCounter: stop = emulate_counter(); break;
        case intercepted::kMsr: stop = emulate_msr(error_code != 0); break;
        case intercepted::kHalt:
            stop = Stop{StopReason::kHalt, 0, {}, *instruction_, {}};
            skip();
            break;
        case intercepted::kWriteCr0:
            blocks_to_mode_ = 2;  // its own block again, and the one behind it
            update_intercepts();
            break;
        default:
            stop =
                Stop{StopReason::kFailed, 0, {}, *instruction_, "the Unicorn CPU emulator stopped for no reason SLA knows"};
    }
    instruction_.reset();
    return stop;
}

std::optional<Stop> UnicornCpu::emulate_msr(bool write) {
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

std::optional<Stop> UnicornCpu::emulate_counter() {
    const auto value = client_.read_counter(engine_.read(UC_X86_REG_ECX));
    if (!value) return exception(vector::kGeneralProtection, 0);
    put_edx_eax(*value);
    skip();
    return std::nullopt;
}

// VMCALL and VMMCALL are no instructions of the library's processor.
std::optional<Stop> UnicornCpu::invalid_opcode() {
    give_back_rest();
    instruction_ = address();
    const X86State state = this->state();
    LinearMemory code(memory_, write_, state);
    const std::uint32_t at = state.segments[kCs].base + state.eip;
    const std::uint32_t bytes = code.read(at, 4) & 0xFFFFFF;
    constexpr std::uint32_t kVmcall = 0xC1010F;
    constexpr std::uint32_t kVmmcall = 0xD9010F;
    std::optional<Stop> stop;
    if (!code.fault() && (bytes == kVmcall || bytes == kVmmcall)) {
        engine_.write(UC_X86_REG_EAX, client_.hypercall(registers()));
        engine_.write(UC_X86_REG_EIP, state.eip + 3);
    } else {
        stop = exception(vector::kInvalidOpcode, std::nullopt);
    }
    instruction_.reset();
    return stop;
}

void UnicornCpu::finish_mode_write() {
    mode_written_ = false;
    const std::uint32_t cr0 = engine_.read(UC_X86_REG_CR0);
    protected_ = (cr0 & control::kProtectionEnable) != 0;
    paged_ = (cr0 & control::kPaging) != 0;
    checked_page_ = 0;
    if (paged_) look_for_moved_pages();
    update_intercepts();
    if (traps_.mode) client_.mode_changed();
}

void UnicornCpu::put_edx_eax(std::uint64_t value) {
    engine_.write(UC_X86_REG_EAX, static_cast<std::uint32_t>(value));
    engine_.write(UC_X86_REG_EDX, static_cast<std::uint32_t>(value >> 32));
}

// Over the instruction at EIP.
void UnicornCpu::skip() {
    engine_.write(UC_X86_REG_EIP, instruction_->offset + static_cast<std::uint32_t>(length_));
    context_.end_shadow();
    shadow_ = false;
}

Stop UnicornCpu::exception(std::uint8_t number, std::optional<std::uint32_t> error_code) {
    return {StopReason::kException, number, error_code, address(), {}};
}

}  // namespace sla::cpu
