// Instructions that the CPU asks the Vmm about.
#include "emu/pmc/pentium.h"
#include "emu/vmm/vmm.h"

#include <fmt/format.h>

namespace sla::vmm {

namespace {

constexpr std::uint32_t kApicBaseMsr = 0x1B;  // of later processors

// The guest stands still while one lives.
class ExitSpan {
public:
    ExitSpan(tap::VmmTap& tap, tap::ExitKind reason, const cpu::CodeAddress& at) : tap_(tap), reason_(reason) {
        tap_.exit_begins(reason_, at);
    }
    ~ExitSpan() { tap_.exit_ends(reason_); }
    ExitSpan(const ExitSpan&) = delete;
    ExitSpan& operator=(const ExitSpan&) = delete;

private:
    tap::VmmTap& tap_;
    tap::ExitKind reason_;
};

}  // namespace

cpu::CpuidAnswer Vmm::cpuid(std::uint32_t leaf) {
    const ExitSpan span(vmm_tap_, tap::ExitKind::kCpuid, cpu_->running_address());
    return identity(leaf);
}

cpu::CpuidAnswer Vmm::identity(std::uint32_t leaf) {
    return pmc::cpuid(leaf, cpu_ == nullptr ? 0 : cpu_->missing_features());
}

std::uint64_t Vmm::read_tsc() {
    if (!machine_.clock().repeatable()) return __builtin_ia32_rdtsc();
    const ExitSpan span(vmm_tap_, tap::ExitKind::kTsc, cpu_->running_address());
    catch_up();
    return ticks_at(machine_.clock().now());
}

std::uint64_t Vmm::ticks_at(bus::Nanoseconds now) const {
    return machine_.clock().repeatable() ? pmc::ticks_at(now) + tsc_offset_ : __builtin_ia32_rdtsc();
}

std::optional<std::uint64_t> Vmm::read_msr(std::uint32_t number) {
    const cpu::CodeAddress at = cpu_->running_address();
    const ExitSpan span(vmm_tap_, tap::ExitKind::kMsr, at);
    std::optional<std::uint64_t> value = counters_.read_msr(number);
    if (number == pmc::kTscMsr) value = read_tsc();
    if (number == kApicBaseMsr) value = machine_.apic_base();
    if (value) vmm_tap_.msr(false, number, *value, at);
    return value;
}

std::optional<std::uint64_t> Vmm::read_model_register(std::uint32_t number) const {
    if (number == pmc::kTscMsr) return ticks_at(moment());
    if (number == kApicBaseMsr) return machine_.apic_base();
    return counters_.look_at_msr(number);
}

bool Vmm::write_msr(std::uint32_t number, std::uint64_t value) {
    const cpu::CodeAddress at = cpu_->running_address();
    const ExitSpan span(vmm_tap_, tap::ExitKind::kMsr, at);
    // By the host's clock the counter is the host's, and the guest's write goes nowhere.
    const bool known = write_model_register(number, value) || number == pmc::kTscMsr;
    if (known) vmm_tap_.msr(true, number, value, at);
    return known;
}

bool Vmm::write_model_register(std::uint32_t number, std::uint64_t value) {
    if (number == pmc::kTscMsr) {
        if (!machine_.clock().repeatable()) return false;
        tsc_offset_ = value - pmc::ticks_at(moment());
        return true;
    }
    if (number == kApicBaseMsr) {
        const bool taken = machine_.set_apic_base(value);
        intr_.look(*cpu_);
        return taken;
    }
    return counters_.write_msr(number, value);
}

void Vmm::own_msr(bool write, std::uint32_t number, std::uint64_t value) {
    vmm_tap_.msr(write, number, value, cpu_->running_address());
}

std::optional<std::uint64_t> Vmm::read_counter(std::uint32_t number) {
    const ExitSpan span(vmm_tap_, tap::ExitKind::kCounter, cpu_->running_address());
    const cpu::Registers now = cpu_->registers();
    const bool allowed = now.ring == 0 || (now.cr4 & cpu::control::kCounterEnable) != 0;
    if (!allowed || number > 1) return std::nullopt;
    return counters_.read(number);
}

std::uint32_t Vmm::hypercall(const cpu::Registers& registers) {
    const cpu::CodeAddress at = cpu_->running_address();
    const ExitSpan span(vmm_tap_, tap::ExitKind::kHypercall, at);
    return markers_.call(registers, at);
}

void Vmm::mode_changed() {
    const cpu::Registers now = cpu_->registers();
    const bool is_protected = (now.cr0 & cpu::control::kProtectionEnable) != 0;
    if (!is_protected) return vmm_tap_.mode("real");
    if ((now.eflags & cpu::flag::kVirtual8086) != 0) return vmm_tap_.mode("virtual 8086");
    vmm_tap_.mode((now.cr0 & cpu::control::kPaging) != 0 ? "paged" : "protected");
}

void Vmm::counter_overflowed() {
    machine_.lapic().counter_overflow();
    intr_.look(*cpu_);
    if (machine_.nmi()) cpu_->set_budget(0);
}

void Vmm::update_traps() {
    cpu_->set_traps({.tsc = machine_.clock().repeatable(),
                     .mode = true,
                     .instructions = counters_.wants_instructions(),
                     .accesses = counters_.wants_accesses()});
}

}  // namespace sla::vmm
