// The spans of one channel that have begun and not ended, by the rules of the viewer's span table: an end closes the newest
// open span of its thread, a gap closes those of its thread (thread 0: of all).
//
// Memory is bounded whatever the events say: kRememberedSpans a thread are kept, the outermost; deeper ones are counted.
// Spans of more than kMaxThreads threads at once are not tracked. One owner, one thread.
#pragma once

#include "proto/capture/lane_summary.h"

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace sla::capture {

class OpenSpans {
public:
    void begin(const OpenSpan& span) {
        Stack* stack = stack_of(span.thread);
        if (stack == nullptr) return;
        if (stack->depth == 0) --idle_;
        if (stack->depth++ < kRememberedSpans) stack->spans.push_back(span);
        ++depth_;
    }
    void end(std::uint32_t thread) {
        Stack* stack = newest_ != nullptr && newest_thread_ == thread ? newest_ : find(thread);
        if (stack == nullptr || stack->depth == 0) return;
        if (--stack->depth < stack->spans.size()) stack->spans.pop_back();
        if (stack->depth == 0) ++idle_;
        --depth_;
    }
    void gap(std::uint32_t thread);

    [[nodiscard]] std::uint32_t depth() const { return depth_; }
    // In order of begin.
    void append_to(std::vector<OpenSpan>& out) const;

private:
    static constexpr std::size_t kMaxThreads = 65536;
    struct Stack {
        std::vector<OpenSpan> spans;
        std::uint32_t depth = 0;
    };
    Stack* find(std::uint32_t thread) {
        const auto at = stacks_.find(thread);
        return at == stacks_.end() ? nullptr : &at->second;
    }
    Stack* stack_of(std::uint32_t thread);

    std::unordered_map<std::uint32_t, Stack> stacks_;
    Stack* newest_ = nullptr;  // of the thread that began last
    std::uint32_t newest_thread_ = 0;
    std::uint32_t depth_ = 0;
    std::size_t idle_ = 0;  // stacks of depth 0
};

}  // namespace sla::capture
