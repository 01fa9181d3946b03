#include "emu/pmc/events.h"

namespace sla::pmc {

std::span<const Event> events() {
    return common::pentium_events();
}

const Event* find_event(std::uint8_t select) {
    return select < events().size() ? &events()[select] : nullptr;
}

namespace {

constexpr std::uint8_t kPortAccesses = 0x1D;
constexpr std::uint8_t kHardwareInterrupts = 0x27;

std::optional<std::uint64_t> exact_count(std::uint8_t select, const cpu::EventCounts& counts) {
    switch (select) {
        case 0x00: return counts.data_reads;
        case 0x01: return counts.data_writes;
        case 0x0B: return counts.misaligned;
        case 0x0F: return counts.segment_loads;
        case 0x12: return counts.branches;
        case 0x16: return counts.instructions;
        case 0x1C: return counts.locked;
        case kPortAccesses: return counts.port_accesses;
        case 0x22: return counts.floating_point;
        case 0x23:
        case 0x24:
        case 0x25:
        case 0x26: return counts.breakpoints[select - 0x23];
        case kHardwareInterrupts: return counts.hardware_interrupts;
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

// What follows from the code alone, whatever its operands are.
std::optional<std::uint64_t> count_by_blocks(std::uint8_t select, const cpu::EventCounts& counts) {
    switch (select) {
        case 0x0C: return counts.code_lines;
        case 0x0F:
        case 0x12:
        case 0x16:
        case 0x1C:
        case kPortAccesses:
        case kHardwareInterrupts: return exact_count(select, counts);
        default: return std::nullopt;
    }
}

}  // namespace

std::optional<std::uint64_t> count_of(std::uint8_t select, const Tally& tally) {
    const auto exact = exact_count(select, tally.exact);
    switch (tally.kept) {
        case cpu::Counting::kEverything: return exact ? exact : modelled_count(select, tally.modelled);
        case cpu::Counting::kBlocks: return count_by_blocks(select, tally.exact);
        case cpu::Counting::kNothing: break;
    }
    return std::nullopt;
}

bool is_of_code(std::uint8_t select) {
    return select != kPortAccesses && select != kHardwareInterrupts;
}

bool is_of_models(std::uint8_t select) {
    return modelled_count(select, {}).has_value();
}

Counts all_counts(const Tally& tally) {
    Counts out{};
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = count_of(static_cast<std::uint8_t>(i), tally).value_or(0);
    return out;
}

}  // namespace sla::pmc
