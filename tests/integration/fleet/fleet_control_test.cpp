// A whole fleet asked at once, and shots that every host keeps its window of.
#include "tests/integration/fleet/two_hosts.h"

#include <cstdlib>

namespace sla {
namespace {

class ControllingAFleet : public TwoHosts {
protected:
    // Users of nats-server's configuration, with what `sla fleet setup` advises for each. It refuses names that nobody uses.
    static std::string users_of(const std::string& advised) {
        std::string text = "authorization {\n";
        for (const std::string host : {"h1", "h2"}) {
            std::string rules = advised;
            for (std::size_t at = 0; (at = rules.find("HOST", at)) != std::string::npos;) rules.replace(at, 4, host);
            for (const std::string role : {"agent", "reader", "controller"}) {
                const std::size_t at = rules.find("\n" + role + " = ");
                if (at != std::string::npos) rules.replace(at, role.size() + 1, "\n" + role + "_" + host);
            }
            text += host == "h1" ? rules : rules.substr(0, rules.find("# A reader"));
        }
        return text +
               "users = [ { user: admin, password: all }\n { user: h1, password: some, permissions: $agent_h1 }\n"
               " { user: h2, password: some, permissions: $agent_h2 }\n"
               " { user: reader, password: few, permissions: $reader_h1 }\n"
               " { user: controller, password: much, permissions: $controller_h1 } ]\n}";
    }
};

TEST_F(ControllingAFleet, OneRequestReachesEveryHostAndEachAnswersForItself) {
    ASSERT_NO_FATAL_FAILURE(start_servers(1));
    ASSERT_NO_FATAL_FAILURE(start_both({"--fleet-control", "all"}, {}));
    const std::string both = fleet("trigger", {"rate x > 1000/s", "--name", "busy", "--format", "csv"});
    EXPECT_EQ(code_, 1) << said_;
    EXPECT_NE(both.find("h1,accepted"), std::string::npos) << both;
    EXPECT_NE(both.find("h2,refused"), std::string::npos) << both;
    EXPECT_NE(both.find("--fleet-control all"), std::string::npos) << both;
    EXPECT_NE(ask({"trigger", "list", "--address", agent_.address(), "--format", "csv"}).find("busy"), std::string::npos);
    EXPECT_EQ(ask({"trigger", "list", "--address", other_.address(), "--format", "csv"}).find("busy"), std::string::npos);
    fleet("set", {"x", "--off", "--host", "h1"});
    EXPECT_EQ(code_, 0) << said_;
    fleet("trigger", {"--do", "remove", "--name", "busy", "--host", "h1"});
    EXPECT_EQ(code_, 0) << said_;
    const std::string wrong = fleet("trigger", {"nonsense >", "--host", "h1"});
    EXPECT_EQ(code_, 2) << wrong << said_;
    fleet("set", {"x", "--off", "--host", "nobody*"});
    EXPECT_EQ(code_, 1) << said_;
    fleet("trigger", {"rate x > 5/s", "--action", "run=touch /tmp/never", "--host", "h1"});
    EXPECT_EQ(code_, 1) << "files and programs are the machine's own: " << said_;
}

TEST_F(ControllingAFleet, AHostThatDoesNotAnswerIsSaidToBeSilent) {
    ASSERT_NO_FATAL_FAILURE(start_servers(1));
    ASSERT_NO_FATAL_FAILURE(start_both({"--fleet-control", "all"}, {"--fleet-control", "all"}));
    other_.kill_hard();
    const std::string reported = fleet("set", {"x", "--on", "--format", "csv"});
    EXPECT_EQ(code_, 3) << said_;
    EXPECT_NE(reported.find("h1,accepted"), std::string::npos) << reported;
    EXPECT_NE(reported.find("h2,no answer,\"nobody listens"), std::string::npos) << reported;
}

TEST_F(ControllingAFleet, AShotOnOneHostMakesEveryHostKeepItsWindowAroundTheSameInstant) {
    ASSERT_NO_FATAL_FAILURE(start_servers(1));
    ASSERT_NO_FATAL_FAILURE(start_both({"--fleet-control", "all"}, {}));
    Process one({SLA_TEST_MARKER, "steady"}, environment());
    Process two({SLA_TEST_MARKER, "steady"}, other_.environment());
    ASSERT_TRUE(one.wait_for_output("running", kTimeout));
    ASSERT_TRUE(two.wait_for_output("running", kTimeout));
    fleet("trigger", {"rate nobody > 1000/s", "--window", "200ms", "--host", "h1"});
    ASSERT_EQ(code_, 0) << said_;
    ASSERT_NO_FATAL_FAILURE(wait_for_pings());
    ASSERT_TRUE(support::eventually(
        [&] {
            fleet("trigger", {"--do", "fire", "--host", "h1"});
            return code_ == 0;
        },
        kTimeout))
        << said_;
    const auto shots = wait_for_shots(2);
    ASSERT_EQ(shots.size(), 2u) << agent_.process().errors() << other_.process().errors();
    for (const fleet::ShotEntry& shot : shots) {
        EXPECT_EQ(shot.shot, shots[0].shot);
        EXPECT_EQ(shot.state, "kept") << shot.host << ": " << shot.problem;
        EXPECT_EQ(shot.fired_on, "h1");
    }
    EXPECT_EQ(shots[0].placed_by, "its own stamp");
    EXPECT_EQ(shots[1].placed_by, "pings between the agents");
    EXPECT_TRUE(shots[1].is_bounded);
    EXPECT_GT(shots[1].error_ns, 0);
    EXPECT_LE(off_ns(shots[0].tick, shots[1].tick), static_cast<double>(shots[1].error_ns)) << "one machine, one counter";
    one.signal(SIGTERM);
    two.signal(SIGTERM);
    one.wait();
    two.wait();
    ASSERT_EQ(agent_.stop(), 0);
    ASSERT_EQ(other_.stop(), 0);
    const std::string folder = agent_.file("shots");
    fleet("keep", {"--shot", shots[0].shot, "-o", folder});
    EXPECT_EQ(code_, 0) << said_;
    for (const char* host : {"h1", "h2"}) {
        const std::string file = folder + "/" + shots[0].shot + "-" + host + ".sla";
        const std::string stats = ask({"channels", file, "--format", "csv"});
        EXPECT_EQ(code_, 0) << said_;
        EXPECT_GT(std::count(stats.begin(), stats.end(), '\n'), 1) << stats;
    }
    fleet("shots", {"--format", "csv"});
    EXPECT_EQ(code_, 0) << said_;
}

TEST_F(ControllingAFleet, WhatPingsSayOfAnotherHostsClockIsInTheRecording) {
    ASSERT_NO_FATAL_FAILURE(start_servers(1));
    ASSERT_NO_FATAL_FAILURE(start_both({}, {"--fleet-control", "none"}));
    ASSERT_NO_FATAL_FAILURE(wait_for_pings());
    ASSERT_EQ(agent_.stop(), 0);
    ASSERT_EQ(other_.stop(), 0);
    const auto session = agent_.load();
    ASSERT_FALSE(session->peer_clocks().empty());
    EXPECT_EQ(session->origin().host, "h1");
    for (const store::PeerClock& peer : session->peer_clocks()) {
        EXPECT_EQ(peer.host, "h2");
        EXPECT_EQ(peer.problem, "");
        EXPECT_GT(peer.reading.error_ns, 0);
        EXPECT_LE(off_ns(peer.reading.tick, peer.reading.peer_tick), static_cast<double>(peer.reading.error_ns));
    }
}

TEST_F(ControllingAFleet, ACaptureIsKeptAsAFileAndDroppedOnlyWhenItIsMeant) {
    ASSERT_NO_FATAL_FAILURE(start_servers(1));
    ASSERT_NO_FATAL_FAILURE(start_agent());
    const std::uint64_t offered = run_burst("1", "2000");
    ASSERT_TRUE(all_published(offered)) << agent_.process().errors();
    const std::string capture = "h1/" + entry()->capture;
    fleet("drop", {capture, "--yes"});
    EXPECT_EQ(code_, 2) << "its agent still runs: " << said_;
    ASSERT_EQ(agent_.stop(), 0);
    const std::string file = agent_.file("kept.sla");
    fleet("keep", {"h1", "-o", file});
    EXPECT_EQ(code_, 0) << said_;
    fleet("drop", {capture});
    EXPECT_EQ(code_, 2) << said_;
    EXPECT_NE(said_.find("--yes"), std::string::npos) << said_;
    fleet("drop", {"h1/20000101T000000-0000", "--yes"});
    EXPECT_EQ(code_, 1) << said_;
    fleet("drop", {capture, "--yes"});
    EXPECT_EQ(code_, 0) << said_;
    EXPECT_TRUE(contents().captures.empty());
    fleet("captures", {});
    EXPECT_EQ(code_, 1) << said_;
    ask({"verify", file});
    EXPECT_EQ(code_, 0) << said_;
}

TEST_F(ControllingAFleet, SetUpAgainChangesWhatIsNamedAlone) {
    ASSERT_NO_FATAL_FAILURE(start_servers(1));
    const auto settings = [&] {
        const auto connection = connect();
        const auto found = connection ? fleet::settings_of(*connection, "t") : unavailable("no connection");
        return found ? *found : fleet::FleetSettings{};
    };
    const fleet::FleetSettings before = settings();
    fleet("setup", {"--bytes", "32MiB"});
    ASSERT_EQ(code_, 0) << said_;
    EXPECT_NE(said_.find("SLA_t_1 is changed: bytes from 64 MiB to 32 MiB (deletes the oldest beyond that)"),
              std::string::npos)
        << said_;
    fleet::FleetSettings wanted = before;
    wanted.bytes = 32 << 20;
    EXPECT_EQ(settings(), wanted);
    fleet("setup", {"--age", "2h"});
    EXPECT_NE(said_.find("SLA_t_1 is changed: age from 1 h to 2 h\n"), std::string::npos) << said_;
    wanted.age_ns *= 2;
    EXPECT_EQ(settings(), wanted);
    fleet("setup", {"--replicas", "3"});
    EXPECT_EQ(code_, 3);
    EXPECT_NE(said_.find("not supported in non-clustered mode"), std::string::npos) << said_;
    EXPECT_EQ(settings(), wanted);
}

// The printed words stand in the servers' configuration as they are, with HOST named.
TEST_F(ControllingAFleet, ThePermissionsThatAreAdvisedLetAgentsAnswerAndControllersAloneGiveOrders) {
    ASSERT_NO_FATAL_FAILURE(start_servers(1));
    const std::string advised = fleet("setup", {"--replicas", "1", "--shards", "2", "--bytes", "64MiB"});
    ASSERT_EQ(code_, 0) << said_;
    cluster_.reset();
    ASSERT_NO_FATAL_FAILURE(start_servers(1, users_of(advised), "admin:all"));
    address_ = cluster_->address_as("h1:some");
    ASSERT_TRUE(agent_.start(publishing({"--fleet-control", "all"}))) << agent_.process().errors();
    address_ = cluster_->address_as("h2:some");
    ASSERT_TRUE(other_.start(of_other({"--fleet-control", "all"}))) << other_.process().errors();
    ASSERT_NO_FATAL_FAILURE(wait_for_both());
    servers_ = cluster_->address_as("reader:few");
    fleet("set", {"x", "--on"});
    EXPECT_EQ(code_, 3) << "a reader gives no orders: " << said_;
    servers_ = cluster_->address_as("controller:much");
    fleet("set", {"x", "--on"});
    EXPECT_EQ(code_, 0) << said_;
    fleet("trigger", {"rate nobody > 1000/s", "--window", "50ms"});
    EXPECT_EQ(code_, 0) << said_;
    ASSERT_NO_FATAL_FAILURE(wait_for_pings());
    ASSERT_TRUE(support::eventually(
        [&] {
            fleet("trigger", {"--do", "fire", "--host", "h2"});
            return code_ == 0;
        },
        kTimeout))
        << said_;
    const auto shots = wait_for_shots(2);
    ASSERT_EQ(shots.size(), 2u) << agent_.process().errors() << other_.process().errors();
    EXPECT_EQ(shots[0].placed_by, "pings between the agents") << agent_.process().errors();
    ASSERT_EQ(other_.stop(), 0);
    fleet("drop", {"h2/" + shots[1].capture, "--yes"});
    EXPECT_EQ(code_, 0) << said_;
}

}  // namespace
}  // namespace sla
