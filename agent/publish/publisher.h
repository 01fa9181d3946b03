// Publishes all that the agent records to a fleet's cluster: one more reader of the retention, with a spool on disk between.
//
//   Retention ─► Recording ─► spool: pieces on disk ─► Shipment ─► Sender ─► NATS JetStream
//                a thread      outlives the agent        └─ a thread ─┘ ◄──── acknowledgements
//
// No marker ever waits for it, and no memory grows: what the cluster does not take stays in the spool, what the spool does not
// take is counted where it is missing. A piece is removed when the quorum has acknowledged all of it; whatever an earlier
// agent left is published first of all, under that agent's capture.
#pragma once

#include "agent/publish/figures.h"
#include "agent/publish/on_the_way.h"
#include "agent/publish/recording.h"
#include "agent/publish/sender.h"
#include "agent/publish/shipment.h"
#include "agent/publish/spool.h"
#include "agent/retain/retention.h"
#include "proto/base/result.h"
#include "proto/fleet/connection.h"
#include "proto/fleet/registry.h"
#include "proto/fleet/talk.h"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace sla::publish {

struct Options {             // names are words of subjects (fleet::is_token)
    fleet::Servers servers;  // none: nothing is published
    fleet::Credentials credentials;
    std::string fleet = fleet::kDefaultFleet;
    std::string host;  // empty: this machine's name
    std::uint64_t spool_bytes = std::uint64_t{2} << 30;
    std::string spool_folder;                         // empty: default_spool()
    std::chrono::milliseconds report_every{2000};     // to the registry
    fleet::Control control = fleet::Control::kShots;  // what the fleet may make this agent do (agent/member)

    [[nodiscard]] bool wanted() const { return !servers.hosts.empty(); }
};

class Publisher {
public:
    struct Surroundings {
        std::string agent;  // "sla-agent 0.1.0"
        std::string machine;
        std::string boot;
        double nominal_hz = 0;
        std::function<void(const std::string&)> say;  // any thread
    };
    // Opens the spool; whether the servers can be reached shows later.
    static Result<std::unique_ptr<Publisher>> start(const Options& options, retain::Retention& retention,
                                                    Surroundings around);
    ~Publisher();

    // After Retention::finish. What the cluster does not take within some seconds stays in the spool for the next agent.
    void finish();
    // Any thread.
    Figures figures();

private:
    using Time = std::chrono::steady_clock::time_point;
    static constexpr std::chrono::milliseconds kAfterFailure{250};  // an election takes seconds; each try costs a message
    Publisher(const Options& options, Surroundings around, std::unique_ptr<Spool> spool, Run run,
              retain::Retention& retention);
    void take_over_earlier();
    void run();
    void handle_answers(Time now);
    void begin_stream_anew(std::uint32_t shard);
    bool settle(Time now);
    bool end_live_run();
    void leave_live_run();
    void connect(Time now);
    bool greet();
    void drop_connection();
    void send(Time now);
    bool send_one(Shipment& shipment);
    [[nodiscard]] fleet::Subject subject_of(const fleet::MessageId& id, std::uint32_t shard) const;
    void report_to_registry(Time now);
    bool report_for_good(const fleet::RunEntry& entry, bool is_hosts_newest, Time now);
    [[nodiscard]] fleet::RunEntry entry_of(const Shipment& shipment, const Recording::State* live) const;
    void update_figures();
    void log_problem(Time now);
    void look_whether_listed();
    void log_unlisted(const fleet::RunEntry& entry);
    [[nodiscard]] std::string problem_of(const Recording::State& live) const;
    Shipment* find(const fleet::MessageId& id);
    void fail(const std::string& why, Time now, std::chrono::milliseconds pause);

    Options options_;
    Surroundings around_;
    fleet::ConnectOptions connect_;
    std::unique_ptr<Spool> spool_;
    AnswerBox& box_;
    std::atomic<std::uint64_t> memory_{0};  // of the sending thread
    Recording recording_;
    std::string capture_;
    std::vector<std::unique_ptr<Shipment>> shipments_;  // the sending thread's, as all below
    std::size_t turn_ = 0;
    std::unique_ptr<Sender> sender_;
    std::optional<fleet::FleetSettings> settings_;
    OnTheWay on_the_way_;
    Time next_connect_;
    Time quiet_until_;
    Time next_entry_;
    Time next_last_word_;
    std::string problem_;
    std::optional<Time> silent_since_;  // nothing was published, in the log or not
    bool is_silence_logged_ = false;
    // Why the registry does not take an entry; none: it does, as far as servers say.
    struct Unlisted {
        std::string why;
        std::string subject;                  // that entry's,
        std::optional<std::uint64_t> newest;  // and what was stored there: another one means that it is taken again
        std::uint64_t complaints = 0;         // of the servers, as far as they were looked at
    };
    Unlisted unlisted_;
    Figures next_;
    std::mutex mutex_;
    Figures figures_;  // under mutex_
    std::atomic<bool> is_ending_{false};
    std::thread thread_;
};

}  // namespace sla::publish
