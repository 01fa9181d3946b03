#include "viewer/analysis/values/key_sample.h"

namespace sla::analysis {

// xorshift64*
std::uint64_t KeySample::random() {
    state_ ^= state_ >> 12;
    state_ ^= state_ << 25;
    state_ ^= state_ >> 27;
    return (state_ * 0x2545f4914f6cdd1d) >> 32;
}

void KeySample::keep(NumberKey key) {
    if (keys_.size() == most_) thin();
    keys_.push_back(key);
    until_next_ = every_ == 1 ? 1 : 1 + random() % (2 * every_ - 1);  // every_ on average
}

// One of each two that came one after the other.
void KeySample::thin() {
    const std::size_t pairs = keys_.size() / 2;
    for (std::size_t i = 0; i < pairs; ++i) keys_[i] = keys_[2 * i + random() % 2];
    keys_.resize(pairs);
    every_ *= 2;
}

}  // namespace sla::analysis
