// StableVector<T>: grows at its end; what is in it never moves. A look at one costs two loads, no division: a deque of small
// things takes memory for a few at a time, and looks for a place by dividing. What shared() gives holds the same elements, up
// to the size there was: another thread may read them while this one grows, as long as no element is changed.
#pragma once

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace sla::store {

// Takes memory for so many at a time: a power of two.
template <typename T, std::size_t kChunk = 64>
class StableVector {
public:
    StableVector() = default;
    StableVector(StableVector&&) noexcept = default;
    StableVector& operator=(StableVector&&) noexcept = default;
    // Of which nothing is to be changed.
    [[nodiscard]] StableVector shared() const { return *this; }

    [[nodiscard]] std::size_t size() const { return size_; }
    [[nodiscard]] bool empty() const { return size_ == 0; }
    [[nodiscard]] T& operator[](std::size_t at) { return chunks_[at / kChunk][at % kChunk]; }
    [[nodiscard]] const T& operator[](std::size_t at) const { return chunks_[at / kChunk][at % kChunk]; }
    void push_back(T one) {
        if (size_ % kChunk == 0) chunks_.push_back(std::make_shared_for_overwrite<T[]>(kChunk));
        chunks_.back()[size_++ % kChunk] = std::move(one);
    }
    // The first of [begin, end) of which `is_before` is no longer true; as std::partition_point.
    template <typename IsBefore>
    [[nodiscard]] std::size_t partition_point(std::size_t begin, std::size_t end, IsBefore is_before) const {
        while (begin < end) {
            const std::size_t middle = begin + (end - begin) / 2;
            if (is_before((*this)[middle])) {
                begin = middle + 1;
            } else {
                end = middle;
            }
        }
        return begin;
    }

private:
    StableVector(const StableVector&) = default;

    std::vector<std::shared_ptr<T[]>> chunks_;
    std::size_t size_ = 0;
};

}  // namespace sla::store
