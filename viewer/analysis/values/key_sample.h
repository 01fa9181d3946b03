// KeySample: of numbers that come one after the other all, while they are not too many, then a random one of each two, of each
// four, and so on: never more than `most` are kept. The same numbers in the same order give the same sample.
//
//   every_ 1   ■■■■■■■■   full   ►   every_ 2   ■□□■■□□■   new ones: one of two   ►   every_ 4 ...
//
// Memory: 16 bytes for each that is kept. Cost: a ns to pass one over. Value type.
#pragma once

#include "viewer/analysis/values/number_key.h"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace sla::analysis {

class KeySample {
public:
    explicit KeySample(std::size_t most) : most_(most) {}

    void add(NumberKey key) {
        ++added_;
        if (--until_next_ == 0) keep(key);
    }
    // The next key is one too many, and none has been left out so far.
    [[nodiscard]] bool is_full() const { return every_ == 1 && keys_.size() == most_; }
    [[nodiscard]] bool has_all() const { return every_ == 1; }  // none was left out

    [[nodiscard]] std::uint64_t added() const { return added_; }
    [[nodiscard]] const std::vector<NumberKey>& keys() const { return keys_; }
    // visit(key) -> bool takes a key out; while nothing was left out.
    template <typename Visit>
    void take_out(Visit visit) {
        added_ -= std::erase_if(keys_, visit);
    }
    // All of them; the sample is over.
    [[nodiscard]] std::vector<NumberKey> take() { return std::exchange(keys_, {}); }
    // How many of those added each of the kept ones stands for.
    [[nodiscard]] double weight() const {
        return keys_.empty() ? 0 : static_cast<double>(added_) / static_cast<double>(keys_.size());
    }

private:
    void keep(NumberKey key);
    void thin();
    [[nodiscard]] std::uint64_t random();

    std::size_t most_;
    std::vector<NumberKey> keys_;
    std::uint64_t every_ = 1;
    std::uint64_t until_next_ = 1;
    std::uint64_t added_ = 0;
    std::uint64_t state_ = 0x9e3779b97f4a7c15;
};

}  // namespace sla::analysis
