#include "proto/capture/summary/open_spans.h"

#include <algorithm>
#include <bit>
#include <limits>

namespace sla::capture {

bool OpenSpans::begin(const OpenSpan& span) {
    const std::uint64_t id = begun_++;
    Stack* stack = stack_of(span.thread);
    if (stack == nullptr) return false;
    if (stack->depth == 0) --idle_;
    const auto depth = static_cast<std::uint16_t>(std::min<std::uint32_t>(stack->depth, 0xffff));
    ++depth_;
    if (stack->depth++ >= kRememberedSpans || remembered_ >= kMaxRemembered) return false;
    ++remembered_;
    OpenSpan& opened = stack->spans.emplace_back(span);
    opened.id = id;
    opened.depth = depth;
    opened.row = free_row();
    take_row(opened.row);
    return true;
}

OpenSpans::Ended OpenSpans::end(std::uint32_t thread, OpenSpan& closed) {
    Stack* stack = find(thread);
    if (stack == nullptr || stack->depth == 0) return Ended::kNone;
    --depth_;
    if (--stack->depth == 0) ++idle_;
    if (stack->depth >= stack->spans.size()) return Ended::kForgotten;
    closed = stack->spans.back();
    stack->spans.pop_back();
    --remembered_;
    give_row(closed.row);
    return Ended::kRemembered;
}

std::uint32_t OpenSpans::rows_taken() const {
    for (std::size_t word = rows_.size(); word-- > 0;) {
        if (rows_[word] != 0) return static_cast<std::uint32_t>(word * 64 + std::bit_width(rows_[word]));
    }
    return 0;
}

std::uint32_t OpenSpans::rows_with(std::uint32_t more) const {
    std::uint32_t last = 0;  // the row that the last of them takes, plus one
    for (std::uint32_t row = 0; more > 0 && row < kMaxSpanRows; ++row) {
        if ((rows_[row / 64] >> (row % 64) & 1) != 0) continue;
        last = row + 1;
        --more;
    }
    return std::max(rows_taken(), last);
}

OpenSpans::Stack* OpenSpans::stack_of(std::uint32_t thread) {
    if (depth_ == std::numeric_limits<std::uint32_t>::max()) return nullptr;
    if (newest_ != nullptr && newest_thread_ == thread) return newest_;
    if (stacks_.size() >= kMaxThreads && find(thread) == nullptr) {
        if (idle_ < kMaxThreads / 4) return nullptr;  // sweeping for a few would be slow
        newest_ = nullptr;
        std::erase_if(stacks_, [](const auto& entry) { return entry.second.depth == 0; });
        idle_ = 0;
    }
    const auto [at, is_new] = stacks_.try_emplace(thread);
    if (is_new) ++idle_;
    newest_ = &at->second;
    newest_thread_ = thread;
    return newest_;
}

void OpenSpans::cut_all(Stack& stack, std::vector<OpenSpan>& cut) {
    for (const OpenSpan& span : stack.spans) give_row(span.row);
    remembered_ -= stack.spans.size();
    depth_ -= stack.depth;
    cut.insert(cut.end(), stack.spans.begin(), stack.spans.end());
}

void OpenSpans::gap(std::uint32_t thread, std::vector<OpenSpan>& cut) {
    if (depth_ == 0) return;
    if (thread == 0) {
        const auto first = static_cast<std::ptrdiff_t>(cut.size());
        for (auto& [id, stack] : stacks_) cut_all(stack, cut);
        std::sort(cut.begin() + first, cut.end(),
                  [](const OpenSpan& a, const OpenSpan& b) { return began_before(a.id, b.id); });
        stacks_.clear();
        newest_ = nullptr;
        idle_ = 0;
        return;
    }
    Stack* stack = find(thread);
    if (stack == nullptr || stack->depth == 0) return;
    cut_all(*stack, cut);
    ++idle_;
    *stack = {};
}

void OpenSpans::append_to(std::vector<OpenSpan>& out) const {
    const auto first = static_cast<std::ptrdiff_t>(out.size());
    for (const auto& [thread, stack] : stacks_) out.insert(out.end(), stack.spans.begin(), stack.spans.end());
    std::sort(out.begin() + first, out.end(), [](const OpenSpan& a, const OpenSpan& b) { return began_before(a.id, b.id); });
}

void OpenSpans::count_anew() {
    for (auto& [thread, stack] : stacks_) {
        for (OpenSpan& span : stack.spans) span.id -= begun_;
    }
    begun_ = 0;
}

}  // namespace sla::capture
