// What the end of a run means.
#include "emu/cpu/unicorn_cpu.h"

#include <array>
#include <cstdio>

namespace sla::cpu {

std::optional<Stop> UnicornCpu::describe_interrupt() {
    const auto cause = exceptions_.take();
    if (*taken_vector_ >= intercepted::kFirst) return emulate(*taken_vector_, cause.error_code);
    give_back_rest();
    Stop stop;
    stop.vector = static_cast<std::uint8_t>(*taken_vector_);
    stop.reason = cause.software_interrupt ? StopReason::kSoftwareInterrupt : StopReason::kException;
    stop.address = address();
    if (cause.software_interrupt) stop.address.offset -= length_of_interrupt(stop);
    if (!cause.software_interrupt && pushes_error_code(*taken_vector_)) stop.error_code = cause.error_code;
    return stop;
}

// INT3 and INTO are one byte; but INT 3 and INT 4 also come in two.
std::uint32_t UnicornCpu::length_of_interrupt(const Stop& stop) const {
    constexpr std::uint8_t kBreakpoint = 3;
    constexpr std::uint8_t kOverflow = 4;
    if (stop.vector != kBreakpoint && stop.vector != kOverflow) return 2;
    const X86State state = this->state();
    LinearMemory code(memory_, write_, state);
    const std::uint32_t before = code.read(state.segments[kCs].base + state.eip - 1, 1);
    return before == kBreakpoint || before == kOverflow ? 2 : 1;
}

// The engine is in an unknown state: reading registers still works, closing it may not.
Stop UnicornCpu::give_up(const std::string& signal) {
    const CodeAddress after =
        block_.size == 0 ? address() : CodeAddress{engine_.read_selector(UC_X86_REG_CS), block_.start - code_base(), true};
    engine_.abandon();
    return {StopReason::kFailed, 0, {}, after, "the Unicorn CPU emulator failed (" + signal + ") on the code that follows"};
}

Stop UnicornCpu::describe_elsewhere() const {
    return {StopReason::kFailed, 0, {}, address(), "its " + text_of(*elsewhere_)};
}

Stop UnicornCpu::describe_failure(uc_err error) {
    Stop stop{StopReason::kFailed, 0, {}, address(), uc_strerror(error)};
    if (!bad_address_) return stop;
    const auto linear = static_cast<std::uint32_t>(*bad_address_);
    if (paged_ && lies_elsewhere(linear)) return describe_elsewhere();
    std::array<char, 96> text{};
    std::snprintf(text.data(), text.size(), "it ran into address %llxh, where this machine has no memory",
                  static_cast<unsigned long long>(*bad_address_));
    stop.what = text.data();
    return stop;
}

}  // namespace sla::cpu
