#include "proto/capture/open_spans.h"

#include <algorithm>
#include <limits>

namespace sla::capture {

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

void OpenSpans::gap(std::uint32_t thread) {
    if (depth_ == 0) return;
    if (thread == 0) {
        stacks_.clear();
        newest_ = nullptr;
        depth_ = 0;
        idle_ = 0;
        return;
    }
    Stack* stack = find(thread);
    if (stack == nullptr || stack->depth == 0) return;
    depth_ -= stack->depth;
    ++idle_;
    *stack = {};
}

void OpenSpans::append_to(std::vector<OpenSpan>& out) const {
    const auto first = static_cast<std::ptrdiff_t>(out.size());
    for (const auto& [thread, stack] : stacks_) out.insert(out.end(), stack.spans.begin(), stack.spans.end());
    std::sort(out.begin() + first, out.end(),
              [](const OpenSpan& a, const OpenSpan& b) { return a.begin_tick < b.begin_tick; });
}

}  // namespace sla::capture
