#include "emu/machine/stop_signal.h"

#include <sys/eventfd.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <system_error>

namespace sla::machine {

StopSignal::StopSignal() : descriptor_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
    if (descriptor_ < 0) throw std::system_error(errno, std::generic_category(), "eventfd");
}

StopSignal::~StopSignal() {
    ::close(descriptor_);
}

void StopSignal::request() noexcept {
    const int saved = errno;
    requested_.store(true, std::memory_order_relaxed);  // pairs with requested(), which may see it late
    wake();
    errno = saved;
}

void StopSignal::call_attention() noexcept {
    attention_.store(true, std::memory_order_relaxed);  // pairs with attention(), which may see it late
    wake();
}

void StopSignal::take_attention() noexcept {
    attention_.store(false, std::memory_order_relaxed);  // the caller's data is behind a lock of its own
    std::uint64_t calls = 0;
    // One that asked for the end just now is seen by its flag.
    [[maybe_unused]] const auto got = ::read(descriptor_, &calls, sizeof calls);
}

void StopSignal::wake() const noexcept {
    const std::uint64_t one = 1;
    // The only possible failure is a counter that is full, and then the descriptor is readable already.
    [[maybe_unused]] const auto written = ::write(descriptor_, &one, sizeof one);
}

}  // namespace sla::machine
