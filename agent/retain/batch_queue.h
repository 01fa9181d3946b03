// A queue whose first elements cost no more than themselves: of a hundred thousand channels most hold one batch or two,
// where a std::deque takes half a kilobyte at once.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace sla::retain {

template <typename T>
class BatchQueue {
public:
    using const_iterator = typename std::vector<T>::const_iterator;

    void push_back(T value) { values_.push_back(std::move(value)); }
    // Amortized constant: what was popped is moved over once it is more than what is left.
    void pop_front() {
        values_[begin_++] = T();
        if (begin_ * 2 <= values_.size()) return;
        values_.erase(values_.begin(), values_.begin() + static_cast<std::ptrdiff_t>(begin_));
        begin_ = 0;
        if (values_.size() * 4 < values_.capacity()) values_.shrink_to_fit();
    }
    [[nodiscard]] std::size_t size() const { return values_.size() - begin_; }
    [[nodiscard]] bool empty() const { return size() == 0; }
    [[nodiscard]] T& front() { return values_[begin_]; }
    [[nodiscard]] const T& front() const { return values_[begin_]; }
    [[nodiscard]] const T& back() const { return values_.back(); }
    [[nodiscard]] const T& operator[](std::size_t at) const { return values_[begin_ + at]; }
    [[nodiscard]] const_iterator begin() const { return values_.begin() + static_cast<std::ptrdiff_t>(begin_); }
    [[nodiscard]] const_iterator end() const { return values_.end(); }

private:
    std::vector<T> values_;
    std::size_t begin_ = 0;  // of those still there
};

}  // namespace sla::retain
