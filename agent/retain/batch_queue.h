// A queue that takes hardly more memory than what is in it, whether that is one batch, as of most of a hundred thousand
// channels (a std::deque takes half a kilobyte at once), or a hundred thousand small ones of a slow channel (a vector that
// grows by doubling, and from whose begin they go, takes three times that, which nobody counted).
//
//   blocks_   [····xxxx] [xxxxxxxx] [xxx     ]      all but the last are full
//              0   begin_
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace sla::retain {

template <typename T>
class BatchQueue {
public:
    void push_back(T value) {
        if (blocks_.empty() || blocks_.back().size() == kBlock) blocks_.emplace_back();
        blocks_.back().push_back(std::move(value));
        ++size_;
    }
    // Amortized constant: of one block, what was popped is moved over once it is more than what is left; of several the
    // first goes when it is empty.
    void pop_front() {
        std::vector<T>& first = blocks_.front();
        first[begin_++] = T();
        --size_;
        if (blocks_.size() == 1 ? begin_ * 2 <= first.size() : begin_ < kBlock) return;
        first.erase(first.begin(), first.begin() + static_cast<std::ptrdiff_t>(begin_));
        begin_ = 0;
        if (blocks_.size() > 1) {
            blocks_.erase(blocks_.begin());
            if (blocks_.size() * 4 < blocks_.capacity()) blocks_.shrink_to_fit();
        } else if (first.size() * 4 < first.capacity()) {
            first.shrink_to_fit();
        }
    }
    [[nodiscard]] std::size_t size() const { return size_; }
    [[nodiscard]] bool empty() const { return size_ == 0; }
    [[nodiscard]] T& front() { return blocks_.front()[begin_]; }
    [[nodiscard]] const T& front() const { return blocks_.front()[begin_]; }
    [[nodiscard]] const T& back() const { return blocks_.back().back(); }
    [[nodiscard]] const T& operator[](std::size_t at) const {
        return blocks_[(begin_ + at) / kBlock][(begin_ + at) % kBlock];
    }
    // How many at the begin `is_before` holds for: for them all, and for none behind them.
    template <typename Predicate>
    [[nodiscard]] std::size_t count_of_first(Predicate is_before) const {
        std::size_t from = 0;
        for (std::size_t to = size_; from < to;) {
            const std::size_t middle = from + (to - from) / 2;
            if (is_before((*this)[middle])) {
                from = middle + 1;
            } else {
                to = middle;
            }
        }
        return from;
    }

private:
    static constexpr std::size_t kBlock = 64;

    std::vector<std::vector<T>> blocks_;
    std::size_t begin_ = 0;  // of those still there, in the first block
    std::size_t size_ = 0;
};

}  // namespace sla::retain
