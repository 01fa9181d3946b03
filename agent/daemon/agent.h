// The whole agent: rooms wired together, two threads (draining; sockets and signals), one that compares
// the cores now and then, and one more a recording.
#pragma once

#include "agent/daemon/options.h"
#include "agent/daemon/pipeline.h"
#include "agent/daemon/runtime_lock.h"
#include "agent/daemon/shot_actions.h"
#include "agent/daemon/skew_watch.h"
#include "agent/retain/retention.h"
#include "agent/linux/opener.h"
#include "agent/source/program_listener.h"
#include "agent/stream/recorder.h"
#include "agent/stream/server.h"
#include "proto/base/result.h"

#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>

#include <atomic>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace sla::daemon {

class Agent {
public:
    // Sets everything up; after that programs and clients can come.
    // `opener`: has opened the kernel's trace; nullptr: none was asked for.
    static Result<std::unique_ptr<Agent>> start(const Options& options, std::unique_ptr<linux::Opener> opener = nullptr);
    ~Agent();

    // Until SIGINT, SIGTERM or a client's Stop. An error: the recording is not whole.
    Result<void> run();

private:
    Agent(RuntimeLock lock, const Options& options, std::unique_ptr<linux::Opener> opener);
    Result<void> open(const Options& options);
    Result<void> trace_host(const linux::LinuxOptions& options);
    Result<void> start_recording(const Options& options);
    void drain_until_stopped();
    void shut_down(const std::string& reason);
    void wait_for_goodbyes(int tries);

    std::unique_ptr<linux::Opener> opener_;  // outlives what reads its descriptors
    RuntimeLock lock_;
    boost::asio::io_context io_;
    retain::Retention retention_;
    Pipeline pipeline_;
    source::ProgramListener programs_;
    stream::Server server_;
    std::unique_ptr<stream::Recorder> recorder_;
    ShotActions shot_actions_;
    SkewWatch skew_;
    boost::asio::signal_set signals_;
    boost::asio::steady_timer goodbye_;
    bool shutting_down_ = false;

    std::thread drainer_;
    std::atomic<bool> stop_{false};
};

}  // namespace sla::daemon
