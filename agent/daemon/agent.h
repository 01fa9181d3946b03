// The whole agent: rooms wired together, two threads (draining; sockets and signals), one that compares
// the cores now and then, and one more a recording.
#pragma once

#include "agent/daemon/event_loop.h"
#include "agent/daemon/health/skew_watch.h"
#include "agent/daemon/options/options.h"
#include "agent/daemon/options/reload.h"
#include "agent/daemon/pipeline/pipeline.h"
#include "agent/daemon/runtime_lock.h"
#include "agent/daemon/shots/guest_stops.h"
#include "agent/daemon/shots/shot_actions.h"
#include "agent/linux/tracefs/privileged_helper.h"
#include "agent/member/member.h"
#include "agent/publish/publisher.h"
#include "agent/retain/retention.h"
#include "agent/service/activation.h"
#include "agent/service/metrics_server.h"
#include "agent/service/notifier.h"
#include "agent/source/program_listener.h"
#include "agent/stream/recorder.h"
#include "agent/stream/server.h"
#include "proto/base/result.h"

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace sla::daemon {

// What a service manager gave us and wants to know; without one, nothing.
struct ServiceManager {
    std::vector<service::PassedSocket> sockets;  // owned by the agent once it starts
    service::Notifier notifier;
    std::function<Result<Options>()> read_options;  // again, on SIGHUP; empty: there is nothing to read
};

class Agent {
public:
    // Sets everything up; after that programs and clients can come.
    // `privileged_helper`: has opened the kernel's trace; nullptr: none was asked for.
    static Result<std::unique_ptr<Agent>> start(const Options& options,
                                                std::unique_ptr<linux::PrivilegedHelper> privileged_helper,
                                                ServiceManager manager);
    ~Agent();

    // Until SIGINT, SIGTERM or a client's Stop. An error: the recording is not whole.
    Result<void> run();

private:
    Agent(RuntimeLock lock, const Options& options, std::unique_ptr<linux::PrivilegedHelper> privileged_helper,
          ServiceManager manager);
    Result<void> open(const Options& options);
    Result<void> listen(const Options& options);
    Result<void> adopt_passed_sockets();
    Result<void> answer_metrics(const wire::Address& address);
    [[nodiscard]] bool was_passed(const wire::Address& address) const;
    Result<void> trace_host(const linux::LinuxOptions& options);
    Result<void> start_recording(const Options& options);
    Result<void> start_publishing(const Options& options);
    void join_fleet(const publish::Options& options);
    double ticks_per_second();
    std::string metrics_page();
    void on_signal(int number);
    void reload();
    void reload_access(const stream::TlsFiles& wanted);
    void end_reload(const std::string& problem, const std::string& waits, const stream::TlsFiles& wanted);
    void drain_until_stopped();
    void shut_down(const std::string& reason);
    void wait_for_goodbyes(int tries);

    std::unique_ptr<linux::PrivilegedHelper> privileged_helper_;  // outlives what reads its descriptors
    RuntimeLock lock_;
    ServiceManager manager_;
    boost::asio::io_context io_;
    SignalWatch signals_;  // before whatever starts a thread
    retain::Retention retention_;
    Pipeline pipeline_;
    Configuration configuration_;
    source::ProgramListener programs_;
    stream::Server server_;
    std::unique_ptr<service::MetricsServer> metrics_server_;
    std::unique_ptr<stream::Recorder> recorder_;
    std::unique_ptr<publish::Publisher> publisher_;
    std::unique_ptr<member::Member> member_;  // of the fleet that is published to
    GuestStops guest_stops_;
    ShotActions shot_actions_;
    SkewWatch skew_;
    boost::asio::steady_timer goodbye_;
    stream::TlsFiles tls_;  // in force
    bool serves_tls_ = false;
    bool shutting_down_ = false;
    int terminal_ = -1;  // that we were started on; its end is ours

    std::mutex metrics_mutex_;
    service::Metrics metrics_;  // under metrics_mutex_; of the newest status

    std::thread drainer_;
    std::atomic<bool> stop_{false};
};

}  // namespace sla::daemon
