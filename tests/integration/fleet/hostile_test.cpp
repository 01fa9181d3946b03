// A node that lies to readers and to agents, and a reader that means harm: nobody ends, nobody believes it, and what is true
// is there in the end.
#include "tests/integration/fleet/fleet_fixture.h"
#include "tests/support/lake_rows.h"

#include <nats/nats.h>

#include <fstream>
#include <memory>
#include <random>
#include <set>
#include <utility>
#include <vector>

namespace sla {
namespace {

class HostileFleet : public InFleet {
protected:
    // A node between those who come and the first server; its port is in `port_`.
    void start_line(const std::string& kind, const std::string& percent, const Words& more = {}) {
        const std::string address = cluster_->address();
        Words words{SLA_TEST_HOSTILE_LINE, address.substr(address.rfind(':') + 1), kind, percent};
        words.insert(words.end(), more.begin(), more.end());
        line_ = std::make_unique<Process>(words);
        ASSERT_TRUE(line_->wait_for_output("ready", kTimeout)) << line_->errors();
        port_ = std::to_string(line_->number("port"));
    }
    // "tick,channel,kind,value" of each event; times, sources and threads are said by other messages than theirs.
    static std::multiset<std::string> events_of(const std::string& csv) {
        std::multiset<std::string> events;
        for (const std::string& row : support::bare_rows(csv)) {
            std::istringstream in(row);
            std::vector<std::string> fields;
            for (std::string field; std::getline(in, field, ',');) fields.push_back(field);
            if (fields.size() >= 7 && fields[5] != "gap")
                events.insert(fields[0] + "," + fields[4] + "," + fields[5] + "," + fields[6]);
        }
        return events;
    }
    // In so much memory and no more.
    Said table_of(const std::string& address) {
        return run(
            {"/bin/sh", "-c", "ulimit -v 4194304; exec \"$0\" table --format csv \"$1\"", SLA_BINARIES "/sla", address});
    }
    std::uint64_t resident_bytes() {
        std::ifstream in("/proc/" + std::to_string(agent_.process().pid()) + "/statm");
        std::uint64_t all = 0;
        std::uint64_t resident = 0;
        in >> all >> resident;
        return resident * 4096;
    }

    std::unique_ptr<Process> line_;
    std::string port_;
};

TEST_F(HostileFleet, ANodeThatLiesGetsNoRowIntoATableThatWasNotRecorded) {
    ASSERT_NO_FATAL_FAILURE(start_servers(1));
    ASSERT_NO_FATAL_FAILURE(start_agent());
    const std::uint64_t offered = run_burst("3", "6000");
    ASSERT_EQ(agent_.stop(), 0) << agent_.process().errors();
    const Said honest = table_of("fleet:" + cluster_->address() + "/t/h1");
    ASSERT_EQ(honest.code, 0) << honest.errors;
    const std::multiset<std::string> truth = events_of(honest.output);
    ASSERT_GE(truth.size(), offered);
    const std::vector<std::pair<const char*, const char*>> lies = {
        {"flip", "30"}, {"drop", "30"}, {"double", "30"}, {"swap", "30"}, {"cut", "30"}, {"swell", "30"}, {"header", "30"}};
    for (const auto& [kind, percent] : lies) {
        SCOPED_TRACE(kind);
        ASSERT_NO_FATAL_FAILURE(start_line(kind, percent));
        const Said got = table_of("fleet:nats://127.0.0.1:" + port_ + "/t/h1");
        EXPECT_TRUE(got.code == 0 || got.code == 1 || got.code == 3) << got.code << got.errors;
        const std::multiset<std::string> events = events_of(got.output);
        EXPECT_TRUE(std::includes(truth.begin(), truth.end(), events.begin(), events.end())) << "rows that nobody recorded";
        EXPECT_TRUE(events.size() == truth.size() || !got.errors.empty()) << "rows are missing, and nothing is said";
    }
}

class HostileAcknowledgements : public HostileFleet, public testing::WithParamInterface<const char*> {};
INSTANTIATE_TEST_SUITE_P(On, HostileAcknowledgements, testing::Values("drop", "double", "swap"),
                         [](const auto& kind) { return std::string(kind.param); });

TEST_P(HostileAcknowledgements, ThatAreMissingLateOrTwiceLoseNothing) {
    ASSERT_NO_FATAL_FAILURE(start_servers(1));
    ASSERT_NO_FATAL_FAILURE(start_line(GetParam(), "40", {"acks"}));
    address_ = "nats://127.0.0.1:" + port_;
    ASSERT_NO_FATAL_FAILURE(start_agent());
    const std::uint64_t offered = run_burst("2", "4000");
    ASSERT_TRUE(all_published(offered)) << agent_.process().errors();
    EXPECT_EQ(agent_.stop(), 0) << agent_.process().errors();
    address_ = cluster_->address();  // what this one could not say the next one does
    ASSERT_NO_FATAL_FAILURE(start_agent());
    ASSERT_TRUE(spool_becomes_empty()) << agent_.process().errors();
    ASSERT_EQ(agent_.stop(), 0) << agent_.process().errors();
    const support::FleetContents read = contents();  // no chunk twice, none missing
    std::uint64_t events = 0;
    for (const auto& [id, capture] : read.captures) {
        events += capture.event_sum;
        EXPECT_EQ(capture.missed, 0u) << id;
    }
    EXPECT_EQ(events, offered);
}

TEST_F(HostileFleet, AReaderThatFloodsAgentsWithNonsenseCostsThemNoEventAndNoMemory) {
    constexpr int kMessages = 20'000;
    constexpr std::uint64_t kMaxGrowth = std::uint64_t{48} << 20;
    ASSERT_NO_FATAL_FAILURE(start_servers(1));
    ASSERT_NO_FATAL_FAILURE(start_agent({"--fleet-control", "all"}));
    std::uint64_t offered = run_burst("1", "1000");
    ASSERT_TRUE(all_published(offered)) << agent_.process().errors();
    const std::uint64_t before = resident_bytes();
    const auto connection = connect();
    ASSERT_TRUE(connection);
    std::mt19937 random(7);
    std::string nonsense(std::size_t{900} << 10, '\0');
    for (char& byte : nonsense) byte = static_cast<char>(random());
    for (int i = 0; i < kMessages; ++i) {
        const auto talk = static_cast<fleet::Talk>(random() % 3);
        const std::string subject = fleet::talk_subject("t", talk, random() % 2 == 0 ? "h1" : "stranger");
        const std::size_t size = i % 1000 == 0 ? nonsense.size() : random() % 600;
        const std::size_t from = random() % (nonsense.size() - size + 1);
        ASSERT_EQ(natsConnection_PublishRequest(connection->get(), subject.c_str(), subject.c_str(), nonsense.data() + from,
                                                static_cast<int>(size)),
                  NATS_OK);
    }
    ASSERT_EQ(natsConnection_FlushTimeout(connection->get(), 60'000), NATS_OK);
    offered += run_burst("2", "5000");
    ASSERT_TRUE(all_published(offered)) << agent_.process().errors();
    EXPECT_LT(resident_bytes(), before + kMaxGrowth);
    const Said reply = run_sla({"fleet", "set", cluster_->address(), "--fleet", "t", "x", "--off"});
    EXPECT_EQ(reply.code, 0) << "it still takes orders: " << reply.errors;
    ASSERT_EQ(agent_.stop(), 0) << agent_.process().errors();
    const support::FleetContents read = contents();
    ASSERT_EQ(read.captures.size(), 1u);
    EXPECT_EQ(read.captures.begin()->second.event_sum, offered);
}

}  // namespace
}  // namespace sla
