#include "emu/pmc/events.h"

#include <algorithm>
#include <array>

namespace sla::pmc {

namespace {

constexpr Offer kExact = Offer::kExact;
constexpr Offer kModelled = Offer::kModelled;
constexpr Offer kNot = Offer::kNotOffered;

// Intel, "Pentium Processor Family Developer's Manual", volume 3.
constexpr std::array kEvents{
    Event{0x00, "data read", kExact},
    Event{0x01, "data write", kExact},
    Event{0x02, "data TLB miss", kModelled},
    Event{0x03, "data read miss", kModelled},
    Event{0x04, "data write miss", kModelled},
    Event{0x05, "write hit to M or E line", kModelled},
    Event{0x06, "data cache lines written back", kModelled},
    Event{0x07, "external snoops", kNot},
    Event{0x08, "data cache snoop hits", kNot},
    Event{0x09, "memory accesses in both pipes", kModelled},
    Event{0x0A, "bank conflicts", kModelled},
    Event{0x0B, "misaligned data references", kExact},
    Event{0x0C, "code read", kModelled},
    Event{0x0D, "code TLB miss", kModelled},
    Event{0x0E, "code cache miss", kModelled},
    Event{0x0F, "segment register loaded", kExact},
    Event{0x10, "segment descriptor cache accesses", kNot},
    Event{0x11, "segment descriptor cache hits", kNot},
    Event{0x12, "branches", kExact},
    Event{0x13, "BTB hits", kModelled},
    Event{0x14, "taken branch or BTB hit", kModelled},
    Event{0x15, "pipeline flushes", kModelled},
    Event{0x16, "instructions executed", kExact},
    Event{0x17, "instructions executed in the V pipe", kModelled},
    Event{0x18, "clocks while a bus cycle is in progress", kNot},
    Event{0x19, "clocks stalled by full write buffers", kNot},
    Event{0x1A, "clocks stalled waiting for data reads", kNot},
    Event{0x1B, "clocks stalled by a write to an E or M line", kNot},
    Event{0x1C, "locked bus cycles", kExact},
    Event{0x1D, "I/O read or write cycles", kExact},
    Event{0x1E, "non-cacheable memory references", kModelled},
    Event{0x1F, "clocks stalled by address generation interlock", kModelled},
    Event{0x20, "unknown (20h)", kNot},
    Event{0x21, "unknown (21h)", kNot},
    Event{0x22, "floating-point operations", kNot},
    Event{0x23, "breakpoint match on DR0", kNot},
    Event{0x24, "breakpoint match on DR1", kNot},
    Event{0x25, "breakpoint match on DR2", kNot},
    Event{0x26, "breakpoint match on DR3", kNot},
    Event{0x27, "hardware interrupts", kExact},
    Event{0x28, "data reads or writes", kExact},
    Event{0x29, "data read misses or data write misses", kModelled},
};

}  // namespace

std::span<const Event> events() {
    return kEvents;
}

const Event* find_event(std::uint8_t select) {
    const auto found = std::find_if(kEvents.begin(), kEvents.end(), [select](const Event& e) { return e.select == select; });
    return found == kEvents.end() ? nullptr : &*found;
}

namespace {

std::optional<std::uint64_t> exact_count(std::uint8_t select, const cpu::EventCounts& counts) {
    switch (select) {
        case 0x00: return counts.data_reads;
        case 0x01: return counts.data_writes;
        case 0x0B: return counts.misaligned;
        case 0x0F: return counts.segment_loads;
        case 0x12: return counts.branches;
        case 0x16: return counts.instructions;
        case 0x1C: return counts.locked;
        case 0x1D: return counts.port_accesses;
        case 0x27: return counts.hardware_interrupts;
        case 0x28: return counts.data_reads + counts.data_writes;
        default: return std::nullopt;
    }
}

std::optional<std::uint64_t> modelled_count(std::uint8_t select, const P5Counts& counts) {
    switch (select) {
        case 0x02: return counts.data_tlb_misses;
        case 0x03: return counts.data_read_misses;
        case 0x04: return counts.data_write_misses;
        case 0x05: return counts.write_hits_owned;
        case 0x06: return counts.lines_written_back;
        case 0x09: return counts.memory_in_both_pipes;
        case 0x0A: return counts.bank_conflicts;
        case 0x0C: return counts.code_reads;
        case 0x0D: return counts.code_tlb_misses;
        case 0x0E: return counts.code_misses;
        case 0x13: return counts.btb_hits;
        case 0x14: return counts.taken_or_btb_hits;
        case 0x15: return counts.pipeline_flushes;
        case 0x17: return counts.in_v_pipe;
        case 0x1E: return counts.noncacheable;
        case 0x1F: return counts.address_interlock_clocks;
        case 0x29: return counts.data_read_misses + counts.data_write_misses;
        default: return std::nullopt;
    }
}

}  // namespace

std::optional<std::uint64_t> count_of(std::uint8_t select, const Tally& tally) {
    const auto exact = exact_count(select, tally.exact);
    return exact ? exact : modelled_count(select, tally.modelled);
}

}  // namespace sla::pmc
