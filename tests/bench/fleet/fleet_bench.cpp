// Publishing to a fleet's cluster, with real nats-servers on loopback.
//
//   throughput   what an agent left in its spool, published by the next agent and by a publisher that does nothing else, by turns:
//                the same messages to the same servers
//   cost         the agent's CPU an event, with nothing to do but keep events, recording to a file, and publishing, by turns
//   open         a large capture in a cluster, and the same as a file: how soon it is drawn, and any interval of it is there
//   scale        a hundred light agents and a thousand hosts that are only published for: is the status right, and how soon
#include "proto/common/command_line.h"
#include "proto/fleet/setup.h"
#include "tests/bench/fleet/fleet_load.h"
#include "tests/bench/fleet/fleet_open.h"
#include "tests/bench/fleet/fleet_scale.h"
#include "tests/bench/percentiles.h"
#include "tests/support/nats_cluster.h"

#include <sla/marker.h>

#include <fmt/format.h>

#include <cmath>
#include <csignal>
#include <filesystem>
#include <optional>
#include <random>
#include <thread>

namespace {

using sla::Result;
using sla::bench::BenchAgent;
namespace fleet = sla::fleet;
namespace support = sla::support;
namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr const char* kHost = "bench";
constexpr int kWindow = 48;  // messages on their way, as the agent has it

struct Plan {
    int nodes = 1;
    int rounds = 3;
    double events = 40;  // millions
    double rate = 5;     // M/s
    double seconds = 8;
};

int fail(const std::string& what) {
    fmt::print(stderr, "fleet_bench: {}\n", what);
    return 3;
}

struct Load {
    double events = 0;
    double per_second = 0;
    bool is_random = false;  // values of which nothing can be packed away; else numbers that count up
};

// A thousand markers at a time.
int mark(const Load& load) {
    if (!sla_attach()) return fail("no agent to mark for");
    sla_channel* const channel = sla_channel_open("bench.fleet");
    std::mt19937_64 random(1);
    std::uint64_t marked = 0;
    const auto begin = Clock::now();
    while (static_cast<double>(marked) < load.events) {
        for (int i = 0; i < 1000; ++i, ++marked) SLA_TICK(channel, load.is_random ? random() : marked);
        while (std::chrono::duration<double>(Clock::now() - begin).count() < static_cast<double>(marked) / load.per_second)
            std::this_thread::yield();
    }
    return 0;
}

// In a program of its own, since a program's markers stay with the runtime directory that they found first.
bool run_marking(const Load& load) {
    support::Process program({"/proc/self/exe", "mark", std::to_string(load.events), std::to_string(load.per_second),
                              load.is_random ? "--random" : "--counting"});
    return program.wait(std::chrono::minutes(20)).code == 0;
}

Result<std::unique_ptr<fleet::Connection>> connect(const support::NatsCluster& cluster) {
    return fleet::Connection::open(cluster.connect_options());
}

bool set_up(const fleet::Connection& connection, const std::string& name, int replicas) {
    const fleet::FleetSettings settings{1, static_cast<std::uint32_t>(replicas), 3'600'000'000'000, std::uint64_t{1} << 30};
    return support::eventually([&] { return fleet::set_up(connection, name, settings, [](const std::string&) {}).ok(); },
                               std::chrono::seconds(60));
}

void forget(const fleet::Connection& connection, const std::string& name) {
    (void)js_DeleteStream(connection.jetstream(), fleet::stream_name(name, 0).c_str(), nullptr, nullptr);
}

std::vector<std::string> publishing(const std::string& servers, const std::string& name, const std::string& spool) {
    return {"--publish", servers, "--fleet", name, "--host", kHost, "--spool-dir", spool, "--channel-memory", "256MiB"};
}

// An agent without servers leaves all in its spool.
bool fill_spool(const Plan& plan, const std::string& spool) {
    BenchAgent agent(SLA_BINARIES, publishing("nats://127.0.0.1:1", "spooled", spool));
    const bool is_marked = run_marking({plan.events * 1e6, 4e6, true});
    agent.process().signal(SIGTERM);
    agent.process().wait();
    return is_marked;
}

struct Throughput {
    double megabytes_per_second = 0;
    double cpu_seconds = 0;  // of the agent
    std::uint64_t messages = 0;
    std::uint64_t bytes = 0;
};

std::optional<Throughput> by_agent(const fleet::Connection& connection, const support::NatsCluster& cluster,
                                   const std::string& name, const std::string& spool) {
    BenchAgent agent(SLA_BINARIES, publishing(cluster.address(), name, spool));
    sla::bench::StreamGrowth growth(connection, fleet::stream_name(name, 0));
    const auto is_done = [&] {
        return agent.process().errors().find("of an earlier agent is published") != std::string::npos;
    };
    while (!is_done()) {
        if (!growth.watch(growth.messages() + 1)) return std::nullopt;
    }
    return Throughput{growth.megabytes_per_second(), agent.cpu_seconds(), growth.messages(), growth.bytes()};
}

std::optional<Throughput> by_bare_publisher(const fleet::Connection& connection, const support::NatsCluster& cluster,
                                            const std::string& name, std::vector<support::FleetMessage> messages) {
    for (support::FleetMessage& message : messages) {
        auto subject = fleet::parse_subject(message.subject);
        if (!subject) return std::nullopt;
        subject->fleet = name;
        message.subject = subject->text();
    }
    sla::bench::StreamGrowth growth(connection, fleet::stream_name(name, 0));
    std::thread publisher([&] {
        sla::bench::pin_to(1);  // as the agent is, with the threads of its connection; the servers have the other core
        const auto own = connect(cluster);
        const auto done = own ? sla::bench::publish_bare(**own, messages, kWindow) : Result<void>(own.error());
        if (!done) fail(done.error().message);
    });
    const bool arrived = growth.watch(messages.size());
    publisher.join();
    if (!arrived) return std::nullopt;
    return Throughput{growth.megabytes_per_second(), 0, growth.messages(), growth.bytes()};
}

int run_throughput(const Plan& plan) {
    fmt::print("machine: {}\n", sla::bench::machine());
    support::TempDir folder;
    if (!fill_spool(plan, folder.file("filled"))) return fail("the spool was not filled");
    support::NatsCluster cluster(static_cast<std::size_t>(plan.nodes));
    if (!cluster.start()) return fail(cluster.problem());
    const auto connection = connect(cluster);
    if (!connection) return fail(connection.error().message);
    std::vector<double> ratios;
    for (int round = 0; round < plan.rounds; ++round) {
        const std::string name = fmt::format("agent{}", round);
        const std::string bare_name = fmt::format("bare{}", round);
        const std::string spool = folder.file(name);
        fs::copy(folder.file("filled"), spool, fs::copy_options::recursive);
        if (!set_up(**connection, name, plan.nodes)) return fail("the cluster is not ready: " + cluster.problem());
        const auto agent = by_agent(**connection, cluster, name, spool);
        if (!agent) return fail("the agent's messages do not arrive");
        fs::remove_all(spool);
        support::FleetContents read = support::read_fleet(cluster, name);
        forget(**connection, name);
        if (!set_up(**connection, bare_name, plan.nodes)) return fail("the cluster is not ready: " + cluster.problem());
        const auto bare = by_bare_publisher(**connection, cluster, bare_name, std::move(read.messages));
        if (!bare) return fail("the bare publisher's messages do not arrive");
        forget(**connection, bare_name);
        ratios.push_back(agent->megabytes_per_second / bare->megabytes_per_second);
        fmt::print(
            "R{}: {:.0f} MB in {} messages: agent {:.0f} MB/s with {:.2f} s of CPU, bare publisher {:.0f} MB/s, ratio "
            "{:.2f}\n",
            plan.nodes, static_cast<double>(agent->bytes) / 1e6, agent->messages, agent->megabytes_per_second,
            agent->cpu_seconds, bare->megabytes_per_second, ratios.back());
    }
    fmt::print("ratio, median: {:.2f}\n", sla::bench::percentiles(ratios).p50);
    return 0;
}

// Nanoseconds of the agent's CPU an event.
double cost_with(const Plan& plan, const std::vector<std::string>& options) {
    BenchAgent agent(SLA_BINARIES, options);
    const double before = agent.cpu_seconds();
    const double events = plan.rate * 1e6 * plan.seconds;
    if (!run_marking({events, plan.rate * 1e6, false})) return std::nan("");
    std::this_thread::sleep_for(std::chrono::seconds(1));  // what is on its way still
    return (agent.cpu_seconds() - before) * 1e9 / events;
}

int run_cost(const Plan& plan) {
    fmt::print("machine: {}\n", sla::bench::machine());
    support::TempDir folder;
    support::NatsCluster cluster(static_cast<std::size_t>(plan.nodes));
    if (!cluster.start()) return fail(cluster.problem());
    const auto connection = connect(cluster);
    if (!connection) return fail(connection.error().message);
    std::vector<double> more;
    for (int round = 0; round < plan.rounds; ++round) {
        const std::string name = fmt::format("cost{}", round);
        if (!set_up(**connection, name, plan.nodes)) return fail("the cluster is not ready: " + cluster.problem());
        const double kept = cost_with(plan, {"--channel-memory", "256MiB"});
        const double recorded = cost_with(plan, {"--channel-memory", "256MiB", "--record", folder.file("recorded.sla")});
        const double published = cost_with(plan, publishing(cluster.address(), name, folder.file(name)));
        forget(**connection, name);
        fs::remove(folder.file("recorded.sla"));
        more.push_back(published - kept);
        fmt::print("{:.0f} M/s for {:.0f} s: {:.2f} ns an event kept, {:.2f} recorded, {:.2f} published\n", plan.rate,
                   plan.seconds, kept, recorded, published);
    }
    fmt::print("publishing costs, median: {:.2f} ns an event\n", sla::bench::percentiles(more).p50);
    return 0;
}

void add_options(sla::common::Command& command, Plan& plan) {
    command.add_option("--nodes", plan.nodes, "Servers, and replicas (1)").range(1, 5);
    command.add_option("--rounds", plan.rounds, "How often (3)").range(1, 100);
}

}  // namespace

int main(int argc, char** argv) {
    Plan plan;
    sla::common::Command app("fleet_bench", "What publishing to a cluster costs, and how fast it is.");
    sla::common::Command& throughput = app.add_command("throughput", "The agent beside a publisher that does nothing else");
    add_options(throughput, plan);
    throughput.add_option("--events", plan.events, "Millions of events, some 9 bytes each (40)").range(1, 80);
    throughput.action([&plan] { return run_throughput(plan); });
    sla::common::Command& cost = app.add_command("cost", "The agent's CPU an event");
    add_options(cost, plan);
    cost.add_option("--rate", plan.rate, "M events/s (5)").range(0.1, 60);
    cost.add_option("--seconds", plan.seconds, "Of each measurement (8)").range(1, 600);
    cost.action([&plan] { return run_cost(plan); });
    sla::bench::FleetScale many;
    sla::common::Command& scale = app.add_command("scale", "Many hosts: is the status right, and how soon");
    scale.add_option("--agents", many.agents, "Real ones (100)").range(1, 1000);
    scale.add_option("--publishers", many.publishers, "Hosts that are only published for (1000)").range(0, 100'000);
    scale.add_option("--nodes", many.nodes, "Servers, and replicas (1)").range(1, 5);
    scale.action([&many] { return sla::bench::run_fleet_scale(many); });
    sla::bench::FleetOpen large;
    sla::common::Command& open = app.add_command("open", "A large capture in a cluster, and the same as a file");
    open.add_option("--events", large.events, "Millions (100)").range(5, 2000);
    open.add_option("--nodes", large.nodes, "Servers, and replicas (1)").range(1, 5);
    open.add_option("--ranges", large.ranges, "So many stretches of 1 ms (20)").range(1, 10'000);
    open.action([&large] { return sla::bench::run_fleet_open(large); });
    Load load;
    sla::common::Command& marking = app.add_command("mark", "What the others start to make events");
    marking.add_option("events", load.events, "How many").required();
    marking.add_option("rate", load.per_second, "So many a second").required();
    bool is_counting = false;
    marking.add_flag("--random", load.is_random, "Values at random");
    marking.add_flag("--counting", is_counting, "Values that count up");
    marking.action([&load] { return mark(load); });
    return app.run(argc, argv);
}
