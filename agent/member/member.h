// This agent as one of a fleet, apart from what it publishes: it answers pings and pings others, takes orders, and takes part in
// the fleet's shots. On a connection and a thread of its own: a ping never waits behind a chunk, and the draining thread never
// for the network.
//
//   cluster ◄──► libnats' threads: NatsPeers, ControlHandler::on_message, ShotHandler::on_message
//                     │ under locks that nobody holds while he waits
//   Member's thread: step ── PeerClock and Shot frames ──► retention;   what is to be said ──► cluster
//
// Without a connection everything waits, bounded; it is tried again every second.
#pragma once

#include "agent/member/control_handler.h"
#include "agent/member/nats_peers.h"
#include "agent/member/own_clock.h"
#include "agent/member/shot_handler.h"
#include "agent/member/twin_watch.h"
#include "agent/member/unsent.h"
#include "agent/peers/peer_pinger.h"
#include "agent/retain/retention.h"
#include "proto/base/result.h"
#include "proto/fleet/connection.h"
#include "proto/fleet/servers.h"
#include "proto/wire/capture.pb.h"

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace sla::member {

class Member {
public:
    struct Options {
        fleet::Servers servers;
        fleet::Credentials credentials;
        Identity self;
        std::string capture;  // that is published
        fleet::Control control = fleet::Control::kShots;
    };
    struct Calls {
        ControlHandler::Apply apply;
        std::function<void(const std::string&)> say;  // any thread
    };
    Member(const Options& options, double nominal_hz, retain::Retention& retention, Calls calls);
    ~Member();

    void start();
    // Takes no more orders, pings and shots of others. May wait for the network.
    void stop();
    // After the last event: what shots there still were, and what was kept of open windows, is said if the cluster can be
    // reached at once.
    void finish();

    // The draining thread's: neither waits.
    void on_clock(const time::ClockSnapshot& snapshot) { clock_.add(snapshot); }
    void on_shot(const wire::Shot& shot);

private:
    using Time = std::chrono::steady_clock::time_point;
    void run();
    void wait();
    void connect(Time now);
    Result<void> attach();
    void stop_listening();
    void detach();
    void look_for_hosts(Time now);
    void report_clocks(const std::vector<peers::PeerReading>& news);
    void send(const ShotHandler::Outgoing& outgoing);
    void send_answers();

    const Options options_;
    retain::Retention& retention_;
    const Calls calls_;
    OwnClock clock_;
    NatsPeers transport_;
    peers::PeerPinger pinger_;
    ControlHandler control_;
    ShotHandler shots_;
    TwinWatch twins_;
    std::unique_ptr<fleet::Connection> connection_;  // the thread's, as all up to the mutex; once it ended finish()'s
    std::unique_ptr<fleet::Listener> orders_;        // before the connection goes, as the next
    std::unique_ptr<fleet::Listener> fired_;
    Time next_connect_;
    Time next_look_;
    std::string reported_;  // what was wrong with the cluster when it was reported last
    Unsent unsent_;
    bool is_finished_ = false;
    std::mutex mutex_;
    std::condition_variable woken_;
    bool is_awake_ = false;  // under mutex_, as the next
    bool is_ending_ = false;
    std::thread thread_;
};

}  // namespace sla::member
