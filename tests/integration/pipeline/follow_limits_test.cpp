// `sla check --follow` and `sla stats --follow` of a live agent: what breaks is said while it runs, intervals are counted one
// after the other, and the end is that of the recording.
#include "tests/support/agent_under_test.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <map>
#include <sstream>

namespace sla {
namespace {

class FollowedLimits : public testing::Test {
protected:
    using Process = support::Process;
    using Words = std::vector<std::string>;

    void SetUp() override { ASSERT_TRUE(agent_.start()) << agent_.process().errors(); }
    std::unique_ptr<Process> sla(const Words& words) {
        Words all{SLA_BINARIES "/sla"};
        all.insert(all.end(), words.begin(), words.end());
        return std::make_unique<Process>(all, agent_.environment());
    }
    // Waits until the agent says that it joined.
    void wait_for(const char* client) {
        const auto has_joined = [&] { return agent_.process().errors().find(client) != std::string::npos; };
        ASSERT_TRUE(support::eventually(has_joined)) << agent_.process().errors();
    }
    static std::vector<nlohmann::json> rows_of(const std::string& jsonl) {
        std::istringstream in(jsonl);
        std::vector<nlohmann::json> rows;
        for (std::string line; std::getline(in, line);) rows.push_back(nlohmann::json::parse(line));
        return rows;
    }
    std::unique_ptr<Process> steady() {
        auto program = std::make_unique<Process>(Words{SLA_TEST_MARKER, "steady"}, agent_.environment());
        EXPECT_TRUE(program->wait_for_output("running"));
        return program;
    }

    support::AgentUnderTest agent_{SLA_BINARIES};
};

// The program is stopped: no event comes that could end the silence.
TEST_F(FollowedLimits, ASilenceIsSaidWhileItLastsAndTheVerdictsFollow) {
    const auto program = steady();
    const auto check = sla({"check", "--follow", "--limit", "gap test.main < 2s", "--limit", "lost == 0"});
    wait_for("sla check");
    support::pause_briefly(std::chrono::seconds(1));
    program->signal(SIGSTOP);
    EXPECT_TRUE(check->wait_for_output("and still silent")) << check->output() << check->errors();
    EXPECT_NE(check->output().find("broken       gap test.main < 2s: test.main 2."), std::string::npos) << check->output();
    program->signal(SIGCONT);
    check->signal(SIGINT);
    EXPECT_EQ(check->wait().code, 1) << check->errors();
    EXPECT_NE(check->output().find("\nfail         gap test.main < 2s"), std::string::npos) << check->output();
    EXPECT_NE(check->output().find("\npass         lost == 0: 0"), std::string::npos) << check->output();
}

// By a clock of its own a PC runs ahead of the machine: what it has marked is held back until that time has come, and told at the end.
TEST_F(FollowedLimits, WhatAPcMarkedAheadOfTheMachinesClockIsJudgedToo) {
    const auto check = sla({"check", "--follow", "--format", "jsonl", "--limit", "count irq.0 == 0"});
    const auto table = sla({"table", "--follow", "--format", "csv", "--channel", "irq.0"});
    wait_for("sla check");
    wait_for("sla table");
    const auto begun = std::chrono::steady_clock::now();
    Process pc({SLA_BINARIES "/sla-emu", "run", "--demo", "--cpu", "x86emu", "--clock", "virtual", "--for", "4s"},
               agent_.environment());
    ASSERT_EQ(pc.wait().code, 0) << pc.errors();
    if (std::chrono::steady_clock::now() - begun > std::chrono::seconds(2)) GTEST_SKIP() << "it did not run ahead here";
    const auto counted = [&](const std::string& jsonl) {
        for (const auto& row : rows_of(jsonl)) {
            if (!row.contains("row") || row.at("row") == "verdict") return row.at("measured").get<double>();
        }
        return 0.0;
    };
    const auto held = [&] {
        const auto now = sla({"check", "--format", "jsonl", "--limit", "count irq.0 == 0"});
        return now->wait().code == 1 ? counted(now->output()) : 0.0;
    };
    double all = held();  // that the agent has taken all of it from the rings
    for (double more = 0; more != all; all = held()) {
        more = all;
        support::pause_briefly(std::chrono::milliseconds(200));
    }
    ASSERT_GT(all, 1000);
    support::pause_briefly(std::chrono::seconds(1));  // both followers have it, on a busy machine too
    check->signal(SIGINT);
    table->signal(SIGINT);
    EXPECT_EQ(check->wait().code, 1) << check->errors();
    // The agent keeps some rows until their time has come; all others have been sent.
    EXPECT_GE(counted(check->output()), all * 0.99);
    EXPECT_LE(counted(check->output()), all);
    EXPECT_EQ(table->wait().code, 0) << table->errors();
    const std::string rows = table->output();
    EXPECT_GE(std::count(rows.begin(), rows.end(), '\n'), static_cast<std::ptrdiff_t>(all * 0.99));
}

// What it has marked of a time that is still to come says nothing of others: they are not silent, nor are there intervals of it.
TEST_F(FollowedLimits, APcAheadOfTheMachinesClockMakesNoSilenceOfOthers) {
    const auto program = steady();
    const auto check = sla({"check", "--follow", "--format", "jsonl", "--limit", "gap test.main < 1500ms", "--limit",
                            "rate test.main > 250/s"});
    const auto stats = sla({"stats", "--follow", "--values", "--every", "250ms", "--format", "jsonl"});
    wait_for("sla check");
    wait_for("sla stats");
    const auto begun = std::chrono::steady_clock::now();
    Process pc({SLA_BINARIES "/sla-emu", "run", "--demo", "--cpu", "unicorn", "--clock", "virtual", "--for", "12s"},
               agent_.environment());
    ASSERT_EQ(pc.wait().code, 0) << pc.errors();
    support::pause_briefly(std::chrono::seconds(1));
    if (std::chrono::steady_clock::now() - begun > std::chrono::seconds(8)) GTEST_SKIP() << "it did not run ahead here";
    check->signal(SIGINT);
    stats->signal(SIGINT);
    EXPECT_EQ(check->wait().code, 0) << check->output();
    EXPECT_EQ(stats->wait().code, 0) << stats->errors();
    std::size_t intervals = 0;
    for (const auto& row : rows_of(stats->output())) {
        if (row.at("channel") != "test.main") continue;
        ++intervals;
        EXPECT_GT(row.at("count").get<std::uint64_t>(), 0U) << row;
    }
    EXPECT_GE(intervals, 4U);
    EXPECT_LE(intervals, 4U * 10);
}

TEST_F(FollowedLimits, TheFirstBreakEndsIt) {
    const auto check = sla({"check", "--follow", "--first", "--format", "jsonl", "--limit", "count test.main < 100"});
    wait_for("sla check");
    const auto program = steady();
    EXPECT_EQ(check->wait().code, 1) << check->errors();
    const auto rows = rows_of(check->output());
    ASSERT_EQ(rows.size(), 2u) << check->output();
    EXPECT_EQ(rows[0].at("row"), "break");
    EXPECT_EQ(rows[0].at("measured"), 100);
    EXPECT_EQ(rows[0].at("limit"), "count test.main < 100");
    EXPECT_EQ(rows[1].at("row"), "verdict");
    EXPECT_EQ(rows[1].at("verdict"), "fail");
}

TEST_F(FollowedLimits, AFloodIsSaidInPartAndCountedWhole) {
    // Two stamps may be one tick of a counter that goes by steps of ten nanoseconds: gaps of 0 break this, too.
    const auto check = sla({"check", "--follow", "--format", "jsonl", "--limit", "count burst.0 == 0", "--limit",
                            "gap burst.1 < 0ns", "--limit", "gap burst.1 p50 < 1s"});
    wait_for("sla check");
    auto environment = agent_.environment();
    environment["SLA_RING_SLOTS"] = "131072";
    Process program({SLA_TEST_MARKER, "burst", "2", "1", "20000"}, environment);
    ASSERT_EQ(program.wait().code, 0) << program.errors();
    ASSERT_EQ(agent_.stop(), 0);
    EXPECT_EQ(check->wait().code, 1) << check->errors();
    EXPECT_NE(check->errors().find("'gap burst.1 p50 < 1s' is judged at the end"), std::string::npos) << check->errors();
    std::map<std::string, std::uint64_t> broken;
    std::size_t said = 0;
    for (const auto& row : rows_of(check->output())) {
        if (row.at("row") == "break" || row.at("row") == "more") broken[row.at("limit")] += row.at("broken").get<int>();
        said += row.at("row") == "break" ? 1 : 0;
        if (row.at("row") != "verdict") continue;
        EXPECT_EQ(row.at("verdict"), row.at("limit") == "gap burst.1 p50 < 1s" ? "pass" : "fail");
    }
    EXPECT_EQ(broken["count burst.0 == 0"], 20000u);
    EXPECT_GE(broken["gap burst.1 < 0ns"], 19999u);
    EXPECT_LE(broken["gap burst.1 < 0ns"], 20000u)
        << "the silence behind the last event, when the program is seen to live then";
    EXPECT_LE(said, 40u);
}

TEST_F(FollowedLimits, WhatIsWatchedToTheEndHasTheVerdictsOfTheRecording) {
    const Words limits = {"--limit", "gap burst.0 < 1ms", "--limit", "burst.0->burst.1 max < 50us",
                          "--limit", "lost == 0",         "--limit", "count * > 3 == 30000"};
    Words words{"check", "--follow", "--format", "jsonl"};
    words.insert(words.end(), limits.begin(), limits.end());
    const auto check = sla(words);
    wait_for("sla check");
    auto environment = agent_.environment();
    environment["SLA_RING_SLOTS"] = "131072";
    Process program({SLA_TEST_MARKER, "burst", "2", "1", "20000"}, environment);
    ASSERT_EQ(program.wait().code, 0) << program.errors();
    ASSERT_EQ(agent_.stop(), 0);
    const int code = check->wait().code;
    words = {"check", "--format", "jsonl", agent_.capture()};
    words.insert(words.end(), limits.begin(), limits.end());
    const auto recorded = sla(words);
    EXPECT_EQ(recorded->wait().code, code);
    std::vector<std::string> found;
    std::vector<std::string> wanted;
    const auto add = [](const nlohmann::json& row, std::vector<std::string>& to) {
        std::string text;
        for (const char* column : {"limit", "channel", "verdict", "checked", "broken", "unknown", "at_tick"})
            text += row.at(column).dump() + " ";
        to.push_back(text);
    };
    for (const auto& row : rows_of(check->output())) {
        if (row.at("row") == "verdict") add(row, found);
    }
    for (const auto& row : rows_of(recorded->output())) add(row, wanted);
    EXPECT_FALSE(wanted.empty()) << recorded->errors();
    EXPECT_EQ(found, wanted);
}

// The machine's clock is past --to when most of the program's rows, which lie before it, are still to come.
TEST_F(FollowedLimits, AProgramWithATimeOfItsOwnIsWaitedForUpToTheEndOfTheRange) {
    Words words{"check",  "--follow", "--from", "0",       "--to",
                "2500ms", "--format", "jsonl",  "--limit", "count test.main == 300"};
    const auto check = sla(words);
    const auto stats = sla({"stats", "--follow", "--from", "0", "--to", "2500ms", "--every", "10s", "--format", "jsonl"});
    wait_for("sla check");
    wait_for("sla stats");
    Process program({SLA_TEST_MARKER, "behind", "300"}, agent_.environment());
    ASSERT_EQ(program.wait().code, 0) << program.errors();
    EXPECT_EQ(check->wait().code, 0) << check->output();
    EXPECT_NE(check->errors().find("whose own time has not got there yet"), std::string::npos) << check->errors();
    const auto verdicts = rows_of(check->output());
    ASSERT_EQ(verdicts.size(), 1u) << check->output();
    EXPECT_EQ(verdicts[0].at("verdict"), "pass");
    EXPECT_NE(verdicts[0].at("source"), "");
    EXPECT_EQ(stats->wait().code, 0) << stats->errors();
    std::uint64_t intervals = 0;
    for (const auto& row : rows_of(stats->output())) intervals += row.at("count").get<std::uint64_t>();
    EXPECT_EQ(intervals, 299u);
}

TEST_F(FollowedLimits, StatisticsOfIntervalsCountEveryEventOnce) {
    const auto stats = sla({"stats", "--follow", "--values", "--every", "100ms", "--format", "jsonl"});
    wait_for("sla stats");
    const auto program = steady();
    ASSERT_TRUE(stats->wait_for_output("test.main")) << stats->errors();
    support::pause_briefly(std::chrono::seconds(1));
    program->signal(SIGTERM);
    ASSERT_EQ(program->wait().code, 0);
    ASSERT_EQ(agent_.stop(), 0);
    ASSERT_EQ(stats->wait().code, 0) << stats->errors();
    const auto rows = rows_of(stats->output());
    ASSERT_GT(rows.size(), 1u);
    std::uint64_t counted = 0;
    double until = rows[0].at("time_ns");
    for (const auto& row : rows) {
        counted += row.at("count").get<std::uint64_t>();
        EXPECT_NEAR(row.at("time_ns").get<double>(), until, 1) << "one begins where the other ends";
        until = row.at("until_ns");
    }
    EXPECT_EQ(counted, program->number("offered"));
}

// What crosses the end of an interval counts in the next one.
TEST_F(FollowedLimits, AllIntervalsTogetherHaveTheTimesOfTheRecording) {
    const Words counted = {"--channel", "test.main", "--pair", "test.main:test.main", "--format", "jsonl"};
    Words words{"stats", "--follow", "--every", "20ms"};
    words.insert(words.end(), counted.begin(), counted.end());
    const auto stats = sla(words);
    wait_for("sla stats");
    const auto program = steady();
    const auto has_ten = [&] { return rows_of(stats->output()).size() >= 20; };
    ASSERT_TRUE(support::eventually(has_ten)) << stats->errors();
    program->signal(SIGTERM);
    ASSERT_EQ(program->wait().code, 0);
    ASSERT_EQ(agent_.stop(), 0);
    ASSERT_EQ(stats->wait().code, 0) << stats->errors();
    words = {"stats", agent_.capture()};
    words.insert(words.end(), counted.begin(), counted.end());
    const auto recorded = sla(words);
    ASSERT_EQ(recorded->wait().code, 0) << recorded->errors();
    const auto wanted = rows_of(recorded->output());
    ASSERT_EQ(wanted.size(), 2u);
    for (const nlohmann::json& whole : wanted) {
        std::uint64_t count = 0;
        double longest = 0;
        for (const nlohmann::json& row : rows_of(stats->output())) {
            if (row.at("pair") != whole.at("pair") || row.at("count") == 0) continue;
            count += row.at("count").get<std::uint64_t>();
            longest = std::max(longest, row.at("max_ns").get<double>());
        }
        EXPECT_EQ(count, whole.at("count").get<std::uint64_t>()) << whole;
        EXPECT_NEAR(longest, whole.at("max_ns").get<double>(), 1) << whole;
    }
}

TEST_F(FollowedLimits, OfAnAgentThatDiesABreakIsStillABreak) {
    const auto program = steady();
    const auto broken = sla({"check", "--follow", "--limit", "count test.main < 5"});
    const auto kept = sla({"check", "--follow", "--limit", "count test.main < 500000000"});
    ASSERT_TRUE(broken->wait_for_output("broken")) << broken->errors();
    wait_for("sla check");
    agent_.kill_hard();
    EXPECT_EQ(broken->wait().code, 1) << broken->errors();
    EXPECT_EQ(kept->wait().code, 3) << kept->errors();
    const std::string said = kept->errors();
    EXPECT_NE(said.find("was cut off"), std::string::npos) << said;
    EXPECT_EQ(said.find("was cut off"), said.rfind("was cut off")) << "said once:\n" << said;
}

TEST_F(FollowedLimits, WhatCannotWorkIsRefused) {
    const auto refused = [&](const Words& words, const char* why) {
        const auto process = sla(words);
        EXPECT_EQ(process->wait().code, 2) << why;
        EXPECT_NE(process->errors().find(why), std::string::npos) << process->errors();
    };
    const Words check = {"check", "--follow", "--limit", "lost == 0"};
    const auto with = [&](Words more) {
        more.insert(more.begin(), check.begin(), check.end());
        return more;
    };
    refused(with({agent_.capture()}), "wants an agent or a fleet");
    refused(with({"--sql", "SELECT 1"}), "--sql looks at rows of any time");
    refused(with({"--for", "soon"}), "--for");
    refused({"check", "--first", "--limit", "lost == 0"}, "--first is for --follow");
    refused({"check", "--for", "1s", "--limit", "lost == 0"}, "--for is for --follow and --seeds");
    refused({"check", "--follow", "--first", "--limit", "rate a > 5/s"}, "can only be judged at the end");
    refused(with({"--seeds", "1..2", "--", "true"}), "use one of them");
    refused({"stats", "--follow", agent_.capture()}, "wants an agent or a fleet");
    refused({"stats", "--follow", "--exact"}, "--exact is for large files");
    refused({"stats", "--follow", "--every", "1ms"}, "10ms at the least");
    refused({"stats", "--follow", "--pair", "ab"}, "is not a pair");
    for (const char* command : {"check", "stats"}) {
        Words words{command, "--follow", "unix:" + agent_.file("nobody.sock")};
        if (std::string(command) == "check") words.insert(words.end(), {"--limit", "lost == 0"});
        const auto alone = sla(words);
        EXPECT_EQ(alone->wait().code, 3) << alone->errors();
        EXPECT_EQ(alone->output().find("lost == 0"), std::string::npos) << "there is nothing to judge";
    }
}

}  // namespace
}  // namespace sla
