// Compares the cores' counters at the agent's start and every few minutes, on a thread of its own that nobody waits for.
#pragma once

#include "proto/common/clock/core_skew.h"

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

namespace sla::daemon {

class SkewWatch {
public:
    // `report` is called on this watch's thread.
    explicit SkewWatch(std::function<void(const time::CoreSkew&)> report);
    ~SkewWatch();  // waits for a comparison that is under way: some ms

private:
    void run();

    std::function<void(const time::CoreSkew&)> reported_;
    std::mutex mutex_;
    std::condition_variable stopping_;
    bool stop_ = false;  // under mutex_
    std::thread thread_;
};

}  // namespace sla::daemon
