// What the machine monitor's state is made of.
#include "emu/pmc/pentium.h"
#include "emu/vmm/vmm.h"

namespace sla::vmm {

// A CPU that is loaded looks at memory.
void Vmm::visit_state(bus::StateVisitor& state) {
    if (state.shows() && machine_.clock().repeatable()) state.set_ahead(moment() - machine_.clock().now());
    if (state.loads()) machine_.visit_state(state);
    cpu_->visit_state(state);
    visit_registers(state);
    visit_run(state);
    markers_.visit_state(state);
    counters_.visit_state(state);
    if (!state.loads()) machine_.visit_state(state);
    if (!state.loads()) return;
    loaded_ = true;
    update_traps();
}

std::vector<std::string> Vmm::open_spans() const {
    std::vector<std::string> names = vmm_tap_.open_guest_spans();
    for (unsigned irq = 0; irq < device::Pic8259Pair::kIrqs; ++irq) {
        if (machine_.pic().in_service(irq)) names.push_back(tap::Tap::irq_service_name(irq));
    }
    for (unsigned vector = 0; vector <= 0xFF; ++vector) {
        const auto number = static_cast<std::uint8_t>(vector);
        if (machine_.lapic().in_service(number)) names.push_back(tap::Tap::apic_service_name(number));
    }
    if (halted_) names.push_back(tap::Tap::halt_name());
    if (exit_) names.push_back(tap::VmmTap::exit_name(*exit_));
    return names;
}

void Vmm::visit_registers(bus::StateVisitor& state) {
    state.section("msr");
    state.show("tsc_10h", ticks_at(moment()));
    counters_.visit_registers(state);
    state.show("apic_base_1bh", machine_.apic_base());
    state.field("tsc_offset", tsc_offset_);
}

void Vmm::visit_run(bus::StateVisitor& state) {
    state.section("vmm");
    state.field("code_bytes", code_bytes_);
    state.field("halted", halted_);
    state.field("in_cpu_run", in_cpu_run_);
    state.field("planned", planned_, std::numeric_limits<bus::Nanoseconds>::max(), 0);
    state.field("fruitless_restarts", fruitless_restarts_);
    state.field("exit", exit_, static_cast<std::uint64_t>(tap::ExitKind::kCount) - 1);
    state.field("halt_at.cs", halt_address_.selector);
    state.field("halt_at.eip", halt_address_.offset);
    state.field("halt_at.known", halt_address_.known);
    intr_.visit_state(state);
}

}  // namespace sla::vmm
