// Address line 20 of the processor's bus. One latch, which port 92h and the 8042's output port both set and show, as in chip
// sets that have the fast gate: the last write counts. Off, bit 20 of every address the processor puts out is 0, so
// that the second megabyte is the first once more, as on an 8086; DMA does not go through it.
#pragma once

#include <functional>
#include <utility>

namespace sla::device {

class A20Gate {
public:
    // At most one; empty: nobody.
    void observe(std::function<void(bool on)> observer) { observer_ = std::move(observer); }

    [[nodiscard]] bool on() const { return on_; }
    void set(bool on) {
        if (std::exchange(on_, on) != on && observer_) observer_(on);
    }

private:
    std::function<void(bool)> observer_;
    bool on_ = true;
};

}  // namespace sla::device
