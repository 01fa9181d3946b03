// The I/O thread's loop, where what Asio does not report is looked at: it ignores errors of its signal pipe, its timers
// and of what wakes it from other threads.
#pragma once

#include "proto/base/result.h"

#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>

#include <functional>

namespace sla::daemon {

// A timer is tried before anything depends on one.
Result<void> try_timers(boost::asio::io_context& io);

// Until it is stopped. A wake-up of another thread that got lost delays it by a quarter of a second at most.
void run_loop(boost::asio::io_context& io);

// SIGINT, SIGTERM and SIGHUP as handlers of the loop (signalfd). One that could not be read stays pending and is read later.
class SignalWatch {
public:
    // From here on the signals wait; so it comes before the first thread.
    explicit SignalWatch(boost::asio::io_context& io);
    // They are handed to `on_signal` as soon as the loop runs.
    Result<void> start(std::function<void(int number)> on_signal);

private:
    void wait();
    void read();

    boost::asio::posix::stream_descriptor signals_;
    std::function<void(int)> on_signal_;
};

}  // namespace sla::daemon
