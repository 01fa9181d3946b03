// The spans of one channel that have begun and not ended, by the rules of the viewer's span table: an end closes the newest
// open span of its thread, a gap closes those of its thread (thread 0: of all).
//
// Memory is bounded whatever the events say: kRememberedSpans a thread and kMaxRemembered in all are kept, the outermost;
// deeper ones are counted. Spans of more than kMaxThreads threads at once are not tracked. One owner, one thread.
#pragma once

#include "proto/capture/summary/lane_summary.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace sla::capture {

class OpenSpans {
public:
    // So many began, and ended, before.
    explicit OpenSpans(std::uint64_t begun = 0) : begun_(begun) {}
    // Gives it its id, row and depth. False: it is counted, but not remembered.
    bool begin(const OpenSpan& span);
    // A begin and, behind it, an end of the same thread, which leave nothing behind. False: nothing was done, they are
    // begin()'s and end()'s.
    // Of so many, one behind the other.
    bool pass_of(std::uint32_t thread, std::uint64_t spans = 1) {
        const bool is_simple = newest_ != nullptr && newest_thread_ == thread && newest_->depth < kRememberedSpans &&
                               remembered_ < kMaxRemembered && depth_ != ~std::uint32_t{0};
        begun_ += is_simple ? spans : 0;
        return is_simple;
    }
    // So many, which left nothing behind when they had ended.
    void pass(std::uint64_t spans) { begun_ += spans; }
    // What an end finds.
    enum class Ended { kNone, kForgotten, kRemembered };
    // `closed` is set when it was remembered.
    Ended end(std::uint32_t thread, OpenSpan& closed);
    // Those that the gap cuts and that are remembered are appended; of several threads in order of begin.
    void gap(std::uint32_t thread, std::vector<OpenSpan>& cut);

    [[nodiscard]] std::uint32_t depth() const { return depth_; }
    // Of all that ever began.
    [[nodiscard]] std::uint64_t begun() const { return begun_; }
    // The greatest row that is taken, plus one.
    [[nodiscard]] std::uint32_t rows_taken() const;
    // The same while one more is open.
    [[nodiscard]] std::uint32_t rows_with_one_more() const { return std::max(rows_taken(), free_row() + 1U); }
    // The same while so many more are open that found the others as they are.
    [[nodiscard]] std::uint32_t rows_with(std::uint32_t more) const;
    // Counts anew from here: the next that begins has id 0, those that are open have ids below.
    void count_anew();
    // In order of begin.
    void append_to(std::vector<OpenSpan>& out) const;
    // What it takes in memory beside itself, about.
    [[nodiscard]] std::size_t bytes() const {
        constexpr std::size_t kStackBytes = 96;  // and its node
        return stacks_.size() * kStackBytes + remembered_ * sizeof(OpenSpan);
    }

private:
    static constexpr std::size_t kMaxThreads = 65536;
    static constexpr std::size_t kMaxRemembered = std::size_t{1} << 20;
    struct Stack {
        std::vector<OpenSpan> spans;
        std::uint32_t depth = 0;
    };
    Stack* find(std::uint32_t thread) {
        if (newest_ != nullptr && newest_thread_ == thread) return newest_;
        const auto at = stacks_.find(thread);
        return at == stacks_.end() ? nullptr : &at->second;
    }
    Stack* stack_of(std::uint32_t thread);
    void cut_all(Stack& stack, std::vector<OpenSpan>& cut);
    // The lowest, or the one that all beyond share.
    [[nodiscard]] std::uint16_t free_row() const {
        for (std::size_t word = 0; word < rows_.size(); ++word) {
            const int taken = std::countr_one(rows_[word]);
            if (taken < 64) return static_cast<std::uint16_t>(word * 64 + static_cast<std::size_t>(taken));
        }
        return kMaxSpanRows - 1;
    }
    void take_row(std::uint16_t row) { rows_[row / 64] |= std::uint64_t{1} << (row % 64); }
    void give_row(std::uint16_t row) { rows_[row / 64] &= ~(std::uint64_t{1} << (row % 64)); }

    std::unordered_map<std::uint32_t, Stack> stacks_;
    Stack* newest_ = nullptr;  // of the thread that began last
    std::uint32_t newest_thread_ = 0;
    std::uint32_t depth_ = 0;
    std::uint64_t begun_;
    std::size_t remembered_ = 0;
    std::size_t idle_ = 0;                                 // stacks of depth 0
    std::array<std::uint64_t, kMaxSpanRows / 64> rows_{};  // bit: the row is taken
};

}  // namespace sla::capture
