// Shots of the whole fleet: one host's trigger makes every host keep its window around the same instant.
//
//   our trigger, action `fleet`  ── on_own ──────►  FleetShot, said some times over  ──►  sla.v1.<fleet>.shot.<host>
//   another host's FleetShot     ── on_message ──►  placed on our clock, its window pinned in the retention, a Shot frame
//                                                   └► when the window is over: what we kept of it, into the shots' bucket
//
// on_own is the draining thread's, and never waits; on_message is libnats'; step and finish are Member's. What others may
// cost us is bounded: kMaxWaiting shots, so many a minute, their windows within --shot-memory.
#pragma once

#include "agent/member/control_handler.h"
#include "agent/member/nats_peers.h"
#include "agent/member/own_clock.h"
#include "agent/member/shot_windows.h"
#include "agent/retain/retention.h"
#include "proto/fleet/registry.h"
#include "proto/fleet/talk.h"
#include "proto/wire/capture.pb.h"

#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace sla::member {

class ShotHandler {
public:
    static constexpr std::size_t kMaxWaiting = 64;
    static constexpr int kMaxInAMinute = 60;      // of other hosts, taken
    static constexpr std::size_t kMaxIds = 1024;  // remembered, so that none is taken twice

    using Time = std::chrono::steady_clock::time_point;
    struct Surroundings {
        Identity self;
        std::string capture;
        std::uint64_t start_tick = 0;  // nothing from before it was ever here
        bool takes_others = true;
        std::function<std::vector<time::PeerReading>(const std::string& host, const std::string& boot_id)> readings_of;
        std::function<void(const std::string&)> say;  // for people
        std::function<std::int64_t()> utc_ns;
    };
    ShotHandler(Surroundings around, retain::Retention& retention, OwnClock& clock)
        : around_(std::move(around)), clock_(clock), windows_(around_.start_tick, retention, clock) {}

    void on_own(const wire::Shot& shot);
    void on_message(const fleet::Received& message);

    // What is to be published now.
    struct Outgoing {
        std::vector<std::string> shots;         // FleetShots
        std::vector<std::string> again;         // those of before, for whoever is there only now
        std::vector<fleet::ShotEntry> entries;  // of the registry
        // Of shots from before this agent began: the agent that was there before may have said what it kept, and knew.
        std::vector<fleet::ShotEntry> first_words;
    };
    // `now_tick` by the clock that stamps.
    Outgoing step(Time now, std::uint64_t now_tick);
    // The agent ends: what there is of open windows is all there will be.
    Outgoing finish(std::uint64_t now_tick);

private:
    struct Said {  // our own shots, said again now and then: whoever was not connected at first may be later
        std::string body;
        std::size_t times = 0;
        Time next;
    };
    void take_own(Time now, Outgoing& out);
    void take_others(Time now, std::uint64_t now_tick, Outgoing& out);
    void take(const fleet::FleetShot& shot, std::uint64_t now_tick, Outgoing& out);
    void say_again(Time now, Outgoing& out);
    void remember(const std::string& id);  // one that is not known
    [[nodiscard]] bool has_space(Time now);
    [[nodiscard]] fleet::ShotEntry entry_of(const fleet::FleetShot& shot) const;

    const Surroundings around_;
    OwnClock& clock_;
    ShotWindows windows_;
    std::deque<Said> said_;
    std::deque<std::string> ids_;
    std::set<std::string> known_;  // ids_
    std::deque<Time> taken_;       // of other hosts, in the last minute
    bool has_reported_flood_ = false;
    std::mutex mutex_;
    std::deque<wire::Shot> own_;  // under mutex_, as the next ones
    std::deque<fleet::FleetShot> others_;
    std::uint64_t left_out_ = 0;  // own ones, for which there was no space
};

}  // namespace sla::member
