// What the models of a Pentium's parts have counted, by the events of the same names.
#pragma once

#include <cstdint>

namespace sla::pmc {

struct P5Counts {
    std::uint64_t data_tlb_misses = 0;
    std::uint64_t data_read_misses = 0;
    std::uint64_t data_write_misses = 0;
    std::uint64_t write_hits_owned = 0;  // to lines in state M or E
    std::uint64_t lines_written_back = 0;
    std::uint64_t noncacheable = 0;
    std::uint64_t code_reads = 0;
    std::uint64_t code_tlb_misses = 0;
    std::uint64_t code_misses = 0;
    std::uint64_t btb_hits = 0;
    std::uint64_t taken_or_btb_hits = 0;
    std::uint64_t pipeline_flushes = 0;
    std::uint64_t in_v_pipe = 0;
    std::uint64_t memory_in_both_pipes = 0;
    std::uint64_t bank_conflicts = 0;
    std::uint64_t address_interlock_clocks = 0;
};

}  // namespace sla::pmc
