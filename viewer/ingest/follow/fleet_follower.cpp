#include "viewer/ingest/follow/fleet_follower.h"

#include <algorithm>
#include <new>
#include <utility>

namespace sla::ingest {
namespace {

using Clock = std::chrono::steady_clock;

// A large fleet's servers have more to do than to tell one window that nothing is new: a thousand questions a second are enough.
constexpr auto kBetweenQuestions = std::chrono::milliseconds(200);
constexpr auto kForEachHost = std::chrono::milliseconds(1);
constexpr auto kBetweenLooks = std::chrono::seconds(2);
constexpr std::size_t kQueueBytes = std::size_t{16} << 20;

}  // namespace

FleetFollower::FleetFollower(FollowOptions options)
    : pause_(std::max<std::chrono::milliseconds>(kBetweenQuestions, options.hosts.size() * kForEachHost)),
      following_(std::move(options), Clock::now()),
      thread_([this] { run(); }) {}

FleetFollower::~FleetFollower() {
    {
        const std::lock_guard lock(mutex_);
        over_ = true;
    }
    changed_.notify_all();
    thread_.join();
}

void FleetFollower::push(FrameItem item) {
    const std::lock_guard lock(mutex_);
    queued_ += item.bytes;
    bytes_ += item.bytes;
    items_.push_back(std::make_shared<const FrameItem>(std::move(item)));
}

// Without memory there is nothing more: what comes next would be without a place.
void FleetFollower::run() {
    Clock::time_point next_look;
    try {
        for (bool is_more = true;;) {
            {
                std::unique_lock lock(mutex_);
                const auto is_wanted = [this] { return over_ || queued_ < kQueueBytes; };
                if (!is_more) changed_.wait_for(lock, pause_, [this] { return over_.load(); });
                changed_.wait(lock, is_wanted);
                if (over_) return;
            }
            const Clock::time_point now = Clock::now();
            if (now >= next_look) {
                following_.look(now);
                next_look = Clock::now() + kBetweenLooks;
            }
            is_more = following_.step(
                now, [this](FrameItem item) { push(std::move(item)); }, [this] { return !over_; });
            const FollowReport report = following_.report(Clock::now());
            const std::lock_guard lock(mutex_);
            report_ = report;
        }
    } catch (const std::bad_alloc&) {
        const std::lock_guard lock(mutex_);
        report_.message = "there is not enough memory to follow what is published";
    }
}

std::shared_ptr<const FrameItem> FleetFollower::next() {
    const std::lock_guard lock(mutex_);
    if (items_.empty()) return nullptr;
    std::shared_ptr<const FrameItem> item = std::move(items_.front());
    items_.pop_front();
    queued_ -= item->bytes;
    if (queued_ < kQueueBytes) changed_.notify_all();
    return item;
}

FollowReport FleetFollower::report() const {
    const std::lock_guard lock(mutex_);
    return report_;
}

std::uint64_t FleetFollower::bytes() const {
    const std::lock_guard lock(mutex_);
    return bytes_;
}

}  // namespace sla::ingest
