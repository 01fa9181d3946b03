// A Pentium's branch target buffer, as a model that counts: 256 entries in four ways, for near jumps, calls, returns and
// loops. A branch gets an entry when it is taken (strongly taken); each time after that it goes one step of four towards
// what it did. A branch whose entry says taken, or that has none (not taken), but that does otherwise, or goes elsewhere
// than last time, flushes the pipes; so do far transfers, interrupts and exceptions. Where this differs from the chip: the
// least recently used entry gives way, and entries are found by the branch's own address.
#pragma once

#include "emu/bus/state_visitor.h"
#include "emu/pmc/p5_counts.h"
#include "emu/pmc/tag_array.h"

#include <cstdint>

namespace sla::pmc {

class P5Branches {
public:
    explicit P5Branches(P5Counts& counts) : counts_(counts) {}

    // A near branch at that address went on at `target`.
    void near_branch(std::uint32_t address, bool taken, std::uint32_t target);
    void flush() { ++counts_.pipeline_flushes; }
    void clear() { buffer_.clear(); }

    void visit_state(bus::StateVisitor& state);

private:
    struct Prediction {
        std::uint8_t strength = 0;  // 0-3; 2 and 3: taken
        std::uint32_t target = 0;
    };

    P5Counts& counts_;
    TagArray<Prediction> buffer_{64, 4};
};

}  // namespace sla::pmc
