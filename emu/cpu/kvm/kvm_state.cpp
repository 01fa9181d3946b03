// The processor's state between runs, and what is injected into it.
#include "emu/cpu/kvm/kvm_cpu.h"
#include "emu/cpu/linear_memory.h"

#include <algorithm>

namespace sla::cpu {

namespace {

constexpr std::uint32_t kModeBits = control::kProtectionEnable | control::kPaging;

Segment segment_from(const sla_kvm_segment& from) {
    return {from.selector, from.base, from.limit, from.attributes};
}

sla_kvm_segment segment_to(const Segment& from) {
    return {from.selector, from.base, from.limit, from.attributes};
}

}  // namespace

std::optional<Fault> KvmCpu::inject(const Interrupt& interrupt) {
    stepped_at_.reset();
    // A step over the kernel's own way into a handler would end somewhere in it. An NMI that the kernel enters by itself while a
    // timer ends the run has sent guests astray on one host (its KVM emulates them), one in a hundred on busy cores.
    if (interrupt.kind != Interrupt::Kind::kExternal || points_ != nullptr) return enter_handler(interrupt);
    state_.reset();
    is_given_ = true;
    sla_kvm_interrupt(kvm_.get(), interrupt.vector);
    return std::nullopt;
}

// Exceptions and INT n stop a run only where KVM's own emulation gives up, and there it does not enter handlers either.
std::optional<Fault> KvmCpu::enter_handler(const Interrupt& interrupt) {
    X86State after = state();
    const auto fault = deliver(interrupt, after, memory_, write_);
    if (interrupt.kind == Interrupt::Kind::kNmi && !fault) sla_kvm_block_nmi(kvm_.get());
    sla_kvm_state raw{};
    if (sla_kvm_get_state(kvm_.get(), &raw) == 0) {
        std::copy(after.general.begin(), after.general.end(), raw.general);
        raw.eip = after.eip;
        raw.eflags = after.eflags;
        for (std::size_t i = 0; i < after.segments.size(); ++i) raw.segments[i] = segment_to(after.segments[i]);
        raw.ldt = segment_to(after.ldt);
        raw.task = segment_to(after.task);
        raw.cr0 = after.cr0, raw.cr2 = after.cr2, raw.cr3 = after.cr3;
        sla_kvm_set_state(kvm_.get(), &raw);
    }
    state_.reset();
    return fault;
}

void KvmCpu::look_at_mode() {
    const std::uint32_t mode = (state().cr0 & kModeBits) | (state().eflags & flag::kVirtual8086);
    if (mode == mode_) return;
    mode_ = mode;
    if (traps_.mode) client_.mode_changed();
}

const X86State& KvmCpu::state() const {
    if (state_) return *state_;
    sla_kvm_state raw{};
    X86State& out = state_.emplace();
    if (sla_kvm_get_state(kvm_.get(), &raw) != 0) return out;
    std::copy_n(raw.general, out.general.size(), out.general.begin());
    out.eip = raw.eip;
    out.eflags = raw.eflags;
    for (std::size_t i = 0; i < out.segments.size(); ++i) out.segments[i] = segment_from(raw.segments[i]);
    out.ldt = segment_from(raw.ldt);
    out.task = segment_from(raw.task);
    out.gdt = {raw.gdt.base, raw.gdt.limit};
    out.idt = {raw.idt.base, raw.idt.limit};
    out.cr0 = raw.cr0, out.cr2 = raw.cr2, out.cr3 = raw.cr3, out.cr4 = raw.cr4;
    out.cpl = out.protected_mode() ? out.segments[kSs].dpl() : 0;
    out.a20 = a20_;
    return out;
}

Registers KvmCpu::registers() const {
    const X86State& now = state();
    Registers out;
    out.eax = now.general[kEax], out.ebx = now.general[kEbx], out.ecx = now.general[kEcx], out.edx = now.general[kEdx];
    out.esi = now.general[kEsi], out.edi = now.general[kEdi], out.ebp = now.general[kEbp], out.esp = now.general[kEsp];
    out.eip = now.eip, out.eflags = now.eflags;
    out.cr0 = now.cr0, out.cr2 = now.cr2, out.cr3 = now.cr3, out.cr4 = now.cr4;
    out.ring = now.cpl;
    out.cs = now.segments[kCs].selector, out.ds = now.segments[kDs].selector;
    out.es = now.segments[kEs].selector, out.ss = now.segments[kSs].selector;
    return out;
}

std::optional<std::uint8_t> KvmCpu::read_byte(std::uint32_t linear) const {
    return LinearMemory(memory_, write_, state()).peek(linear);
}

void KvmCpu::set_state(const X86State& state) {
    sla_kvm_state raw{};
    if (sla_kvm_get_state(kvm_.get(), &raw) != 0) return;
    std::copy(state.general.begin(), state.general.end(), raw.general);
    raw.eip = state.eip;
    raw.eflags = state.eflags;
    raw.cr0 = state.cr0, raw.cr2 = state.cr2, raw.cr3 = state.cr3, raw.cr4 = state.cr4;
    sla_kvm_set_state(kvm_.get(), &raw);
    state_.reset();
}

bool KvmCpu::write_byte(std::uint32_t linear, std::uint8_t value) {
    const auto physical = LinearMemory(memory_, write_, state()).physical(linear);
    if (!physical || memory_.at(*physical, 1).empty()) return false;
    write_(*physical, std::span(&value, 1));
    return true;
}

CodeAddress KvmCpu::address() const {
    return {state().segments[kCs].selector, state().eip, true};
}

}  // namespace sla::cpu
