// What the end of a run means that is not an access.
#include "emu/cpu/instruction.h"
#include "emu/cpu/kvm/kvm_cpu.h"
#include "emu/cpu/pentium_instruction.h"

#include <array>

namespace sla::cpu {

Exit KvmCpu::halt() const {
    CodeAddress at = address();
    --at.offset;
    return {ExitReason::kHalt, 0, {}, at, {}};
}

Exit KvmCpu::shut_down() const {
    if (!abilities_.paging && switches_paging_on()) {
        return fail("it switched paging on, which the KVM of this host does not do: use --cpu unicorn");
    }
    return {ExitReason::kShutdown,
            0,
            {},
            address(),
            "the processor could not enter a handler, nor those of the faults that followed"};
}

// The next instruction writes CR0 with its paging bit: a host that cannot page shuts down before it.
bool KvmCpu::switches_paging_on() const {
    constexpr unsigned kMoveToControl = 0x0F22;
    const X86State& now = state();
    std::array<std::uint8_t, 15> bytes{};
    for (std::uint32_t i = 0; i < bytes.size(); ++i) bytes[i] = read_byte(now.segments[kCs].base + now.eip + i).value_or(0);
    const auto found = decode(bytes, now.segments[kCs].has(Segment::kBig));
    return found && found->opcode == kMoveToControl && found->reg() == 0 &&
           (now.general[found->modrm & 7] & control::kPaging) != 0;
}

// Where the kernel emulates guests, it gives up on instructions that every Pentium has, and calls them invalid like those that
// are. INT n is entered here, as the invalid ones are, and FWAIT done; others end the run in words, as no handler could help.
std::optional<Exit> KvmCpu::give_up_or_fault() {
    end_shadow();
    const X86State& now = state();
    std::array<std::uint8_t, 15> bytes{};
    for (std::uint32_t i = 0; i < bytes.size(); ++i) bytes[i] = read_byte(now.segments[kCs].base + now.eip + i).value_or(0);
    const auto found = decode(bytes, now.segments[kCs].has(Segment::kBig));
    const unsigned op = found ? found->opcode : 0;
    constexpr unsigned kWait = 0x9B;
    constexpr unsigned kInt3 = 0xCC;
    constexpr unsigned kInt = 0xCD;
    if (op == kInt3 || op == kInt) {
        const Exit stop{
            ExitReason::kSoftwareInterrupt, op == kInt3 ? std::uint8_t{3} : bytes[found->length - 1], {}, address(), {}};
        state_->eip += static_cast<std::uint32_t>(found->length);
        return stop;
    }
    if (op == kWait) return wait_for_floating_point(static_cast<std::uint32_t>(found->length));
    if (const auto owed = pentium_instruction(bytes, now)) {
        return fail("the KVM of this host does not do its instruction \"" + *owed + "\": use --cpu unicorn");
    }
    return Exit{ExitReason::kException, vector::kInvalidOpcode, {}, address(), {}};
}

// A kernel that does not do FWAIT computes nothing in floating point either, so nothing waits for it.
std::optional<Exit> KvmCpu::wait_for_floating_point(std::uint32_t bytes) {
    constexpr std::uint32_t kMonitorsAndSwitched = control::kMonitorFpu | control::kTaskSwitched;
    if ((state().cr0 & kMonitorsAndSwitched) == kMonitorsAndSwitched) {
        return Exit{ExitReason::kException, vector::kDeviceNotAvailable, {}, address(), {}};
    }
    X86State behind = state();
    behind.eip += bytes;
    set_state(behind);
    return std::nullopt;
}

Exit KvmCpu::fail(std::string what) const {
    return {ExitReason::kFailed, 0, {}, address(), std::move(what)};
}

}  // namespace sla::cpu
