// What the end of a run means.
#include "emu/cpu/unicorn/unicorn_cpu.h"

#include <array>
#include <cstdio>

namespace sla::cpu {

std::optional<Exit> UnicornCpu::describe_interrupt() {
    const auto cause = exceptions_.take();
    if (*end_.vector >= intercepted::kFirst) return emulate(*end_.vector, cause.error_code);
    give_back_rest();
    if (cause.software_interrupt || *end_.vector == vector::kDebug) {
        counter_.leave();  // EIP may be where it jumped to
        report_count();
    } else {
        count_up_to_eip(true);
    }
    if (!cause.software_interrupt && *end_.vector == vector::kGeneralProtection && is_at_counter_read()) {
        emulated_ = UnicornBlock::Found{address(), 2};
        const auto refused = emulate_counter();
        emulated_.reset();
        return refused;
    }
    Exit exit;
    exit.vector = static_cast<std::uint8_t>(*end_.vector);
    exit.reason = cause.software_interrupt ? ExitReason::kSoftwareInterrupt : ExitReason::kException;
    exit.address = address();
    if (cause.software_interrupt) exit.address.offset -= length_of_interrupt(exit);
    if (!cause.software_interrupt && pushes_error_code(*end_.vector)) exit.error_code = cause.error_code;
    return exit;
}

// The guest's last access: what stands behind it in its block has not run. The library was left in the middle of its work.
Exit UnicornCpu::end_behind_access() {
    translated_ = kMaxTranslated;  // if anything is to run, then in another engine
    shadow_ = false;
    const auto last = block_.find_port_access();
    const auto length = last ? static_cast<std::uint32_t>(last->length) : 0;
    engine_.write(UC_X86_REG_EIP, last ? last->address.offset + length : block_.start() - code_base());
    give_back_rest();
    count_up_to_eip(false);
    return {ExitReason::kBudgetUsed, 0, {}, address(), {}};
}

// The library refuses RDPMC in ring 3 where CR4.PCE allows it, and takes it where it does not.
bool UnicornCpu::is_at_counter_read() const {
    constexpr std::uint32_t kReadCounter = 0x330F;
    const X86State state = this->state();
    LinearMemory code(memory_.physical(), memory_.write(), state);
    return code.read(state.segments[kCs].base + state.eip, 2) == kReadCounter && !code.fault();
}

// INT3 and INTO are one byte; but INT 3 and INT 4 also come in two.
std::uint32_t UnicornCpu::length_of_interrupt(const Exit& exit) const {
    constexpr std::uint8_t kBreakpoint = 3;
    constexpr std::uint8_t kOverflow = 4;
    if (exit.vector != kBreakpoint && exit.vector != kOverflow) return 2;
    const X86State state = this->state();
    LinearMemory code(memory_.physical(), memory_.write(), state);
    const std::uint32_t before = code.read(state.segments[kCs].base + state.eip - 1, 1);
    return before == kBreakpoint || before == kOverflow ? 2 : 1;
}

// The engine is in an unknown state: reading registers still works, closing it may not.
Exit UnicornCpu::give_up(const std::string& signal) {
    const CodeAddress after = block_.size() == 0
                                  ? address()
                                  : CodeAddress{engine_.read_selector(UC_X86_REG_CS), block_.start() - code_base(), true};
    engine_.abandon();
    return {ExitReason::kFailed, 0, {}, after, "the Unicorn CPU emulator failed (" + signal + ") on the code that follows"};
}

Exit UnicornCpu::describe_remapped() const {
    return {ExitReason::kFailed, 0, {}, address(), pages_.failure()};
}

Exit UnicornCpu::describe_failure(uc_err error) {
    Exit exit{ExitReason::kFailed, 0, {}, address(), uc_strerror(error)};
    if (!end_.bad_address) return exit;
    const auto linear = static_cast<std::uint32_t>(*end_.bad_address);
    if (pages_.paging() && pages_.is_remapped(linear)) return describe_remapped();
    std::array<char, 96> text{};
    std::snprintf(text.data(), text.size(), "it ran into address %llxh, where this machine has no memory",
                  static_cast<unsigned long long>(*end_.bad_address));
    exit.what = text.data();
    return exit;
}

}  // namespace sla::cpu
