// FleetFollower: FleetFollowing on a thread of its own, as StreamClient is for an agent.
//
//   servers ── thread: FleetFollowing ──► queue, bounded in bytes ──► poll(): FrameApplier (owner's thread)
//
// A full queue stops the asking, and nothing else: the cluster keeps what was not asked for. All methods belong to the
// owner's thread.
#pragma once

#include "viewer/ingest/follow/fleet_following.h"
#include "viewer/ingest/frame_applier.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <thread>

namespace sla::ingest {

class FleetFollower {
public:
    explicit FleetFollower(FollowOptions options);
    ~FleetFollower();  // waits for the question that is on its way
    FleetFollower(const FleetFollower&) = delete;
    FleetFollower& operator=(const FleetFollower&) = delete;

    // The next frame that has come; null: none.
    std::shared_ptr<const FrameItem> next();
    [[nodiscard]] FollowReport report() const;
    // Received so far.
    [[nodiscard]] std::uint64_t bytes() const;

private:
    void run();
    void push(FrameItem item);

    const std::chrono::milliseconds pause_;  // while nothing is new
    FleetFollowing following_;               // the thread's
    mutable std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<std::shared_ptr<const FrameItem>> items_;
    std::size_t queued_ = 0;
    std::uint64_t bytes_ = 0;
    FollowReport report_;
    std::atomic<bool> over_ = false;  // set under mutex
    std::thread thread_;
};

}  // namespace sla::ingest
