// Programs and agents that come and go in every order: what was marked is in the capture, exactly.
#include "tests/support/agent_under_test.h"
#include "viewer/analysis/intervals/statistics.h"

#include <cpuid.h>
#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>
#include <set>
#include <sstream>

namespace sla {
namespace {

using support::AgentUnderTest;
using support::Process;

class Pipeline : public testing::Test {
protected:
    std::unique_ptr<Process> run(const std::vector<std::string>& words,
                                 std::map<std::string, std::string> environment = {}) {
        std::vector<std::string> argv{SLA_TEST_MARKER};
        argv.insert(argv.end(), words.begin(), words.end());
        environment.merge(agent_.environment());
        return std::make_unique<Process>(argv, environment);
    }
    // Whether the agent gives whoever asks more than `count` events of test.main.
    bool has_more_than(std::uint64_t count) {
        Process list({SLA_BINARIES "/sla", "channels", agent_.address(), "--format", "csv"}, agent_.environment());
        if (list.wait().code != 0) return false;
        std::istringstream lines(list.output());
        for (std::string line; std::getline(lines, line);) {
            std::istringstream words(line);
            std::string name, source, kinds, events;
            for (std::string* word : {&name, &source, &kinds, &events}) std::getline(words, *word, ',');
            if (name == "test.main") return std::strtoull(events.c_str(), nullptr, 10) > count;
        }
        return false;
    }
    // The values of a lane are first, first + 1, ... without a hole.
    static void expect_counting(const store::Lane* lane, std::uint64_t count, std::uint64_t first = 0) {
        ASSERT_NE(lane, nullptr);
        ASSERT_EQ(lane->events(), count);
        for (std::uint64_t i = 0; i < count; i++) ASSERT_EQ((*lane)[i].value, first + i) << "row " << i;
    }

    AgentUnderTest agent_{SLA_BINARIES};
};

TEST_F(Pipeline, AProgramStartedAfterTheAgentIsRecordedFromItsFirstMarker) {
    ASSERT_TRUE(agent_.start());
    auto program = run({"burst", "3", "2", "20000"});
    ASSERT_EQ(program->wait().code, 0);
    ASSERT_EQ(agent_.stop(), 0);
    auto session = agent_.load();
    EXPECT_EQ(session->events() + session->lost(), program->number("offered"));
    EXPECT_EQ(session->lost(), 0u);
    EXPECT_TRUE(session->ended());
}

TEST_F(Pipeline, AProgramStartedBeforeTheAgentIsPickedUp) {
    auto program = run({"steady"});
    ASSERT_TRUE(program->wait_for_output("running"));
    ASSERT_TRUE(agent_.start());
    ASSERT_TRUE(support::eventually([&] { return agent_.process().errors().find("attached") != std::string::npos; }));
    ASSERT_TRUE(support::eventually([&] { return has_more_than(50); }));
    program->signal(SIGTERM);
    ASSERT_EQ(program->wait().code, 0);
    ASSERT_EQ(agent_.stop(), 0);
    auto session = agent_.load();
    const store::Lane* lane = session->lane_named("test.main");
    ASSERT_NE(lane, nullptr);
    ASSERT_GT(lane->size(), 50u);
    expect_counting(lane, lane->size(), (*lane)[0].value);
    EXPECT_EQ((*lane)[lane->size() - 1].value, program->number("offered") - 1);
}

TEST_F(Pipeline, ToldToDebugAProgramSaysWhereItFoundNoAgentAndThatOneRecordsIt) {
    auto program = run({"steady"}, {{"SLA_DEBUG", "1"}});
    const auto says = [&](const char* text) {
        return support::eventually([&] { return program->errors().find(text) != std::string::npos; });
    };
    EXPECT_TRUE(says("no agent listens")) << program->errors();
    EXPECT_TRUE(says("/programs.sock: No such file or directory\n")) << program->errors();
    ASSERT_TRUE(agent_.start());
    EXPECT_TRUE(says("sla: an agent records this program\n")) << program->errors();
    program->signal(SIGTERM);
    EXPECT_EQ(program->wait().code, 0);
}

TEST_F(Pipeline, ToldToDebugAProgramSaysOnceWhichVariablesMeanNothing) {
    const std::map<std::string, std::string> wrong{
        {"SLA_RING_SLOTS", "abc"}, {"SLA_CLOCK", "foo"}, {"SLA_COUNTERS", "cycles"}};
    auto told = wrong;
    told["SLA_DEBUG"] = "1";
    auto program = run({"steady"}, told);
    auto not_told = wrong;
    not_told["SLA_DEBUG"] = "0";
    auto silent = run({"steady"}, not_told);
    const auto says = [&](const std::string& text) {
        return support::eventually([&] { return program->errors().find("sla: " + text) != std::string::npos; });
    };
    EXPECT_TRUE(says("SLA_RING_SLOTS=abc is ignored: it is no number of slots")) << program->errors();
    EXPECT_TRUE(says("SLA_CLOCK=foo is ignored: ")) << program->errors();
    EXPECT_TRUE(says("SLA_COUNTERS=cycles names no two counters")) << program->errors();
    ASSERT_TRUE(agent_.start());
    EXPECT_TRUE(says("an agent records this program\n")) << program->errors();
    const std::string all = program->errors();
    EXPECT_EQ(all.find("SLA_RING_SLOTS"), all.rfind("SLA_RING_SLOTS")) << "once: " << all;
    EXPECT_TRUE(support::eventually([&] { return agent_.process().errors().find("attached") != std::string::npos; }));
    EXPECT_EQ(silent->errors(), "") << "nobody asked it";
    for (auto* each : {program.get(), silent.get()}) {
        each->signal(SIGTERM);
        EXPECT_EQ(each->wait().code, 0);
    }
}

TEST_F(Pipeline, ARestartedAgentPicksRunningProgramsUpAgain) {
    ASSERT_TRUE(agent_.start());
    auto program = run({"steady"});
    ASSERT_TRUE(support::eventually([&] { return agent_.process().errors().find("attached") != std::string::npos; }));
    agent_.kill_hard();
    ASSERT_TRUE(agent_.start());
    ASSERT_TRUE(support::eventually([&] { return agent_.process().errors().find("attached") != std::string::npos; }));
    ASSERT_TRUE(support::eventually([&] { return has_more_than(50); }));
    program->signal(SIGTERM);
    ASSERT_EQ(program->wait().code, 0);
    ASSERT_EQ(agent_.stop(), 0);
    auto session = agent_.load();
    const store::Lane* lane = session->lane_named("test.main");
    ASSERT_NE(lane, nullptr);
    EXPECT_GT(lane->size(), 50u);
    EXPECT_EQ((*lane)[lane->size() - 1].value, program->number("offered") - 1);
    std::set<std::uint64_t> seen;
    for (std::uint64_t i = 0; i < lane->size(); i++) {
        if ((*lane)[i].code == SLA_CODE_GAP) continue;
        EXPECT_TRUE(seen.insert((*lane)[i].value).second) << "a value came twice";
    }
}

TEST_F(Pipeline, AReaderThatJoinsAfterAKillAndANewAgentSeesTheHole) {
    ASSERT_TRUE(agent_.start());
    auto program = run({"steady"});
    ASSERT_TRUE(support::eventually([&] { return agent_.process().errors().find("attached") != std::string::npos; }));
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    agent_.kill_hard();
    const std::uint64_t killed = __builtin_ia32_rdtsc();
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    const std::uint64_t started = __builtin_ia32_rdtsc();
    ASSERT_TRUE(agent_.start());
    ASSERT_TRUE(support::eventually([&] { return agent_.process().errors().find("attached") != std::string::npos; }));
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    program->signal(SIGTERM);
    ASSERT_EQ(program->wait().code, 0);
    ASSERT_EQ(agent_.stop(), 0);
    auto session = agent_.load();
    const store::Lane* lane = session->lane_named("test.main");
    ASSERT_NE(lane, nullptr);
    ASSERT_EQ(lane->gaps().size(), 1u);
    const store::Gap& hole = lane->gaps().front();
    EXPECT_EQ(hole.cause, wire::LossCause::kNoAgent);
    EXPECT_TRUE(hole.is_uncounted());
    EXPECT_GE(hole.tick, killed - 30'000'000) << "the program hears of it at once";
    EXPECT_LT(hole.tick, started);
    EXPECT_GT(hole.until_tick, started);
    constexpr std::uint64_t kAboutThen = 30'000'000;  // of the hole's 600 M: a program may lose the processor at its edges
    for (std::uint64_t i = 0; i < lane->size(); i++) {
        if (i == hole.index) continue;
        EXPECT_TRUE((*lane)[i].tick <= hole.tick + kAboutThen || (*lane)[i].tick >= hole.until_tick - kAboutThen)
            << "an event where markers were off";
    }
}

TEST_F(Pipeline, WhatAProgramWroteBeforeItWasKilledIsRead) {
    ASSERT_TRUE(agent_.start());
    auto program = run({"count-and-die", "30000"});
    EXPECT_EQ(program->wait().signal, SIGKILL);
    ASSERT_EQ(agent_.stop(), 0);
    expect_counting(agent_.load()->lane_named("test.main"), 30000);
}

TEST_F(Pipeline, AShortProgramIsNoticedEvenWhenTheAgentStopsAtOnce) {
    ASSERT_TRUE(agent_.start());
    agent_.process().signal(SIGSTOP);
    auto program = run({"count-and-die", "10"});
    EXPECT_EQ(program->wait().signal, SIGKILL);
    agent_.process().signal(SIGTERM);
    agent_.process().signal(SIGCONT);
    EXPECT_EQ(agent_.process().wait().code, 0);
    expect_counting(agent_.load()->lane_named("test.main"), 10);
}

TEST_F(Pipeline, RingsFarTooSmallLoseEventsButCountEveryOne) {
    ASSERT_TRUE(agent_.start());
    auto program = run({"burst", "4", "3", "200000"}, {{"SLA_RING_SLOTS", "64"}});
    ASSERT_EQ(program->wait().code, 0);
    ASSERT_EQ(agent_.stop(), 0);
    auto session = agent_.load();
    EXPECT_GT(session->lost(), 0u);
    EXPECT_EQ(session->events() + session->lost(), program->number("offered"));
}

TEST_F(Pipeline, ARingThatFillsFastIsReplacedByOneThatOutlastsAnAbsentAgent) {
    constexpr std::uint64_t kMany = 1 << 21;  // four times what the first ring holds
    ASSERT_TRUE(agent_.start());
    auto program = run({"grow", std::to_string(kMany)});
    ASSERT_TRUE(program->wait_for_output("before", std::chrono::seconds(60)));
    agent_.process().signal(SIGSTOP);
    program->signal(SIGTERM);
    ASSERT_EQ(program->wait().code, 0);
    agent_.process().signal(SIGCONT);
    ASSERT_EQ(agent_.stop(), 0);
    auto session = agent_.load();
    const store::Lane* lane = session->lane_named("test.main");
    ASSERT_NE(lane, nullptr);
    const std::uint64_t offered = program->number("offered");
    ASSERT_EQ(offered - program->number("before"), kMany);
    EXPECT_EQ(lane->events() + lane->lost(), offered);
    for (std::uint64_t at = lane->size(), value = offered, left = kMany; left > 0; left--)
        ASSERT_EQ((*lane)[--at].value, --value) << "none of those that came while the agent stood still is missing";
}

TEST_F(Pipeline, AFlightRecorderCountsWhatItOverwrote) {
    ASSERT_TRUE(agent_.start());
    auto program = run({"flight", "3000000"});
    ASSERT_EQ(program->wait().code, 0);
    ASSERT_EQ(agent_.stop(), 0);
    auto session = agent_.load();
    const store::Lane* lane = session->lane_named("test.flight");
    ASSERT_NE(lane, nullptr);
    EXPECT_EQ(lane->events() + lane->lost(), 3000000u);
    ASSERT_GE(lane->size(), 1024u);
    EXPECT_EQ((*lane)[lane->size() - 1].value, 2999999u) << "the newest events are what a flight recorder is for";
    for (std::uint64_t i = 1, expected = 0; i < lane->size(); i++, expected++) {
        EXPECT_GE((*lane)[i].tick, (*lane)[i - 1].tick);
    }
}

TEST_F(Pipeline, AForkedChildHasASegmentOfItsOwn) {
#ifdef __SANITIZE_THREAD__
    GTEST_SKIP() << "the thread sanitizer's run-time does not survive a fork of a program with threads";
#endif
    ASSERT_TRUE(agent_.start());
    auto program = run({"fork", "5000"});
    ASSERT_EQ(program->wait().code, 0);
    ASSERT_EQ(agent_.stop(), 0);
    auto session = agent_.load();
    EXPECT_EQ(session->sources().size(), 2u);
    EXPECT_EQ(session->lost(), 0u);
    std::map<std::string, std::uint64_t> events;
    for (const store::Lane* lane : session->lanes()) events[lane->channel().name] += lane->events();
    EXPECT_EQ(events["test.main"], 15000u);
    EXPECT_EQ(events["test.child"], 5000u);
}

TEST_F(Pipeline, SignalHandlersMayMarkTheChannelTheyInterrupt) {
    ASSERT_TRUE(agent_.start());
    auto program = run({"signals", "3000000"});
    ASSERT_EQ(program->wait().code, 0);
    ASSERT_EQ(agent_.stop(), 0);
    auto session = agent_.load();
    const store::Lane* lane = session->lane_named("test.shared");
    ASSERT_NE(lane, nullptr);
    EXPECT_GT(program->number("handler"), 10u);
    EXPECT_EQ(lane->events() + lane->lost(), program->number("main") + program->number("handler"));
    EXPECT_EQ(lane->lost(wire::LossCause::kDamaged), 0u);
}

TEST_F(Pipeline, AThreadsEndLosesNothingAndItsRingIsUsedAgain) {
    ASSERT_TRUE(agent_.start());
    auto program = run({"threads", "1000"});
    ASSERT_EQ(program->wait().code, 0);
    ASSERT_EQ(agent_.stop(), 0);
    expect_counting(agent_.load()->lane_named("test.main"), 3000);
}

TEST_F(Pipeline, AThousandChannelsAndTwoHundredThreadsWork) {
    ASSERT_TRUE(agent_.start());
    auto program = run({"burst", "1000", "200", "3"});
    ASSERT_EQ(program->wait(std::chrono::seconds(150)).code, 0);
    ASSERT_EQ(agent_.stop(), 0);
    auto session = agent_.load();
    EXPECT_EQ(session->lanes().size(), 1000u);
    EXPECT_EQ(session->events() + session->lost(), program->number("offered"));
    EXPECT_EQ(session->lost(), 0u);
}

TEST_F(Pipeline, NamesTextsAndNumbersArriveAsTheyAre) {
    ASSERT_TRUE(agent_.start());
    auto program = run({"names"});
    ASSERT_EQ(program->wait().code, 0);
    ASSERT_EQ(agent_.stop(), 0);
    auto session = agent_.load();
    EXPECT_EQ(session->lanes().size(), 7u) << "two long names that differ at their end are two channels";
    EXPECT_NE(session->lane_named("größe.λ.日本語"), nullptr);
    EXPECT_NE(session->lane_named("with space, and \"quotes\""), nullptr);
    const store::Lane* texts = session->lane_named("test.text");
    ASSERT_NE(texts, nullptr);
    ASSERT_EQ(texts->size(), 3u);
    EXPECT_EQ(texts->text(0), "kurz");
    EXPECT_EQ(texts->text(1), std::string(109, 'a') + "…");
    EXPECT_EQ(texts->text(2), "(null)");
    const store::Lane* numbers = session->lane_named("test.main");
    ASSERT_EQ(numbers->size(), 4u);
    EXPECT_EQ(static_cast<std::int64_t>((*numbers)[0].value), -5);
    EXPECT_EQ((*numbers)[1].value, 18446744073709551615ull);
    EXPECT_EQ(wire::value_type_of((*numbers)[1].code), wire::ValueType::kUnsigned);
    EXPECT_EQ(wire::as_double((*numbers)[2].value), 2.5);
    EXPECT_EQ((*numbers)[3].value, 1u) << "a level is 0 or 1";
}

// An old agent or viewer knows nothing of this and shows the same events.
TEST_F(Pipeline, AChannelStampedInOrderBringsTheCostOfItsOwnStampsIntoStatistics) {
    ASSERT_TRUE(agent_.start());
    auto program = run({"stamped", "500"});
    ASSERT_EQ(program->wait().code, 0);
    ASSERT_EQ(agent_.stop(), 0);
    auto session = agent_.load();
    EXPECT_EQ(session->events(), program->number("offered"));
    EXPECT_EQ(session->lost(), 0u);
    const auto channel_of = [&](const char* name) { return session->lane_named(name)->channel(); };
    EXPECT_EQ(channel_of("test.span").stamping, store::Stamping::kRdtsc);
    EXPECT_EQ(channel_of("test.span").section_ticks, 0u);
    unsigned eax = 0;
    unsigned ebx = 0;
    unsigned ecx = 0;
    unsigned edx = 0;
    constexpr unsigned kExtendedFeatures = 0x8000'0001;
    const bool has_rdtscp = __get_cpuid(kExtendedFeatures, &eax, &ebx, &ecx, &edx) != 0 && (edx >> 27 & 1) != 0;
    EXPECT_EQ(channel_of("test.rdtscp").stamping, has_rdtscp ? store::Stamping::kRdtscp : store::Stamping::kLfenceRdtsc)
        << "a processor without RDTSCP orders by a fence";
    EXPECT_EQ(channel_of("test.fence").stamping, store::Stamping::kLfenceRdtsc);
    for (const char* name : {"test.rdtscp", "test.fence"}) {
        const store::Lane* lane = session->lane_named(name);
        analysis::Selection selection;
        selection.lanes = {lane};
        const auto rows = analysis::channel_statistics(*session, selection, {true, false});
        ASSERT_EQ(rows.size(), 2u);
        const std::int64_t section = session->clock().ticks_to_ps(lane->channel().section_ticks);
        EXPECT_EQ(rows[1].numbers.subtracted_ps, section);
        EXPECT_EQ(rows[1].numbers.count, 500u);
        EXPECT_LT(rows[1].numbers.p50_ps, section) << "an empty section is near nothing then";
    }
}

}  // namespace
}  // namespace sla
