// Two agents in network namespaces of their own, behind lines that are slow, lossy and slower one way than the other, on one
// axis: what pings say is a bound all the same, and a shot finds its place.
#include "tests/integration/fleet/two_hosts.h"

#include <unistd.h>

#include <cstdlib>
#include <memory>

namespace sla {
namespace {

class OnSlowLines : public TwoHosts {
protected:
    // There is a server namespace, and one a host, each with a line to the server's:
    //
    //    a 10.77.1.2 ──── 10.77.1.1 srv 10.77.2.1 ──── 10.77.2.2 b
    bool build() {
        if (geteuid() != 0 || !ip({"netns", "add", srv()})) return false;
        for (const auto& [name, net] : {std::pair{host("a"), "10.77.1."}, std::pair{host("b"), "10.77.2."}}) {
            const std::string outer = "v" + name.substr(name.size() - 1);
            const bool is_there =
                ip({"netns", "add", name}) &&
                ip({"-n", srv(), "link", "add", outer, "type", "veth", "peer", "name", "eth", "netns", name}) &&
                ip({"-n", srv(), "addr", "add", std::string(net) + "1/24", "dev", outer}) &&
                ip({"-n", name, "addr", "add", std::string(net) + "2/24", "dev", "eth"}) &&
                ip({"-n", srv(), "link", "set", outer, "up"}) && ip({"-n", name, "link", "set", "eth", "up"}) &&
                ip({"-n", name, "link", "set", "lo", "up"});
            if (!is_there) return false;
        }
        return ip({"-n", srv(), "link", "set", "lo", "up"});
    }
    void TearDown() override {
        for (const std::string& name : {host("a"), host("b"), srv()}) (void)ip({"netns", "del", name});
    }
    // 8 ms from a to the servers, 1 ms on all other ways, and now and then a packet that is lost.
    bool slow_down_by_netem() {
        bool is_slow = true;
        for (const char* one : {"a", "b"}) {
            is_slow = is_slow &&
                      tc({"netns", "exec", host(one), "tc", "qdisc", "add", "dev", "eth", "root", "netem", "delay",
                          std::string(one) == "a" ? "8ms" : "1ms", "1ms", "loss", "1%"}) &&
                      tc({"netns", "exec", srv(), "tc", "qdisc", "add", "dev", std::string("v") + one, "root", "netem",
                          "delay", "1ms", "1ms"});
        }
        return is_slow;
    }
    bool ip(Words words) {
        words.insert(words.begin(), "/usr/sbin/ip");
        Process process(words);
        const int code = process.wait().code;
        why_ = process.errors();
        return code == 0;
    }
    bool tc(const Words& words) { return ip(words); }
    static std::string srv() { return "sla-srv-" + std::to_string(getpid()); }
    static std::string host(const std::string& name) { return "sla-" + std::to_string(getpid()) + "-" + name; }
    std::unique_ptr<Process> inside(const std::string& name, Words words,
                                    const std::map<std::string, std::string>& with = {}) {
        words.insert(words.begin(), {"/usr/sbin/ip", "netns", "exec", name});
        return std::make_unique<Process>(words, with);
    }
    // In a namespace, until it ends.
    int run_inside(const std::string& name, const Words& words) {
        const auto process = inside(name, words, agent_.environment());
        code_ = process->wait(kTimeout).code;
        said_ = process->errors();
        output_ = process->output();
        return code_;
    }
    int sla_inside(Words words) {
        words.insert(words.begin(), std::string(SLA_BINARIES) + "/sla");
        return run_inside(srv(), words);
    }
    int fleet_inside(const std::string& what, const Words& more) {
        Words words{"fleet", what, "nats://127.0.0.1:4222", "--fleet", "t"};
        words.insert(words.end(), more.begin(), more.end());
        return sla_inside(words);
    }
    // Where a host's agent finds the servers: at the other end of its wire, or of its slow line.
    std::string way_to_servers(const std::string& name, const std::string& server, bool by_netem) {
        if (by_netem) return "nats://" + server + ":4222";
        lines_.push_back(
            inside(host(name), {SLA_TEST_SLOW_LINE, "4300", server, "4222", name == "a" ? "8" : "1", "1", "2", "3"}));
        EXPECT_TRUE(lines_.back()->wait_for_output("ready", kTimeout)) << lines_.back()->errors();
        return "nats://127.0.0.1:4300";
    }
    std::unique_ptr<Process> start_agent_inside(const std::string& name, const support::AgentUnderTest& of,
                                                const std::string& way) {
        auto agent = inside(host(name),
                            {std::string(SLA_BINARIES) + "/sla-agent", "--record", of.capture(), "--publish", way, "--fleet",
                             "t", "--host", name, "--spool-dir", of.file("spool"), "--fleet-control", "all"},
                            of.environment());
        const auto listens = [&] { return agent->errors().find("listening on unix:") != std::string::npos; };
        EXPECT_TRUE(support::eventually(listens, kTimeout)) << agent->errors();
        return agent;
    }

    // One counter under both: the truth is that they are not off at all.
    void expect_bounds() {
        for (support::AgentUnderTest* agent : {&agent_, &other_}) {
            const auto session = agent->load();
            EXPECT_FALSE(session->peer_clocks().empty());
            for (const store::PeerClock& peer : session->peer_clocks()) {
                const auto apart = static_cast<std::int64_t>(peer.reading.peer_tick - peer.reading.tick);
                const double off_ns = std::abs(static_cast<double>(apart)) / session->clock().ticks_per_second() * 1e9;
                EXPECT_LE(off_ns, static_cast<double>(peer.reading.error_ns));
                EXPECT_GT(off_ns, 1e6) << "the ways are not alike: half the round trip is no estimate, but a bound";
            }
            EXPECT_EQ(session->shots().size(), 1u);
        }
    }

    support::TempDir store_;
    std::vector<std::unique_ptr<Process>> lines_;
    std::string why_;
    std::string output_;
};

TEST_F(OnSlowLines, TwoHostsAreOnOneAxisWithinTheirBoundAndAShotFindsItsPlace) {
    if (!build()) GTEST_SKIP() << "no network namespaces here (they need root, and a kernel that has veth): " << why_;
    const bool by_netem = slow_down_by_netem();
    if (!by_netem) std::printf("no netem here (%s): lines are made slow by sla-test-slow-line instead\n", why_.c_str());
    const auto server = inside(srv(), {"/usr/sbin/nats-server", "-js", "-sd", store_.path(), "-a", "0.0.0.0", "-p", "4222"});
    ASSERT_TRUE(support::eventually(
        [&] {
            return fleet_inside("setup", {"--replicas", "1", "--shards", "1", "--bytes", "64MiB"}) == 0;
        },
        kTimeout))
        << said_ << server->errors();
    const auto a = start_agent_inside("a", agent_, way_to_servers("a", "10.77.1.1", by_netem));
    const auto b = start_agent_inside("b", other_, way_to_servers("b", "10.77.2.1", by_netem));
    Process one({SLA_TEST_MARKER, "steady"}, agent_.environment());
    Process two({SLA_TEST_MARKER, "steady"}, other_.environment());
    ASSERT_TRUE(one.wait_for_output("running", kTimeout));
    ASSERT_TRUE(two.wait_for_output("running", kTimeout));
    // Who has not joined yet is not asked.
    ASSERT_TRUE(support::eventually(
        [&] {
            const int code = fleet_inside("trigger", {"rate nobody > 1000/s", "--window", "400ms", "--format", "csv"});
            return code == 0 && output_.find("\na,") != std::string::npos && output_.find("\nb,") != std::string::npos;
        },
        kTimeout))
        << output_ << said_;
    // A window of pings is over, and reported.
    ASSERT_TRUE(support::eventually(
        [&] { return !agent_.load()->peer_clocks().empty() && !other_.load()->peer_clocks().empty(); }, kTimeout));
    ASSERT_TRUE(support::eventually(
        [&] {
            return fleet_inside("trigger", {"--do", "fire", "--host", "a"}) == 0;
        },
        kTimeout))
        << output_ << said_;
    ASSERT_TRUE(support::eventually(
        [&] {
            fleet_inside("shots", {"--format", "csv"});
            return output_.find(",a,kept,a,") != std::string::npos && output_.find(",b,kept,a,") != std::string::npos;
        },
        kTimeout))
        << output_ << a->errors() << b->errors();
    EXPECT_NE(output_.find("pings between the agents"), std::string::npos) << output_;
    for (Process* process : {&one, &two, a.get(), b.get()}) process->signal(SIGTERM);
    for (Process* process : {&one, &two, a.get(), b.get()}) EXPECT_EQ(process->wait(kTimeout).code, 0) << process->errors();
    expect_bounds();
    const std::string merged = agent_.file("merged.sla");
    ask({"merge", agent_.capture(), other_.capture(), "-o", merged});
    EXPECT_EQ(code_, 0) << said_;
    EXPECT_NE(said_.find("pings between the agents"), std::string::npos) << said_;
    if (const char* keep = std::getenv("SLA_KEEP_MERGED"))
        std::filesystem::copy_file(merged, keep, std::filesystem::copy_options::overwrite_existing);
}

}  // namespace
}  // namespace sla
