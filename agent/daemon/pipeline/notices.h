// What people should read: into the log and to readers, as far as NoticeLimit admits it. Any thread.
#pragma once

#include "agent/daemon/pipeline/notice_limit.h"
#include "agent/retain/retention.h"
#include "proto/base/strong_id.h"

#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>

namespace sla::daemon {

class Notices {
public:
    explicit Notices(retain::Retention& retention) : retention_(retention) {}

    void say(const std::string& text, SourceId source = {});
    // How many were left out, once it is time to say so; at the end in any case.
    void report_left_out(std::uint64_t now, bool at_end);

    void set_rate(double ticks_per_second) {
        ticks_per_second_.store(ticks_per_second, std::memory_order_relaxed);  // pairs with nothing: a rate, as the next
    }
    [[nodiscard]] double ticks_per_second() const { return ticks_per_second_.load(std::memory_order_relaxed); }

private:
    retain::Retention& retention_;
    std::atomic<double> ticks_per_second_{0};
    std::mutex mutex_;
    NoticeLimit limit_;  // under mutex_
};

}  // namespace sla::daemon
