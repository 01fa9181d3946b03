// `sla table --follow` of a live agent: every row once, and an end for every reason.
#include "tests/support/agent_under_test.h"
#include "tests/support/lake_rows.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <csignal>
#include <sstream>

namespace sla {
namespace {

class FollowedTable : public testing::Test {
protected:
    using Process = support::Process;
    using Words = std::vector<std::string>;

    void SetUp() override { ASSERT_TRUE(agent_.start()) << agent_.process().errors(); }
    Process& follow(Words more) {
        Words words{SLA_BINARIES "/sla", "table", "--follow"};
        words.insert(words.end(), more.begin(), more.end());
        following_ = std::make_unique<Process>(words, agent_.environment());
        return *following_;
    }
    static Words lines_of(const std::string& text) {
        std::istringstream in(text);
        Words lines;
        for (std::string line; std::getline(in, line);) lines.push_back(line);
        return lines;
    }
    // "tick,time,source,thread,channel,kind,value": what a row is wherever it stands in a table.
    static Words events_in(const std::string& csv) {
        Words events;
        for (const std::string& line : lines_of(csv)) {
            if (line.starts_with("index,")) continue;
            std::size_t at = line.find(',') + 1;
            std::istringstream in(line.substr(at));
            std::string tick;
            std::string skipped;
            std::string rest;
            std::getline(in, tick, ',');
            std::getline(in, skipped, ',');  // the clock is known better at the end
            for (int i = 0; i < 5; ++i) {
                std::string field;
                std::getline(in, field, ',');
                rest += "," + (i == 0 ? support::without_process(field) : field);
            }
            events.push_back(tick + rest);
        }
        return events;
    }

    support::AgentUnderTest agent_{SLA_BINARIES};
    std::unique_ptr<Process> following_;
};

TEST_F(FollowedTable, HasEveryEventOnceInTheOrderOfTheRecording) {
    Process& table = follow({"--format", "csv", "--channel", "burst.*"});
    ASSERT_TRUE(table.wait_for_output("index,")) << table.errors();
    auto environment = agent_.environment();
    environment["SLA_RING_SLOTS"] = "131072";
    for (int round = 0; round < 3; ++round) {
        Process program({SLA_TEST_MARKER, "burst", "4", "2", "10000"}, environment);
        ASSERT_EQ(program.wait().code, 0) << program.errors();
    }
    ASSERT_EQ(agent_.stop(), 0);
    ASSERT_EQ(table.wait().code, 0) << table.errors();
    EXPECT_NE(table.errors().find("has ended"), std::string::npos) << table.errors();
    Process recorded({SLA_BINARIES "/sla", "table", agent_.capture(), "--format", "csv", "--channel", "burst.*"});
    ASSERT_EQ(recorded.wait().code, 0) << recorded.errors();
    const Words events = events_in(table.output());
    EXPECT_GE(events.size(), 3u * 4 * 2 * 10000);
    EXPECT_TRUE(events == events_in(recorded.output()));
}

TEST_F(FollowedTable, AnInterruptEndsItWithAWholeTable) {
    Process program({SLA_TEST_MARKER, "steady"}, agent_.environment());
    ASSERT_TRUE(program.wait_for_output("running"));
    Process& table = follow({"--format", "json", "--channel", "test.main"});
    ASSERT_TRUE(table.wait_for_output("test.main")) << table.errors();
    table.signal(SIGINT);
    ASSERT_EQ(table.wait().code, 0) << table.errors();
    const auto rows = nlohmann::json::parse(table.output());
    ASSERT_GT(rows.size(), 0u);
    for (std::size_t i = 1; i < rows.size(); ++i) ASSERT_EQ(rows[i].at("value"), rows[i - 1].at("value").get<int>() + 1);
}

TEST_F(FollowedTable, FromATimeOnItHasWhatIsHeldAndEndsAtItsEnd) {
    Process program({SLA_TEST_MARKER, "steady"}, agent_.environment());
    ASSERT_TRUE(program.wait_for_output("running"));
    support::pause_briefly();
    Process& table = follow({"--format", "csv", "--from", "0", "--to", "2.5s", "--filter", "channel == test.main"});
    ASSERT_EQ(table.wait().code, 0) << table.errors();
    const Words lines = lines_of(table.output());
    ASSERT_GT(lines.size(), 100u) << table.errors();
    for (std::size_t i = 1; i < lines.size(); ++i)
        ASSERT_NE(lines[i].find(",value," + std::to_string(i - 1) + ","), std::string::npos) << lines[i];
}

TEST_F(FollowedTable, OfAnAgentThatDiesItHasWhatCameAndSaysWhy) {
    Process program({SLA_TEST_MARKER, "steady"}, agent_.environment());
    ASSERT_TRUE(program.wait_for_output("running"));
    Process& table = follow({"--format", "csv"});
    ASSERT_TRUE(table.wait_for_output("test.main")) << table.errors();
    agent_.kill_hard();
    EXPECT_EQ(table.wait().code, 3) << table.errors();
    EXPECT_NE(table.errors().find("agent"), std::string::npos) << table.errors();
    EXPECT_EQ(table.output().back(), '\n');
}

TEST_F(FollowedTable, AChannelThatIsNotThereYetIsWaitedForAndThatIsSaid) {
    Process& table = follow({"--format", "csv", "--channel", "later"});
    const auto is_said = [&] { return table.errors().find("'later' yet") != std::string::npos; };
    ASSERT_TRUE(support::eventually(is_said)) << table.errors();
    Process mark({SLA_BINARIES "/sla", "mark", "later", "42"}, agent_.environment());
    ASSERT_EQ(mark.wait().code, 0) << mark.errors();
    EXPECT_TRUE(table.wait_for_output(",later,value,42,")) << table.output();
    table.signal(SIGTERM);
    EXPECT_EQ(table.wait().code, 0);
}

TEST_F(FollowedTable, WhatItCannotFollowItSays) {
    const auto refused = [&](const Words& words) {
        Process& table = follow(words);
        const int code = table.wait().code;
        return std::make_pair(code, table.errors());
    };
    EXPECT_EQ(refused({agent_.capture()}).first, 2);
    EXPECT_NE(refused({agent_.capture()}).second.find("wants an agent or a fleet"), std::string::npos);
    EXPECT_EQ(refused({"--column", "a=tick"}).first, 2);
    EXPECT_EQ(refused({"--filter", "value >"}).first, 2);
    EXPECT_EQ(refused({"--from", "2s", "--to", "1s"}).first, 2);
    EXPECT_EQ(refused({"unix:" + agent_.file("nobody.sock")}).first, 3);
    EXPECT_EQ(refused({"-o", agent_.file("no/such/folder/t.csv")}).first, 3);
}

}  // namespace
}  // namespace sla
