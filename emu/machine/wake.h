// Wakes a thread that sleeps in poll(). From any thread, and from a signal handler.
#pragma once

#include <sys/eventfd.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <system_error>

namespace sla::machine {

class Wake {
public:
    Wake() : descriptor_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
        if (descriptor_ < 0) throw std::system_error(errno, std::generic_category(), "eventfd");
    }
    ~Wake() { ::close(descriptor_); }
    Wake(const Wake&) = delete;
    Wake& operator=(const Wake&) = delete;

    // Readable from raise() to clear().
    [[nodiscard]] int descriptor() const noexcept { return descriptor_; }
    void raise() const noexcept {
        const std::uint64_t one = 1;
        // The only possible failure is a counter that is full, and then the descriptor is readable already.
        [[maybe_unused]] const auto written = ::write(descriptor_, &one, sizeof one);
    }
    void clear() const noexcept {
        std::uint64_t calls = 0;
        [[maybe_unused]] const auto got = ::read(descriptor_, &calls, sizeof calls);
    }

private:
    int descriptor_;
};

}  // namespace sla::machine
