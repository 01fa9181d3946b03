// A queue that takes hardly more memory than what is in it, whether that is one batch, as of most of a hundred thousand
// channels (a std::deque takes half a kilobyte at once), or a hundred thousand small ones of a slow channel (a vector that
// grows by doubling, and from whose begin they go, takes three times that, which nobody counted).
//
//   first_   [····xxxx]    more_   [xxxxxxxx] [xxx     ]      all but the last are full
//            0   begin_
#pragma once

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace sla::retain {

template <typename T>
class BatchQueue {
public:
    void push_back(T value) {
        if (more_ == nullptr && first_.size() < kBlock) return first_.push_back(std::move(value));
        if (more_ == nullptr) more_ = std::make_unique<std::vector<std::vector<T>>>();
        if (more_->empty() || more_->back().size() == kBlock) more_->emplace_back();
        more_->back().push_back(std::move(value));
    }
    // Amortized constant: of one block, what was popped is moved over once it is more than what is left; of several the
    // first goes when it is empty.
    void pop_front() {
        first_[begin_++] = T();
        if (more_ == nullptr ? begin_ * 2 <= first_.size() : begin_ < kBlock) return;
        if (more_ == nullptr) {
            first_.erase(first_.begin(), first_.begin() + static_cast<std::ptrdiff_t>(begin_));
            if (first_.size() * 4 < first_.capacity()) first_.shrink_to_fit();
        } else {
            first_ = std::move(more_->front());
            more_->erase(more_->begin());
            if (more_->empty()) {
                more_.reset();
            } else if (more_->size() * 4 < more_->capacity()) {
                more_->shrink_to_fit();
            }
        }
        begin_ = 0;
    }
    [[nodiscard]] std::size_t size() const {
        const std::size_t behind = more_ == nullptr ? 0 : (more_->size() - 1) * kBlock + more_->back().size();
        return first_.size() - begin_ + behind;
    }
    [[nodiscard]] bool empty() const { return begin_ == first_.size(); }
    [[nodiscard]] T& front() { return first_[begin_]; }
    [[nodiscard]] const T& front() const { return first_[begin_]; }
    [[nodiscard]] const T& back() const { return more_ == nullptr ? first_.back() : more_->back().back(); }
    [[nodiscard]] const T& operator[](std::size_t at) const {
        const std::size_t place = begin_ + at;
        return place < kBlock ? first_[place] : (*more_)[place / kBlock - 1][place % kBlock];
    }
    // How many at the begin `is_before` holds for: for them all, and for none behind them.
    template <typename Predicate>
    [[nodiscard]] std::size_t count_of_first(Predicate is_before) const {
        std::size_t from = 0;
        for (std::size_t to = size(); from < to;) {
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

    std::vector<T> first_;
    std::size_t begin_ = 0;                              // of those still there, in the first block
    std::unique_ptr<std::vector<std::vector<T>>> more_;  // only where the first does not suffice, and never empty then
};

}  // namespace sla::retain
