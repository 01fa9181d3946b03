// SummaryBlocks: all of a channel's summaries in order, as blocks of columns. A block is what was known at once, as an index chunk
// says it; taking another one costs nothing, wherever its file stands among those of a capture.
#pragma once

#include "proto/capture/summary/summary_columns.h"

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <vector>

namespace sla::capture {

class SummaryBlocks {
public:
    // Those of the same channel that follow; not none.
    void append(SummaryColumns&& block);
    void append(SummaryBlocks&& behind);
    void set(std::size_t at, const LaneSummary& summary);

    [[nodiscard]] bool empty() const { return blocks_.empty(); }
    [[nodiscard]] std::size_t size() const { return ends_.empty() ? 0 : ends_.back(); }
    // O(log of the blocks); one after the other in O(1) by iterators.
    [[nodiscard]] LaneSummary operator[](std::size_t at) const;
    [[nodiscard]] LaneSummary front() const { return blocks_.front()[0]; }
    [[nodiscard]] LaneSummary back() const { return blocks_.back().back(); }
    // The first whose last_tick >= tick; size() when none. O(log).
    [[nodiscard]] std::size_t first_until(std::uint64_t tick) const;

    class Iterator {
    public:
        using iterator_category = std::input_iterator_tag;
        using value_type = LaneSummary;
        using difference_type = std::ptrdiff_t;
        using pointer = void;
        using reference = LaneSummary;

        explicit Iterator(const SummaryColumns* block) : block_(block) {}
        LaneSummary operator*() const { return (*block_)[row_]; }
        Iterator& operator++() {
            if (++row_ < block_->size()) return *this;
            row_ = 0;
            ++block_;
            return *this;
        }
        void operator++(int) { ++*this; }
        bool operator==(const Iterator& other) const { return block_ == other.block_ && row_ == other.row_; }

    private:
        const SummaryColumns* block_;
        std::size_t row_ = 0;
    };
    [[nodiscard]] Iterator begin() const { return Iterator(blocks_.data()); }
    [[nodiscard]] Iterator end() const { return Iterator(blocks_.data() + blocks_.size()); }

private:
    [[nodiscard]] std::size_t block_of(std::size_t at) const;
    [[nodiscard]] std::size_t begin_of(std::size_t block) const { return block == 0 ? 0 : ends_[block - 1]; }

    std::vector<SummaryColumns> blocks_;
    std::vector<std::size_t> ends_;  // of each block, in summaries
};

}  // namespace sla::capture
