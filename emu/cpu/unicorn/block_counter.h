// Counts what the guest's code does, block by block, while somebody wants it: what follows from the code alone. The library says
// only which block it enters; a block counts when it has run, as far as it has.
//
//   enter(A) ── A runs ── enter(B): all of A ── B runs ── stopped at EIP: of B what stands before it
//
// Where an instruction is about to write into its own block, that ends before it: the library runs the instruction alone, and then
// what the rest of the block is by then.
//
// A repeated string instruction is a block of its own from its second turn on, and one instruction all the same. What a block does
// is kept, and holds for the very bytes it was made of.
#pragma once

#include "emu/cpu/executed.h"
#include "emu/cpu/unicorn/access_cache.h"
#include "emu/cpu/unicorn/unicorn_memory.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace sla::cpu {

class BlockCounter {
public:
    BlockCounter(UnicornContext& context, const UnicornMemory& memory, EventCounts& counts)
        : context_(context), memory_(memory), counts_(counts) {}

    void want(bool wanted);
    [[nodiscard]] bool wanted() const { return wanted_; }
    // A block runs that is not counted yet, or not all of it.
    [[nodiscard]] bool runs() const { return running_ != nullptr; }

    // A block begins; the one before has left.
    void enter(std::uint32_t start, std::uint32_t size);
    // The instruction at that EIP is at work: it counts, and all before it.
    void pass(std::uint32_t eip);
    // The block has run to its end; up to the instruction there; with that one, which was done elsewhere or faulted.
    void leave();
    void leave_before(std::uint32_t eip);
    void leave_before_linear(std::uint32_t at);
    void leave_with(std::uint32_t eip);
    // The next instruction follows from none before: a handler's, or wherever somebody set the processor to.
    void part();
    // The code segment's hidden parts changed where it stands.
    void look_again() { segment_.reset(); }

    // The last instruction that was counted, and the ring it ran in.
    [[nodiscard]] const bus::CodeAddress& place() const { return place_; }
    [[nodiscard]] unsigned ring() const { return ring_; }

    // What is not among the counts that every CPU has.
    void visit_state(bus::StateVisitor& state);

private:
    static constexpr std::size_t kKept = 1024;  // blocks

    struct Block {
        std::uint32_t start = 0;  // linear
        std::uint32_t size = 0;   // 0: none
        bool code32 = false;
        std::vector<std::uint8_t> code;
        std::uint32_t last = 0;  // its last instruction
        std::uint32_t end = 0;   // behind that
        std::uint32_t instructions = 0;
        std::uint32_t branches = 0;
        std::uint32_t segment_loads = 0;
        std::uint32_t locked = 0;
        bool ends_far = false;      // another code segment may follow
        bool ends_in_turn = false;  // of a repeated string instruction, which may go on
    };

    void look_at_segment();
    // A block, as far as its instructions begin before `end`.
    [[nodiscard]] Block take_apart(std::uint32_t start, std::uint32_t size, std::uint32_t end) const;
    [[nodiscard]] std::span<const std::uint8_t> code(std::uint32_t start, std::size_t size) const {
        return memory_.physical().at(masked(start, memory_.a20_mask()), size);
    }
    // While a block runs its segment is known.
    [[nodiscard]] std::uint32_t linear(std::uint32_t eip) const { return segment_->base + eip; }
    [[nodiscard]] bool is_within(std::uint32_t at) const { return at - running_->start < running_->size; }
    void add(const Block& ran);
    void add_lines(const Block& ran);

    UnicornContext& context_;  // a buffer: reading the state changes it
    const UnicornMemory& memory_;
    EventCounts& counts_;
    bool wanted_ = false;
    std::vector<Block> kept_;             // by their start
    Block rest_;                          // of a block that was counted in part
    const Block* running_ = nullptr;      // one of those
    bool goes_on_ = false;                // it is another turn of the instruction that ran last
    std::optional<CodeSegment> segment_;  // where nothing can have changed it since it was looked at
    unsigned ring_ = 0;
    bus::CodeAddress place_;
    std::optional<std::uint32_t> turn_;    // the instruction that ran last, if it may go on
    std::optional<std::uint32_t> behind_;  // where code goes on that does not jump
    std::uint32_t line_ = 0;               // of code, the last one
};

}  // namespace sla::cpu
