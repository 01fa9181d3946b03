// StableVector<T>: grows at its end; what is in it never moves. A look at one costs two loads, no division: a deque of small
// things takes memory for a few at a time, and looks for a place by dividing.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

namespace sla::store {

template <typename T>
class StableVector {
public:
    [[nodiscard]] std::size_t size() const { return size_; }
    [[nodiscard]] bool empty() const { return size_ == 0; }
    [[nodiscard]] T& operator[](std::size_t at) { return chunks_[at / kChunk][at % kChunk]; }
    [[nodiscard]] const T& operator[](std::size_t at) const { return chunks_[at / kChunk][at % kChunk]; }
    void push_back(const T& one) {
        if (size_ % kChunk == 0) chunks_.push_back(std::make_unique_for_overwrite<T[]>(kChunk));
        chunks_.back()[size_++ % kChunk] = one;
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
    static constexpr std::size_t kChunk = 64;

    std::vector<std::unique_ptr<T[]>> chunks_;
    std::size_t size_ = 0;
};

}  // namespace sla::store
