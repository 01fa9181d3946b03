// WidthCounts: any number of widths, every one exact, in memory that does not grow with their number: short ones are
// counted, and only the long ones, of which no range of time holds many, are listed.
//
//   below kCounted ticks   counts_[width]      512 KiB, once there are many
//   from there on          list_               8 bytes each
//
// Cost: a ns or two each to add; sorting is only for the list. Value type.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <vector>

namespace sla::analysis {

class WidthCounts {
public:
    WidthCounts() = default;
    WidthCounts(const std::vector<std::uint64_t>& widths) {  // NOLINT(google-explicit-constructor): the same in another form
        for (const std::uint64_t width : widths) push_back(width);
    }
    WidthCounts(std::initializer_list<std::uint64_t> widths) : WidthCounts(std::vector<std::uint64_t>(widths)) {}

    void push_back(std::uint64_t width) {
        ++size_;
        if (width < counts_.size()) {
            ++counts_[width];
            return;
        }
        is_sorted_ = false;
        list_.push_back(width);
        if (counts_.empty() && list_.size() >= kFew) start_counting();
    }

    [[nodiscard]] std::uint64_t size() const { return size_; }
    [[nodiscard]] bool empty() const { return size_ == 0; }
    // Least and greatest; not when empty.
    [[nodiscard]] std::uint64_t front() const { return at_rank(1); }
    [[nodiscard]] std::uint64_t back() const { return at_rank(size_); }
    // The smallest width that so many widths (1 to size()) do not exceed.
    [[nodiscard]] std::uint64_t at_rank(std::uint64_t rank) const;
    // Not when empty.
    [[nodiscard]] long double mean() const;
    // Leaves out all that are wider; how many that were.
    std::uint64_t drop_above(std::uint64_t width);

    // visit(width, count) for every width that occurs, rising.
    template <typename Visit>
    void each(Visit visit) const {
        for (std::uint64_t width = 0; width < counts_.size(); ++width) {
            if (counts_[width] != 0) visit(width, counts_[width]);
        }
        sort_list();
        for (auto at = list_.begin(); at != list_.end();) {
            const auto next = std::upper_bound(at, list_.end(), *at);
            visit(*at, static_cast<std::uint64_t>(next - at));
            at = next;
        }
    }

    // The same in any order, one width of the list at a time.
    template <typename Visit>
    void each_unsorted(Visit visit) const {
        for (std::uint64_t width = 0; width < counts_.size(); ++width) {
            if (counts_[width] != 0) visit(width, counts_[width]);
        }
        for (const std::uint64_t width : list_) visit(width, std::uint64_t{1});
    }

    bool operator==(const WidthCounts& other) const;

private:
    static constexpr std::size_t kCounted = 65536;
    static constexpr std::size_t kFew = 65536;
    void start_counting();
    void sort_list() const;

    std::vector<std::uint64_t> counts_;        // empty, or of the widths below kCounted
    mutable std::vector<std::uint64_t> list_;  // all others
    mutable bool is_sorted_ = true;
    std::uint64_t size_ = 0;
};

}  // namespace sla::analysis
