// A process that has no file descriptor left, and what it computes meanwhile.
#pragma once

#include <gtest/gtest.h>
#include <poll.h>
#include <sys/resource.h>
#include <unistd.h>

#include <chrono>
#include <ctime>

namespace sla::support {

// While it lives every descriptor that the process may have is in use.
class NoDescriptors {
public:
    NoDescriptors() {
        EXPECT_EQ(::getrlimit(RLIMIT_NOFILE, &before_), 0);
        const int lowest_free = ::dup(0);
        EXPECT_GE(lowest_free, 0);
        ::close(lowest_free);
        rlimit none = before_;
        none.rlim_cur = static_cast<rlim_t>(lowest_free);
        EXPECT_EQ(::setrlimit(RLIMIT_NOFILE, &none), 0);
    }
    ~NoDescriptors() { EXPECT_EQ(::setrlimit(RLIMIT_NOFILE, &before_), 0); }
    NoDescriptors(const NoDescriptors&) = delete;
    NoDescriptors& operator=(const NoDescriptors&) = delete;

private:
    rlimit before_{};
};

// What the process computes while this thread waits a little.
inline std::chrono::milliseconds cpu_time_meanwhile() {
    const std::clock_t from = std::clock();
    ::poll(nullptr, 0, 600);
    return std::chrono::milliseconds((std::clock() - from) * 1000 / CLOCKS_PER_SEC);
}

}  // namespace sla::support
