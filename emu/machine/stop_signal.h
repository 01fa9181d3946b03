// "End the run", from a signal handler or another thread, and "somebody wants something"; wakes a machine that sleeps.
// request() is async-signal-safe. One per program.
//
// While the machine goes back (Vmm::run_again) nobody is served. Who only wants something waits for the end of that; an
// Interruption ends it.
#pragma once

#include "emu/machine/wake.h"

#include <atomic>

namespace sla::machine {

class StopSignal {
public:
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

    // What cannot wait: it counts from its making to its end. From any thread.
    class Interruption {
    public:
        explicit Interruption(StopSignal& signal) noexcept : signal_(signal) {
            // Both pair with interrupted(), which may see it late.
            signal_.interruptions_.fetch_add(1, std::memory_order_relaxed);
        }
        ~Interruption() { signal_.interruptions_.fetch_sub(1, std::memory_order_relaxed); }
        Interruption(const Interruption&) = delete;
        Interruption& operator=(const Interruption&) = delete;

    private:
        StopSignal& signal_;
    };
    [[nodiscard]] bool interrupted() const noexcept {
        return interruptions_.load(std::memory_order_relaxed) != 0;  // pairs with nothing: a late view is fine
    }

    // Readable once a stop is requested or attention was called.
    [[nodiscard]] int descriptor() const { return wake_.descriptor(); }

private:
    std::atomic<bool> requested_{false};
    std::atomic<bool> attention_{false};
    std::atomic<unsigned> interruptions_{0};
    Wake wake_;
};

}  // namespace sla::machine
