#include "emu/cpu/unicorn/block_counter.h"

#include "emu/cpu/instruction_kinds.h"

#include <algorithm>
#include <utility>

namespace sla::cpu {

namespace {

constexpr unsigned kLineBits = 5;  // a line of code has 32 bytes

}  // namespace

void BlockCounter::want(bool wanted) {
    if (wanted == wanted_) return;
    wanted_ = wanted;
    kept_.clear();
    if (wanted) {
        kept_.resize(kKept);  // and goes on from what was loaded
    } else {
        part();
    }
}

void BlockCounter::part() {
    running_ = nullptr;
    segment_.reset();
    turn_.reset();
    behind_.reset();
}

// Some 150 ns, behind jumps to other segments.
void BlockCounter::look_at_segment() {
    segment_ = context_.code_segment();
    ring_ = context_.load().cpl;
}

void BlockCounter::enter(std::uint32_t start, std::uint32_t size) {
    if (!segment_) look_at_segment();
    Block& block = kept_[(start ^ start >> 10) % kKept];
    const auto now = code(start, size);
    const bool known = block.start == start && block.size == size && block.code32 == segment_->code32 &&
                       std::equal(now.begin(), now.end(), block.code.begin(), block.code.end());
    if (!known) block = take_apart(start, size, start + size);
    running_ = &block;
    goes_on_ = turn_ == start && block.ends_in_turn && block.last == start;
}

void BlockCounter::pass(std::uint32_t eip) {
    if (running_ == nullptr || !is_within(linear(eip))) return;
    const std::uint32_t end = running_->start + running_->size;
    const Block up_to = take_apart(running_->start, running_->size, linear(eip) + 1);
    add(up_to);
    running_ = nullptr;
    if (up_to.end == end || up_to.instructions == 0) return;
    rest_ = take_apart(up_to.end, end - up_to.end, end);
    running_ = &rest_;
}

void BlockCounter::leave() {
    if (running_ != nullptr) add(*running_);
    running_ = nullptr;
}

void BlockCounter::leave_before(std::uint32_t eip) {
    if (running_ != nullptr) leave_before_linear(linear(eip));
}

void BlockCounter::leave_before_linear(std::uint32_t at) {
    if (running_ == nullptr) return;
    if (!is_within(at)) return leave();
    if (at != running_->start) add(take_apart(running_->start, running_->size, at));
    running_ = nullptr;
}

void BlockCounter::leave_with(std::uint32_t eip) {
    if (running_ == nullptr) return;
    const std::uint32_t at = linear(eip);
    const bool counts = is_within(at) && !(goes_on_ && at == running_->start);
    leave_before(eip);
    if (!counts) return;
    const Block one = take_apart(at, kMaxInstructionBytes, at + 1);
    if (one.instructions != 0) add(one);
}

BlockCounter::Block BlockCounter::take_apart(std::uint32_t start, std::uint32_t size, std::uint32_t end) const {
    Block out;
    out.start = out.end = start;
    out.size = size;
    out.code32 = segment_ && segment_->code32;
    const auto bytes = code(start, size);
    out.code.assign(bytes.begin(), bytes.end());
    while (out.end - start < bytes.size() && out.end < end) {
        const auto found = decode(bytes.subspan(out.end - start), out.code32);
        if (!found) break;
        out.last = out.end;
        out.end += static_cast<std::uint32_t>(found->length);
        ++out.instructions;
        if (counts_as_branch(*found)) ++out.branches;
        if (loads_segment(*found)) ++out.segment_loads;
        if (locks_bus(*found)) ++out.locked;
        out.ends_far = is_far_transfer(*found);
        out.ends_in_turn = found->repeated && is_string(*found);
    }
    return out;
}

void BlockCounter::add(const Block& ran) {
    if (std::exchange(goes_on_, false)) return;
    counts_.instructions += ran.instructions;
    counts_.branches += ran.branches;
    counts_.segment_loads += ran.segment_loads;
    counts_.locked += ran.locked;
    add_lines(ran);
    turn_ = ran.ends_in_turn ? std::optional(ran.last) : std::nullopt;
    behind_ = ran.ends_far ? std::nullopt : std::optional(ran.end);
    if (segment_) place_ = {segment_->selector, ran.last - segment_->base, true};
    if (ran.ends_far) segment_.reset();
}

// Code that has jumped begins its line anew.
void BlockCounter::add_lines(const Block& ran) {
    const std::uint32_t first = ran.start >> kLineBits;
    const std::uint32_t last = (ran.end - 1) >> kLineBits;
    const bool same = behind_ == ran.start && line_ == first;
    counts_.code_lines += last - first + (same ? 0 : 1);
    line_ = last;
}

void BlockCounter::visit_state(bus::StateVisitor& state) {
    if (state.loads()) {
        part();
        counts_.code_lines = 0;
    }
    if (state.shows() || !state.optional_section("block_counts")) return;
    state.field("code_lines", counts_.code_lines);
    state.field("turn", turn_);
    state.field("behind", behind_);
    state.field("line", line_);
}

}  // namespace sla::cpu
