// "End the run", from a signal handler or another thread, and "somebody wants something"; wakes a machine that sleeps.
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
    // From another thread; the machine's thread looks, takes it and serves whoever called.
    void call_attention() noexcept;
    [[nodiscard]] bool attention() const noexcept {
        return attention_.load(std::memory_order_relaxed);  // pairs with nothing: a late view is fine
    }
    void take_attention() noexcept;

    // Readable once a stop is requested or attention was called.
    [[nodiscard]] int descriptor() const { return descriptor_; }

private:
    void wake() const noexcept;

    std::atomic<bool> requested_{false};
    std::atomic<bool> attention_{false};
    int descriptor_;
};

}  // namespace sla::machine
