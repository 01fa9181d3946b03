// The block of code that the library runs, and where in it the instruction stands that the library stopped at or asked
// about: it does not say. But a block is run from its start, so the n-th access comes from the n-th instruction of its kind.
#pragma once

#include "emu/cpu/instruction.h"
#include "emu/cpu/unicorn/access_cache.h"
#include "emu/cpu/unicorn/unicorn_memory.h"

#include <optional>
#include <span>

namespace sla::cpu {

class UnicornBlock {
public:
    struct Found {
        bus::CodeAddress address;
        std::size_t length = 0;
    };

    UnicornBlock(const UnicornEngine& engine, UnicornContext& context, const UnicornMemory& memory)
        : engine_(engine), context_(context), memory_(memory), last_(&cache_.slot({})) {}
    UnicornBlock(const UnicornBlock&) = delete;
    UnicornBlock& operator=(const UnicornBlock&) = delete;

    void enter(std::uint32_t start, std::uint32_t size) {
        segment_known_ = segment_known_ && start == start_ && size == size_;
        start_ = start;
        size_ = size;
        ins_ = outs_ = 0;
    }
    void clear() { start_ = size_ = 0; }
    // That one, which is about to be entered from this one, is an instruction of this one that the library begins anew alone,
    // because it writes into the block: what is jumped to in a block ends where that ends.
    [[nodiscard]] bool ends_before(std::uint32_t start, std::uint32_t size) const {
        return start - start_ < size_ && start - start_ + size < size_;
    }
    [[nodiscard]] std::uint32_t start() const { return start_; }
    [[nodiscard]] std::uint32_t size() const { return size_; }

    // What it does while it runs.
    void port_access(bool out) {
        access_ = (out ? outs_ : ins_) += AccessCache::Access::kNext;
        if (out) access_ |= AccessCache::Access::kOut;
    }
    void window_access(std::optional<std::uint32_t> physical) { window_access_ = physical; }
    // Where the instruction stands that makes the present access, where that is known.
    [[nodiscard]] bus::CodeAddress address_of_access(bool protected_mode);
    // The instruction of the last port access, if the block is still as it was.
    [[nodiscard]] std::optional<Found> find_port_access() const;
    // The first instruction that the library would have reported so: any before it would have ended the run before.
    [[nodiscard]] std::optional<Found> find_intercepted(std::uint32_t report) const;
    // It ended with a load of SS, and `next` follows by falling through.
    [[nodiscard]] bool ends_with_load_of_ss(std::uint32_t next) const;

private:
    using Access = AccessCache::Access;

    // Takes the block apart: visit(instruction, code from it on, address), until that gives true.
    template <typename Visit>
    void walk(const X86State& state, Visit visit) const;
    // The count-th instruction of the block for which the test is true.
    template <typename Test>
    std::optional<Found> find(unsigned count, Test test) const;
    [[nodiscard]] bus::CodeAddress address_of_window_access() const;
    // Of another access than the last time, or of a block that did not run again and again.
    [[nodiscard, gnu::noinline]] bus::CodeAddress look_up(bool protected_mode);
    // The slow way: takes the block apart.
    [[nodiscard, gnu::noinline]] bus::CodeAddress look_for(const Access& access, bool protected_mode);
    [[nodiscard]] bool runs_in(const CodeSegment& segment, bool protected_mode) const;
    [[nodiscard]] std::span<const std::uint8_t> code(std::size_t length) const;
    void remember(const Access& access, const Found& found, bool protected_mode);

    const UnicornEngine& engine_;
    UnicornContext& context_;  // a buffer: reading the state changes it
    const UnicornMemory& memory_;
    AccessCache cache_;
    std::uint32_t start_ = 0;  // linear
    std::uint32_t size_ = 0;
    bool segment_known_ =
        false;               // it was looked at, and since then this block ran again and again and cannot have changed it
    std::uint32_t ins_ = 0;  // accesses in this block, as Access::which has them
    std::uint32_t outs_ = 0;
    std::uint32_t access_ = 0;                    // the last one
    AccessCache::Entry* last_;                    // of the cache: whatever was asked for last
    std::optional<std::uint32_t> window_access_;  // being served: its physical address
};

}  // namespace sla::cpu
