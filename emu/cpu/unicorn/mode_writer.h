// A write to CR0, which the library intercepts before it does anything: it then runs after all, no longer intercepted, and
// the run stops at the block behind it.
//
//   intercepted ──begin()──► its own block again ──reaches_block()──► the one behind: true ──finish()──► intercepted again
#pragma once

#include "emu/cpu/x86_state.h"

namespace sla::cpu {

class ModeWriter {
public:
    void reset() { *this = {}; }

    void begin() { blocks_to_go_ = 2; }
    // Before a block. True: the write is behind, stop here.
    [[nodiscard]] bool reaches_block() {
        if (blocks_to_go_ == 0 || --blocks_to_go_ != 0) return false;
        return written_ = true;
    }
    [[nodiscard]] bool under_way() const { return blocks_to_go_ != 0; }
    [[nodiscard]] bool has_written() const { return written_; }
    void finish(std::uint32_t cr0) {
        written_ = false;
        protected_ = (cr0 & control::kProtectionEnable) != 0;
    }
    // CR0's, as of its last write.
    [[nodiscard]] bool protected_mode() const { return protected_; }

    void visit_state(bus::StateVisitor& state) {
        constexpr unsigned kMaxBlocks = 2;
        state.field("blocks_to_go", blocks_to_go_, kMaxBlocks);
        state.field("written", written_);
        state.field("protected", protected_);
    }

private:
    unsigned blocks_to_go_ = 0;
    bool written_ = false;
    bool protected_ = false;
};

}  // namespace sla::cpu
