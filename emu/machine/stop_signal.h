// "End the run", from a signal handler or another thread; wakes a machine that sleeps.
// request() is async-signal-safe. One per program.
#pragma once

#include <atomic>

namespace sla::machine {

class StopSignal {
public:
    StopSignal();
    ~StopSignal();
    StopSignal(const StopSignal&) = delete;
    StopSignal& operator=(const StopSignal&) = delete;

    void request() noexcept;
    [[nodiscard]] bool requested() const noexcept {
        return requested_.load(std::memory_order_relaxed);  // pairs with nothing: a late view is fine
    }
    // Readable once a stop is requested.
    [[nodiscard]] int descriptor() const { return descriptor_; }

private:
    std::atomic<bool> requested_{false};
    int descriptor_;
};

}  // namespace sla::machine
