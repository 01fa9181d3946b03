// Instructions that the CPU asks the Vmm about.
#include "emu/pmc/pentium.h"
#include "emu/vmm/vmm.h"

#include <fmt/format.h>

namespace sla::vmm {

namespace {

// Of later processors: where the local APIC is, which cannot be moved or switched off here; this is the first processor.
constexpr std::uint32_t kApicBaseMsr = 0x1B;
constexpr std::uint64_t kApicBase = device::Lapic::kBase | 0x900;

// The guest stands still while one lives.
class ExitSpan {
public:
    ExitSpan(tap::VmmTap& tap, tap::Exit reason, const cpu::CodeAddress& at) : tap_(tap), reason_(reason) {
        tap_.exit_begins(reason_, at);
    }
    ~ExitSpan() { tap_.exit_ends(reason_); }
    ExitSpan(const ExitSpan&) = delete;
    ExitSpan& operator=(const ExitSpan&) = delete;

private:
    tap::VmmTap& tap_;
    tap::Exit reason_;
};

}  // namespace

cpu::CpuidAnswer Vmm::cpuid(std::uint32_t leaf) {
    const ExitSpan span(vmm_tap_, tap::Exit::kCpuid, cpu_->running_address());
    return pmc::cpuid(leaf);
}

cpu::CpuidAnswer Vmm::identity(std::uint32_t leaf) {
    return pmc::cpuid(leaf);
}

std::uint64_t Vmm::read_tsc() {
    if (!machine_.clock().repeatable()) return __builtin_ia32_rdtsc();
    const ExitSpan span(vmm_tap_, tap::Exit::kTsc, cpu_->running_address());
    catch_up();
    return pmc::ticks_at(machine_.clock().now()) + tsc_offset_;
}

std::optional<std::uint64_t> Vmm::read_msr(std::uint32_t number) {
    const cpu::CodeAddress at = cpu_->running_address();
    const ExitSpan span(vmm_tap_, tap::Exit::kMsr, at);
    count_up();
    std::optional<std::uint64_t> value;
    if (number == pmc::kTscMsr) value = read_tsc();
    if (number == kApicBaseMsr) value = kApicBase;
    if (number == pmc::Counters::kCesr) value = counters_.cesr();
    if (number - pmc::Counters::kCtr0 < 2) value = counters_.read(number - pmc::Counters::kCtr0);
    if (value) vmm_tap_.msr(false, number, *value, at);
    return value;
}

bool Vmm::write_msr(std::uint32_t number, std::uint64_t value) {
    const cpu::CodeAddress at = cpu_->running_address();
    const ExitSpan span(vmm_tap_, tap::Exit::kMsr, at);
    count_up();
    if (number == pmc::kTscMsr) {
        if (machine_.clock().repeatable()) tsc_offset_ = value - pmc::ticks_at(machine_.clock().now());
    } else if (number == pmc::Counters::kCesr) {
        const auto now = tally();
        counters_.write_cesr(value, now ? &*now : nullptr);
        update_traps();
    } else if (number == kApicBaseMsr && value == kApicBase) {
        vmm_tap_.msr(true, number, value, at);
        return true;
    } else if (number - pmc::Counters::kCtr0 < 2) {
        counters_.write(number - pmc::Counters::kCtr0, value);
    } else {
        return false;
    }
    vmm_tap_.msr(true, number, value, at);
    return true;
}

void Vmm::own_msr(bool write, std::uint32_t number, std::uint64_t value) {
    vmm_tap_.msr(write, number, value, cpu_->running_address());
}

std::optional<std::uint64_t> Vmm::read_counter(std::uint32_t number) {
    const ExitSpan span(vmm_tap_, tap::Exit::kCounter, cpu_->running_address());
    const cpu::Registers now = cpu_->registers();
    const bool allowed = now.ring == 0 || (now.cr4 & cpu::control::kCounterEnable) != 0;
    if (!allowed || number > 1) return std::nullopt;
    count_up();
    return counters_.read(number);
}

std::uint32_t Vmm::hypercall(const cpu::Registers& registers) {
    const cpu::CodeAddress at = cpu_->running_address();
    const ExitSpan span(vmm_tap_, tap::Exit::kHypercall, at);
    return markers_.call(registers, at, [this](std::uint32_t address) { return read_linear(address); });
}

void Vmm::mode_changed() {
    const cpu::Registers now = cpu_->registers();
    const bool is_protected = (now.cr0 & cpu::control::kProtectionEnable) != 0;
    if (!is_protected) return vmm_tap_.mode("real");
    if ((now.eflags & cpu::flag::kVirtual8086) != 0) return vmm_tap_.mode("virtual 8086");
    vmm_tap_.mode((now.cr0 & cpu::control::kPaging) != 0 ? "paged" : "protected");
}

void Vmm::instruction(const cpu::Executed& executed) {
    if (models_run_) p5_.instruction(executed);
    count_up();
    if (sampler_ && sampler_->is_due(*tally())) vmm_tap_.sample(cpu_->running_address());
}

void Vmm::data_access(std::uint32_t address, unsigned bytes, bool write) {
    p5_.access(address, bytes, write);
}

std::optional<pmc::Tally> Vmm::tally() const {
    const cpu::EventCounts* counts = cpu_->counts();
    return counts == nullptr ? std::nullopt : std::optional(pmc::Tally{*counts, p5_.counts()});
}

Result<void> Vmm::sample_every(std::uint8_t event, std::uint64_t period) {
    const auto now = tally();
    if (!now) {
        return invalid_input(fmt::format("the CPU \"{}\" counts no events to sample; use --cpu x86emu", cpu_->name()));
    }
    auto made = pmc::Sampler::make(event, period, *now);
    if (!made) return made.error();
    sampler_ = *made;
    update_traps();
    return {};
}

void Vmm::count_up() {
    const auto now = tally();
    if (now && counters_.active()) counters_.update(&*now, cpu_->registers().ring);
}

void Vmm::pin(unsigned counter, std::uint64_t by) {
    vmm_tap_.pin(counter, by, cpu_->running_address());
}

void Vmm::overflow() {
    machine_.lapic().counter_overflow();
    look_at_intr();
    if (machine_.nmi()) cpu_->set_allowance(0);
}

void Vmm::not_offered(const std::string& what) {
    vmm_tap_.note(what);
}

void Vmm::update_traps() {
    const bool models = counters_.needs_models() || (sampler_ && sampler_->needs_models());
    if (models && !models_run_) p5_.clear();
    models_run_ = models;
    cpu_->set_traps({.tsc = machine_.clock().repeatable(),
                     .mode = true,
                     .instructions = counters_.active() || sampler_.has_value(),
                     .accesses = models});
}

std::optional<std::uint8_t> Vmm::read_linear(std::uint32_t address) const {
    return cpu_->read_byte(address);
}

}  // namespace sla::vmm
