#include "agent/daemon/health/skew_watch.h"

#include <chrono>
#include <utility>

namespace sla::daemon {
namespace {

constexpr auto kBetween = std::chrono::minutes(3);

}  // namespace

SkewWatch::SkewWatch(std::function<void(const time::CoreSkew&)> report)
    : reported_(std::move(report)), thread_([this] { run(); }) {}

SkewWatch::~SkewWatch() {
    {
        std::lock_guard lock(mutex_);
        stop_ = true;
    }
    stopping_.notify_all();
    thread_.join();
}

void SkewWatch::run() {
    std::unique_lock lock(mutex_);
    while (!stop_) {
        lock.unlock();
        reported_(time::measure_core_skew());
        lock.lock();
        stopping_.wait_for(lock, kBetween, [this] { return stop_; });
    }
}

}  // namespace sla::daemon
