#include "tests/bench/fleet/fleet_scale.h"

#include "proto/fleet/setup.h"
#include "proto/fleet/streams.h"
#include "proto/fleet/talk.h"
#include "tests/bench/percentiles.h"
#include "tests/support/fleet_reading.h"
#include "tests/support/nats_cluster.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <filesystem>
#include <map>
#include <memory>
#include <thread>
#include <vector>

namespace sla::bench {
namespace {

using Clock = std::chrono::steady_clock;
using support::Process;

constexpr const char* kFleet = "many";
constexpr std::uint32_t kShards = 2;
constexpr auto kTimeout = std::chrono::seconds(120);
constexpr auto kBetweenEntries = std::chrono::seconds(2);  // as agents write theirs

// An agent in a folder of its own.
struct Agent {
    std::string host;
    std::map<std::string, std::string> environment;
    std::unique_ptr<Process> process;
};

Agent start_agent(const support::TempDir& folder, const std::string& servers, int number) {
    Agent agent;
    agent.host = fmt::format("real-{}", number);
    const std::string own = folder.file(agent.host);
    std::filesystem::create_directory(own);
    agent.environment = {{"SLA_RUNTIME_DIR", own + "/run"}, {"XDG_CONFIG_HOME", own + "/config"}};
    agent.process = std::make_unique<Process>(
        std::vector<std::string>{SLA_BINARIES "/sla-agent", "--publish", servers, "--fleet", kFleet, "--host", agent.host,
                                 "--spool-dir", own + "/spool", "--memory", "16MiB"},
        agent.environment);
    return agent;
}

// Hosts that only seem to be: each has the rows of one real capture under a name of its own, and an entry that stays fresh.
class SimulatedHosts {
public:
    SimulatedHosts(const fleet::Connection& connection, fleet::RunEntry entry, std::vector<support::FleetMessage> messages)
        : connection_(connection), entry_(std::move(entry)), messages_(std::move(messages)) {}
    ~SimulatedHosts() {
        is_ending_ = true;
        if (thread_.joinable()) thread_.join();
    }

    Result<void> publish(int hosts) {
        for (int host = 0; host < hosts; ++host) {
            const std::string name = fmt::format("simulated-{}", host);
            std::uint64_t frames_at = 0;
            for (const support::FleetMessage& message : messages_) {
                Result<std::uint64_t> at = publish_as(name, message, frames_at);
                if (!at) return at.error();
                if (message.headers.id.kind == fleet::Kind::kFrames) frames_at = *at;
            }
        }
        hosts_ = hosts;
        write_entries();
        thread_ = std::thread([this] {
            for (auto next = Clock::now(); !is_ending_; std::this_thread::sleep_for(std::chrono::milliseconds(50))) {
                if (Clock::now() < next) continue;
                next += kBetweenEntries;
                write_entries();
            }
        });
        return {};
    }

private:
    // Where it is in the stream. An index would name places in it of other messages, so none is published.
    Result<std::uint64_t> publish_as(const std::string& host, const support::FleetMessage& like, std::uint64_t frames_at) {
        fleet::MessageHeaders headers = like.headers;
        headers.id.host = host;
        if (headers.id.kind == fleet::Kind::kSummary) headers.frames_at = frames_at;
        const fleet::Subject subject{kFleet, fleet::shard_of(host, kShards), host, headers.id.capture, headers.id.kind};
        fleet::Message message;
        natsStatus status = natsMsg_Create(message.out(), subject.text().c_str(), nullptr, like.body.data(),
                                           static_cast<int>(like.body.size()));
        for (const auto& [name, value] : headers.texts()) {
            if (status == NATS_OK) status = natsMsgHeader_Set(message.get(), name, value.c_str());
        }
        fleet::Handle<jsPubAck, jsPubAck_Destroy> acknowledged;
        if (status == NATS_OK)
            status = js_PublishMsg(acknowledged.out(), connection_.jetstream(), message.get(), nullptr, nullptr);
        if (status != NATS_OK) return fleet::nats_error("cannot publish as " + host, status);
        return acknowledged->Sequence;
    }
    void write_entries() {
        fleet::RunEntry entry = entry_;
        for (int host = 0; host < hosts_; ++host) {
            entry.host = fmt::format("simulated-{}", host);
            entry.shard = fleet::shard_of(entry.host, kShards);
            entry.seen_ns = fleet::now_utc_ns();
            const std::string json = entry.json();
            for (const std::string& key :
                 {"$KV." + fleet::hosts_bucket(kFleet) + "." + entry.host,
                  "$KV." + fleet::captures_bucket(kFleet) + "." + fleet::capture_key(entry.host, entry.capture)}) {
                (void)natsConnection_PublishString(connection_.get(), key.c_str(), json.c_str());
            }
        }
        (void)natsConnection_FlushTimeout(connection_.get(), 5000);
    }

    const fleet::Connection& connection_;
    fleet::RunEntry entry_;
    std::vector<support::FleetMessage> messages_;
    int hosts_ = 0;
    std::atomic<bool> is_ending_{false};
    std::thread thread_;
};

// Seconds that a program took; less than nothing: it failed, and said why.
double seconds_of(const std::vector<std::string>& words, std::string& output) {
    const auto begin = Clock::now();
    Process process(words);
    const int code = process.wait(kTimeout).code;
    output = process.output() + process.errors();
    if (code != 0) fmt::print(stderr, "{}: {}\n", fmt::join(words, " "), output);
    return code == 0 ? std::chrono::duration<double>(Clock::now() - begin).count() : -1;
}

// The last line of `sla fleet status` sums up all hosts.
std::string sum_line(const std::string& output) {
    const std::size_t at = output.find(" hosts, ");
    const std::size_t begin = at == std::string::npos ? at : output.rfind('\n', at);
    return at == std::string::npos
               ? ""
               : output.substr(begin == std::string::npos ? 0 : begin + 1, output.find('\n', at) - begin - 1);
}

std::optional<fleet::RunEntry> entry_of(const fleet::Connection& connection, const std::string& host, std::uint64_t events) {
    std::optional<fleet::RunEntry> entry;
    support::eventually(
        [&] {
            const auto runs = fleet::runs_in(connection, fleet::hosts_bucket(kFleet));
            if (!runs) return false;
            for (const fleet::RunEntry& run : *runs) {
                if (run.host == host && run.published >= events && run.left == 0) entry = run;
            }
            return entry.has_value();
        },
        kTimeout);
    return entry;
}

class Scale {
public:
    explicit Scale(const FleetScale& scale) : scale_(scale), cluster_(static_cast<std::size_t>(scale.nodes)) {}

    bool prepare() {
        if (!cluster_.start()) return fail(cluster_.problem());
        auto connection = fleet::Connection::open(cluster_.connect_options());
        if (!connection) return fail(connection.error().message);
        connection_ = std::move(*connection);
        const fleet::FleetSettings settings{kShards, static_cast<std::uint32_t>(scale_.nodes), 3'600'000'000'000,
                                            std::uint64_t{512} << 20};
        const auto is_set_up = [&] { return fleet::set_up(*connection_, kFleet, settings, [](const std::string&) {}).ok(); };
        return support::eventually(is_set_up, kTimeout) || fail("the fleet cannot be set up");
    }
    bool start_hosts() {
        for (int i = 0; i < scale_.agents; ++i) agents_.push_back(start_agent(folder_, cluster_.address(), i));
        for (Agent& agent : agents_) {
            const auto listens = [&] { return agent.process->errors().find("listening on unix:") != std::string::npos; };
            if (!support::eventually(listens, kTimeout)) return fail(agent.process->errors());
            Process mark({SLA_BINARIES "/sla", "mark", "bench.scale", "1"}, agent.environment);
            if (mark.wait().code != 0) return fail(mark.errors());
        }
        const auto entry = entry_of(*connection_, agents_.front().host, 1);
        if (!entry) return fail("the first agent publishes nothing");
        std::vector<support::FleetMessage> messages = support::read_fleet(cluster_, kFleet).messages;
        const auto is_another = [&](const support::FleetMessage& message) {
            return message.headers.id.host != entry->host || message.headers.id.kind == fleet::Kind::kIndex;
        };
        messages.erase(std::remove_if(messages.begin(), messages.end(), is_another), messages.end());
        simulated_ = std::make_unique<SimulatedHosts>(*connection_, *entry, std::move(messages));
        const Result<void> done = simulated_->publish(scale_.publishers);
        return done.ok() || fail(done.error().message);
    }
    bool ask() {
        const std::string servers = cluster_.address();
        const std::string all =
            fmt::format("{0} hosts, {0} live; 0 events in spools, 0 dropped", scale_.agents + scale_.publishers);
        std::string output;
        const auto is_right = [&] {
            status_seconds_ = seconds_of({SLA_BINARIES "/sla", "fleet", "status", servers, "--fleet", kFleet}, output);
            return status_seconds_ >= 0 && output.find(all) != std::string::npos;
        };
        const bool is_whole = support::eventually(is_right, kTimeout);
        fmt::print("status: {:.2f} s, {}: {}\n", status_seconds_, is_whole ? "right" : "NOT RIGHT", sum_line(output));
        const std::string fleet = fmt::format("fleet:{}/{}", servers, kFleet);
        fmt::print("`sla channels` of all hosts: {:.2f} s\n", seconds_of({SLA_BINARIES "/sla", "channels", fleet}, output));
        for (const std::string& address : {fleet + "/real-0", fleet + "/simulated-0", fleet}) {
            const double seconds = seconds_of({SLA_BINARIES "/sla-viewer", address, "--headless", "--frames", "1",
                                               "--screenshot", folder_.file("first.png")},
                                              output);
            fmt::print("a window's first frame of {}: {:.2f} s\n",
                       address == fleet ? "all hosts" : address.substr(fleet.size() + 1), seconds);
        }
        return is_whole;
    }
    void end() {
        for (Agent& agent : agents_) agent.process->signal(SIGTERM);
        for (Agent& agent : agents_) agent.process->wait();
    }

private:
    static bool fail(const std::string& why) {
        fmt::print(stderr, "fleet_bench: {}\n", why);
        return false;
    }

    FleetScale scale_;
    support::TempDir folder_;
    support::NatsCluster cluster_;
    std::unique_ptr<fleet::Connection> connection_;
    std::vector<Agent> agents_;
    std::unique_ptr<SimulatedHosts> simulated_;
    double status_seconds_ = 0;
};

}  // namespace

int run_fleet_scale(const FleetScale& wanted) {
    fmt::print("machine: {}\n", machine());
    Scale scale(wanted);
    const bool is_there = scale.prepare() && scale.start_hosts();
    const bool is_right = is_there && scale.ask();
    scale.end();
    return !is_there ? 3 : is_right ? 0 : 1;
}

}  // namespace sla::bench
