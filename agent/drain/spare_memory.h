// SpareMemory: memory that thousands of owners need now and then goes from one to the next. What was put last, which the caches
// still have, is taken first; an owner that kept its own would find it in no cache, and memory would be as much as there are
// owners. What nobody took between two calls of drop_unused() goes. One owner thread.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace sla::drain {

template <typename T>
class SpareMemory {
public:
    // Of more than that the rest goes at once.
    explicit SpareMemory(std::size_t most_bytes) : most_bytes_(most_bytes) {}

    [[nodiscard]] std::size_t bytes() const { return bytes_; }

    // Into the place of what has none; nothing happens where there is none to spare.
    void take(T& to) {
        if (spares_.empty()) return;
        bytes_ -= spares_.back().bytes;
        to = std::move(spares_.back().memory);
        spares_.pop_back();
        least_ = std::min(least_, spares_.size());
    }
    // `memory` takes so many bytes.
    void put(T memory, std::size_t bytes) {
        if (bytes == 0 || bytes_ + bytes > most_bytes_) return;
        spares_.push_back({std::move(memory), bytes});
        bytes_ += bytes;
    }
    void drop_unused() {
        for (std::size_t i = 0; i < least_; i++) bytes_ -= spares_[i].bytes;
        spares_.erase(spares_.begin(), spares_.begin() + static_cast<std::ptrdiff_t>(least_));
        least_ = spares_.size();
    }

private:
    struct Spare {
        T memory;
        std::size_t bytes;
    };
    std::size_t most_bytes_;
    std::size_t bytes_ = 0;
    std::vector<Spare> spares_;
    std::size_t least_ = 0;  // of them, at any moment since the last drop_unused()
};

}  // namespace sla::drain
