#include "emu/machine/stop_signal.h"

namespace sla::machine {

void StopSignal::request() noexcept {
    const int saved = errno;
    requested_.store(true, std::memory_order_relaxed);  // pairs with requested(), which may see it late
    wake_.raise();
    errno = saved;
}

void StopSignal::call_attention() noexcept {
    attention_.store(true, std::memory_order_relaxed);  // pairs with attention(), which may see it late
    wake_.raise();
}

void StopSignal::take_attention() noexcept {
    attention_.store(false, std::memory_order_relaxed);  // the caller's data is behind a lock of its own
    wake_.clear();                                       // one that asked for the end just now is seen by its flag
}

}  // namespace sla::machine
