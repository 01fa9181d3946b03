#include "emu/pmc/p5.h"

#include "emu/bus/in_range.h"
#include "emu/cpu/instruction_kinds.h"

#include <array>
#include <tuple>
#include <utility>

namespace sla::pmc {

namespace {

constexpr bool is_near_branch(const cpu::Instruction& found) {
    const unsigned op = found.opcode;
    if (op == 0xFF) return found.reg() == 2 || found.reg() == 4;
    return bus::in_range(op, 0x70, 0x7F) || bus::in_range(op, 0x0F80, 0x0F8F) || bus::in_range(op, 0xE0, 0xE3) ||
           bus::in_range(op, 0xE8, 0xE9) || op == 0xEB || bus::in_range(op, 0xC2, 0xC3);
}

}  // namespace

void P5::resolve(std::uint32_t eip) {
    if (!last_) return;
    const bool elsewhere = eip != last_->next;
    if (last_->near_branch) branches_.near_branch(last_->address, elsewhere, eip);
    if (last_->far) branches_.flush();
    if (elsewhere || last_->far) {
        pipes_.separate();
        line_.reset();
    }
    last_.reset();
}

void P5::instruction(const cpu::Executed& now) {
    constexpr unsigned kInvd = 0x0F08;
    constexpr unsigned kWbinvd = 0x0F09;
    resolve(now.eip);
    const auto length = static_cast<std::uint32_t>(now.instruction.length);
    for (std::uint32_t line = now.address >> kLineBits; line <= (now.address + length - 1) >> kLineBits; ++line) {
        if (line_ == line) continue;
        caches_.code(line << kLineBits);
        line_ = line;
    }
    pipes_.run(describe(now.instruction));
    if (now.instruction.opcode == kInvd || now.instruction.opcode == kWbinvd) {
        caches_.invalidate(now.instruction.opcode == kWbinvd);
    }
    last_ = Last{now.address, now.eip + length, is_near_branch(now.instruction), cpu::is_far_transfer(now.instruction)};
}

void P5::access(std::uint32_t address, unsigned bytes, bool write) {
    caches_.data(address, bytes, write);
    pipes_.access(address);
}

void P5::interrupted(std::uint32_t eip) {
    resolve(eip);
    branches_.flush();
    pipes_.separate();
    line_.reset();
}

void P5::clear() {
    caches_.clear();
    branches_.clear();
    pipes_.clear();
    last_.reset();
    line_.reset();
}

void P5::visit_counts(bus::StateVisitor& state) {
    P5Counts& c = counts_;
    const std::array<std::pair<const char*, std::uint64_t*>, 16> all{
        {{"data_tlb_misses", &c.data_tlb_misses},
         {"data_read_misses", &c.data_read_misses},
         {"data_write_misses", &c.data_write_misses},
         {"write_hits_owned", &c.write_hits_owned},
         {"lines_written_back", &c.lines_written_back},
         {"noncacheable", &c.noncacheable},
         {"code_reads", &c.code_reads},
         {"code_tlb_misses", &c.code_tlb_misses},
         {"code_misses", &c.code_misses},
         {"btb_hits", &c.btb_hits},
         {"taken_or_btb_hits", &c.taken_or_btb_hits},
         {"pipeline_flushes", &c.pipeline_flushes},
         {"in_v_pipe", &c.in_v_pipe},
         {"memory_in_both_pipes", &c.memory_in_both_pipes},
         {"bank_conflicts", &c.bank_conflicts},
         {"address_interlock_clocks", &c.address_interlock_clocks}}};
    static_assert(sizeof(P5Counts) == std::tuple_size_v<decltype(all)> * sizeof(std::uint64_t));
    for (const auto& [name, count] : all) state.field(name, *count);
}

void P5::visit_state(bus::StateVisitor& state) {
    visit_counts(state);
    state.part("caches", [&] { caches_.visit_state(state); });
    state.part("branches", [&] { branches_.visit_state(state); });
    state.part("pipes", [&] { pipes_.visit_state(state); });
    state.field("line", line_);
    bool ran = last_.has_value();
    state.field("last", ran);
    if (state.loads()) last_ = ran ? std::optional(Last{}) : std::nullopt;
    if (!last_) return;
    state.field("last.address", last_->address);
    state.field("last.next", last_->next);
    state.field("last.near_branch", last_->near_branch);
    state.field("last.far", last_->far);
}

}  // namespace sla::pmc
