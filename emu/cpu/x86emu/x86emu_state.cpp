// What the state of X86emuCpu is made of: the library's registers, and what stands around them.
#include "emu/cpu/x86emu/x86emu_cpu.h"

#include <cstring>

namespace sla::cpu {

void X86emuCpu::visit_state(bus::StateVisitor& visitor) {
    X86State now = state();
    now.visit_state(visitor);
    auto& cpu = emu_->x86;
    if (visitor.loads()) {
        take_back(now);
        cpu.R_GDT_BASE = now.gdt.base, cpu.R_GDT_LIMIT = now.gdt.limit;
        cpu.R_IDT_BASE = now.idt.base, cpu.R_IDT_LIMIT = now.idt.limit;
        cpu.R_CR3 = now.cr3, cpu.R_CR4 = now.cr4;
    }
    visitor.section("cpu");
    for (unsigned i = 0; i < std::size(cpu.drx); ++i) visitor.field(bus::StateVisitor::numbered("dr", i), cpu.drx[i]);
    for (unsigned i = 0; i < std::size(cpu.sse.XMM); ++i) {
        std::array<std::uint8_t, sizeof cpu.sse.XMM[0]> bytes{};
        std::memcpy(bytes.data(), &cpu.sse.XMM[i], bytes.size());
        visitor.field(bus::StateVisitor::numbered("xmm", i), bytes);
        if (visitor.loads()) std::memcpy(&cpu.sse.XMM[i], bytes.data(), bytes.size());
    }
    visitor.field("executed", executed_);
    visitor.field("budget", budget_);
    visitor.field("window_wanted", window_wanted_);
    visitor.field("shadow", shadow_);
    visitor.field("next_shadow", next_shadow_);
    visitor.field("nmi_blocked", nmi_blocked_);
    visitor.field("iret_running", iret_running_);
    visitor.field("debug_registers_used", debug_registers_used_);
    visitor.field("debug_traps", debug_traps_);
    visitor.field("debug_traps_wait", debug_traps_wait_);
    visitor.field("last_cr0", last_cr0_);
    visitor.field("running_eip", running_eip_);
    visitor.part("counts", [&] { counts_.visit_state(visitor); });
}

}  // namespace sla::cpu
