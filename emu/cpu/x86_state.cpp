#include "emu/cpu/x86_state.h"

#include "emu/cpu/executed.h"

namespace sla::cpu {

namespace {

constexpr unsigned kMaxRing = 3;

void visit_segment(bus::StateVisitor& state, const char* name, Segment& segment) {
    state.field(name, segment.selector);
    state.part(name, [&] {
        state.field("base", segment.base);
        state.field("limit", segment.limit);
        state.field("attributes", segment.attributes);
    });
}

void visit_table(bus::StateVisitor& state, const char* name, TableRegister& table) {
    state.part(name, [&] {
        state.field("base", table.base);
        state.field("limit", table.limit);
    });
}

}  // namespace

void X86State::visit_state(bus::StateVisitor& state) {
    state.section("general");
    for (const auto& [name, index] : {std::pair{"eax", kEax},
                                      {"ebx", kEbx},
                                      {"ecx", kEcx},
                                      {"edx", kEdx},
                                      {"esi", kEsi},
                                      {"edi", kEdi},
                                      {"ebp", kEbp},
                                      {"esp", kEsp}}) {
        state.field(name, general[index]);
    }
    state.field("eip", eip);
    state.field("eflags", eflags);
    state.section("segments");
    for (const auto& [name, index] :
         {std::pair{"cs", kCs}, {"ss", kSs}, {"ds", kDs}, {"es", kEs}, {"fs", kFs}, {"gs", kGs}}) {
        visit_segment(state, name, segments[index]);
    }
    visit_segment(state, "ldtr", ldt);
    visit_segment(state, "tr", task);
    visit_table(state, "gdtr", gdt);
    visit_table(state, "idtr", idt);
    state.section("control");
    state.field("cr0", cr0);
    state.field("cr2", cr2);
    state.field("cr3", cr3);
    state.field("cr4", cr4);
    state.field("cpl", cpl, kMaxRing);
}

void EventCounts::entered(const Interrupt& interrupt, bool from_another_ring, const MemoryUse& use) {
    data_reads += use.reads;
    data_writes += use.writes;
    misaligned += use.misaligned;
    segment_loads += from_another_ring ? 2 : 1;
    if (interrupt.kind != Interrupt::Kind::kSoftware) ++branches;  // INT n was counted as an instruction
    if (interrupt.kind == Interrupt::Kind::kExternal) ++hardware_interrupts;
}

void EventCounts::visit_state(bus::StateVisitor& state) {
    state.field("instructions", instructions);
    state.field("data_reads", data_reads);
    state.field("data_writes", data_writes);
    state.field("misaligned", misaligned);
    state.field("segment_loads", segment_loads);
    state.field("branches", branches);
    state.field("locked", locked);
    state.field("port_accesses", port_accesses);
    state.field("floating_point", floating_point);
    state.field("hardware_interrupts", hardware_interrupts);
    state.field("breakpoints", breakpoints);
}

}  // namespace sla::cpu
