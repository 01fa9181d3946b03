// What agents published, read by the commands as from a file.
#include "tests/integration/fleet/fleet_fixture.h"

#include <cstdlib>

namespace sla {
namespace {

class ReadingAFleet : public InFleet {
protected:
    // stdout of `sla`.
    std::string sla(Words words) {
        Said said = run_sla(std::move(words));
        code_ = said.code;
        said_ = std::move(said.errors);
        return std::move(said.output);
    }
    [[nodiscard]] std::string name(const std::string& behind = "") const {
        return "fleet:" + cluster_->address() + "/t" + behind;
    }

    int code_ = -1;
    std::string said_;
};

TEST_F(ReadingAFleet, TheCommandsAnswerAsFromTheFileThatWasRecordedMeanwhile) {
    ASSERT_NO_FATAL_FAILURE(start_servers(1));
    ASSERT_NO_FATAL_FAILURE(start_agent());
    const std::uint64_t offered = run_burst("3", "4000");
    ASSERT_EQ(agent_.stop(), 0) << agent_.process().errors();
    for (const Words& question : {Words{"table"}, Words{"stats"}, Words{"stats", "--values"}}) {
        Words file = question;
        file.insert(file.end(), {"--format", "csv", agent_.capture()});
        Words fleet = question;
        fleet.insert(fleet.end(), {"--format", "csv", name("/h1")});
        const std::string from_file = sla(file);
        ASSERT_EQ(code_, 0) << said_;
        const std::string from_fleet = sla(fleet);
        ASSERT_EQ(code_, 0) << said_;
        const long least = question[0] == "table" ? static_cast<long>(offered) / 2 : question.size() > 1 ? 1 : 3;
        EXPECT_GT(std::count(from_file.begin(), from_file.end(), '\n'), least);
        EXPECT_TRUE(from_file == from_fleet) << from_file.substr(0, 1000) << "\nfrom the fleet:\n"
                                             << from_fleet.substr(0, 1000);
    }
    sla({"verify", name()});
    EXPECT_EQ(code_, 0) << said_;
}

TEST_F(ReadingAFleet, SeveralHostsStandSideBySide) {
    ASSERT_NO_FATAL_FAILURE(start_servers(1));
    ASSERT_NO_FATAL_FAILURE(start_agent());
    run_burst("2", "3000");
    support::AgentUnderTest other(SLA_BINARIES);
    ASSERT_TRUE(
        other.start({"--publish", cluster_->address(), "--fleet", "t", "--host", "h2", "--spool-dir", other.file("spool")}))
        << other.process().errors();
    std::map<std::string, std::string> environment = other.environment();
    environment["SLA_RING_SLOTS"] = "65536";
    Process program({SLA_TEST_MARKER, "burst", "3", "1", "2000"}, environment);
    EXPECT_EQ(program.wait().code, 0) << program.errors();
    ASSERT_EQ(other.stop(), 0) << other.process().errors();
    ASSERT_EQ(agent_.stop(), 0) << agent_.process().errors();
    const auto rows = [&](const std::string& capture) {
        const std::string table = sla({"table", "--format", "csv", capture});
        EXPECT_EQ(code_, 0) << said_;
        return std::count(table.begin(), table.end(), '\n') - 1;
    };
    const auto of_one = rows(name("/h1"));
    const auto of_other = rows(name("?host=h2"));
    EXPECT_GT(of_one, 3000);
    EXPECT_GT(of_other, 2000);
    EXPECT_EQ(rows(name()), of_one + of_other);
    EXPECT_EQ(rows(name("/h*")), of_one + of_other);
    // As tools that read files see it.
    const std::string merged = agent_.file("both.sla");
    sla({"cut", "--from", "0", "-o", merged, name()});
    ASSERT_EQ(code_, 0) << said_;
    EXPECT_EQ(rows(merged), of_one + of_other);
    sla({"verify", merged});
    EXPECT_EQ(code_, 0) << said_;
}

TEST_F(ReadingAFleet, WhatIsNotThereIsSaidWithWhatIs) {
    ASSERT_NO_FATAL_FAILURE(start_servers(1));
    sla({"stats", name()});
    EXPECT_EQ(code_, 1) << said_;
    EXPECT_NE(said_.find("no host has published anything"), std::string::npos) << said_;
    ASSERT_NO_FATAL_FAILURE(start_agent());
    run_burst("1", "1000");
    ASSERT_EQ(agent_.stop(), 0) << agent_.process().errors();
    sla({"stats", name("/h2")});
    EXPECT_EQ(code_, 1) << said_;
    EXPECT_NE(said_.find("there is no such host; there are: h1"), std::string::npos) << said_;
    sla({"stats", name("/h1/nothing")});
    EXPECT_EQ(code_, 1) << said_;
    EXPECT_NE(said_.find("there is no such capture"), std::string::npos) << said_;
    sla({"stats", "fleet:nats://127.0.0.1:1/t"});
    EXPECT_EQ(code_, 3) << said_;
}

TEST_F(ReadingAFleet, AServerThatDiesIsNoObstacle) {
    if (std::getenv("SLA_FLEET_LONG") == nullptr)
        GTEST_SKIP() << "elections take up to half a minute on a busy machine: tests/bench/fleet.sh";
    ASSERT_NO_FATAL_FAILURE(start_servers(3));
    ASSERT_NO_FATAL_FAILURE(start_agent());
    const std::uint64_t offered = run_burst("1", "5000");
    ASSERT_EQ(agent_.stop(), 0) << agent_.process().errors();
    cluster_->kill(cluster_->leader_of(fleet::stream_name("t", fleet::shard_of("h1", 2))));
    const std::string answer = sla({"table", "--format", "csv", name("/h1")});
    ASSERT_EQ(code_, 0) << said_;
    EXPECT_GE(static_cast<std::uint64_t>(std::count(answer.begin(), answer.end(), '\n')), offered);
    ASSERT_TRUE(cluster_->start()) << cluster_->problem();
    cluster_->kill(cluster_->leader_of("KV_" + fleet::hosts_bucket("t")));
    const std::string hosts = sla({"fleet", "hosts", "--format", "csv", "--fleet", "t", cluster_->address()});
    ASSERT_EQ(code_, 0) << said_;
    EXPECT_NE(hosts.find("h1,"), std::string::npos) << hosts;
}

}  // namespace
}  // namespace sla
