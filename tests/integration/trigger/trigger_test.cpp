// Triggers with a real agent and a real program, and nobody watching.
#include "tests/support/agent_under_test.h"
#include "viewer/analysis/shot_state.h"
#include "viewer/ingest/open.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sys/stat.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <list>
#include <utility>

namespace sla {
namespace {

using support::AgentUnderTest;
using support::Process;
using testing::HasSubstr;
using testing::Not;

constexpr int kWrongUse = 2;

using Values = std::vector<std::pair<std::uint64_t, std::uint64_t>>;  // tick, value

Values events_of(const store::Session& session, const std::string& channel, std::uint64_t from, std::uint64_t until) {
    Values values;
    const store::Lane* lane = session.lane_named(channel);
    if (lane == nullptr) return values;
    for (std::uint64_t i = lane->lower_bound(from); i < lane->upper_bound(until); ++i) {
        if ((*lane)[i].code != SLA_CODE_GAP) values.emplace_back((*lane)[i].tick, (*lane)[i].value);
    }
    return values;
}

std::string content(const std::string& path) {
    std::ifstream in(path);
    return {std::istreambuf_iterator<char>(in), {}};
}

class Triggers : public testing::Test {
protected:
    void run_program(const std::string& count, const std::string& pause) {
        Process program({SLA_TEST_TRIGGER, count, pause}, agent_.environment());
        EXPECT_EQ(program.wait().code, 0);
    }
    std::unique_ptr<store::Session> read(const std::string& file) {
        auto session = std::make_unique<store::Session>();
        const Result<void> loaded = ingest::load(file, *session);
        if (!loaded.ok()) ADD_FAILURE() << loaded.error().message;
        return session;
    }
    struct Said {
        int code;
        std::string out;
        std::string errors;
    };
    Said sla(std::vector<std::string> words) {
        words.insert(words.begin(), SLA_BINARIES "/sla");
        Process process(words, agent_.environment());
        const int code = process.wait().code;
        return {code, process.output(), process.errors()};
    }
    bool appears(const std::string& file) {
        return support::eventually([&] { return std::filesystem::exists(file); });
    }
    // The shot's file holds what the whole recording has in its window, and nothing else.
    void expect_exact(const store::Session& all, const std::string& file) {
        const auto shot = read(file);
        ASSERT_EQ(shot->shots().size(), 1u);
        const store::Shot& window = shot->shots()[0];
        for (const char* channel : {"t.value", "t.fire"}) {
            const Values inside = events_of(*shot, channel, 0, store::kNever);
            EXPECT_EQ(inside, events_of(all, channel, window.begin_tick, window.end_tick)) << channel;
        }
        EXPECT_FALSE(events_of(*shot, "t.fire", window.tick, window.tick).empty());
        EXPECT_EQ(shot->lost(), 0u);
        EXPECT_EQ(shot->damage_count(), 0u);
        EXPECT_TRUE(shot->ended());
    }

    AgentUnderTest agent_{SLA_BINARIES};
};

TEST_F(Triggers, AnExpressionFiresWithNoViewerAndKeepsExactlyItsWindow) {
    ASSERT_TRUE(agent_.start({"--trigger", "t.fire > 35", "--pre-time", "6ms", "--post-time", "4ms", "--shots", "1",
                              "--action", "snapshot=" + agent_.file("shot.sla")}))
        << agent_.process().errors();
    run_program("100", "500");
    ASSERT_TRUE(appears(agent_.file("shot-0001.sla"))) << agent_.process().errors();
    EXPECT_EQ(agent_.stop(), 0);
    const auto all = agent_.load();
    ASSERT_EQ(all->shots().size(), 1u);
    const store::Shot& shot = all->shots()[0];
    const Values fired = events_of(*all, "t.fire", shot.tick, shot.tick);
    ASSERT_EQ(fired.size(), 1u);
    EXPECT_EQ(fired[0].second, 40u) << "the first number beyond 35";
    EXPECT_NEAR(static_cast<double>(all->clock().ticks_to_ps(static_cast<std::int64_t>(shot.tick - shot.begin_tick))), 6e9,
                6e6);
    EXPECT_NEAR(static_cast<double>(all->clock().ticks_to_ps(static_cast<std::int64_t>(shot.end_tick - shot.tick))), 4e9,
                4e6);
    expect_exact(*all, agent_.file("shot-0001.sla"));
    EXPECT_FALSE(std::filesystem::exists(agent_.file("shot-0002.sla")));
}

// Long after a shot, with a memory that holds far less than what came since, its window is there for who asks.
TEST_F(Triggers, AShotsWindowIsHeldWhateverComesAfterIt) {
    ASSERT_TRUE(agent_.start(
        {"--channel-memory", "4kB", "--trigger", "t.fire > 35", "--pre-time", "6ms", "--post-time", "4ms", "--shots", "1"}))
        << agent_.process().errors();
    run_program("4000", "100");
    const std::string late = agent_.file("late.sla");
    ASSERT_EQ(sla({"snapshot", "-o", late}).code, 0);
    const Said list = sla({"trigger", "list", "--format", "csv"});
    EXPECT_THAT(list.out, HasSubstr("problem,shots_lacking,options\n"));
    EXPECT_EQ(agent_.stop(), 0);
    const auto all = agent_.load();
    const auto held = read(late);
    ASSERT_EQ(held->shots().size(), 1u);
    const store::Shot& shot = held->shots()[0];
    for (const char* channel : {"t.value", "t.fire"}) {
        const Values inside = events_of(*all, channel, shot.begin_tick, shot.end_tick);
        EXPECT_FALSE(inside.empty());  // a busy machine may give the program little of these ten milliseconds
        EXPECT_EQ(inside, events_of(*held, channel, shot.begin_tick, shot.end_tick)) << channel;
    }
    EXPECT_EQ(analysis::state_of(*held, shot).text(), "whole");
    EXPECT_GT(held->lane_named("t.value")->not_kept(), 1000u) << "what is not of the shot went";
    EXPECT_EQ(held->lost(), 0u);
}

TEST_F(Triggers, AShotThatTheMemoryCannotHoldSaysSo) {
    ASSERT_TRUE(agent_.start({"--channel-memory", "4kB", "--shot-memory", "300", "--trigger", "t.fire > 35", "--pre-time",
                              "6ms", "--post-time", "4ms", "--shots", "1"}))
        << agent_.process().errors();
    run_program("4000", "100");
    const std::string late = agent_.file("late.sla");
    ASSERT_EQ(sla({"snapshot", "-o", late}).code, 0);
    const Said list = sla({"trigger", "list", "--format", "json"});
    EXPECT_THAT(list.out, testing::ContainsRegex("\"shots_lacking\": ?1"));
    EXPECT_EQ(agent_.stop(), 0);
    const auto held = read(late);
    EXPECT_THAT(analysis::state_of(*held, held->shots().at(0)).text(), HasSubstr("not kept"));
}

TEST_F(Triggers, ItArmsAgainAndKeepsTheLastFiles) {
    ASSERT_TRUE(agent_.start({"--trigger", "t.fire", "--pre", "20%", "--window", "1ms", "--shots", "6", "--keep-shots", "3",
                              "--action", "snapshot=" + agent_.file("s")}));
    run_program("200", "500");
    ASSERT_TRUE(appears(agent_.file("s-0006.sla"))) << agent_.process().errors();
    ASSERT_TRUE(support::eventually([&] { return !std::filesystem::exists(agent_.file("s-0003.sla")); }));
    EXPECT_EQ(agent_.stop(), 0);
    const auto all = agent_.load();
    ASSERT_EQ(all->shots().size(), 6u);
    for (std::size_t i = 1; i < 6; ++i) EXPECT_GT(all->shots()[i].begin_tick, all->shots()[i - 1].end_tick);
    for (const char* name : {"s-0004.sla", "s-0005.sla", "s-0006.sla"}) expect_exact(*all, agent_.file(name));
    ASSERT_EQ(sla({"merge", agent_.file("s-0004.sla"), agent_.file("s-0005.sla"), "-o", agent_.file("m.sla")}).code, 0);
    EXPECT_EQ(read(agent_.file("m.sla"))->events(),
              read(agent_.file("s-0004.sla"))->events() + read(agent_.file("s-0005.sla"))->events())
        << "rows of both are numbered from 0";
}

// An agent that is started again numbers its shots from 1.
TEST_F(Triggers, FilesOfEarlierShotsAreWrittenOverByNone) {
    std::filesystem::create_directories(agent_.file("kept"));
    std::ofstream(agent_.file("kept/s-0007.sla")) << "an earlier shot";
    std::ofstream(agent_.file("kept/s-0002.sla")) << "an earlier one";
    const std::string action = "snapshot=" + agent_.file("kept/s.sla");
    ASSERT_TRUE(agent_.start({"--trigger", "t.fire > 35", "--window", "1ms", "--shots", "1", "--action", action}));
    run_program("100", "500");
    ASSERT_TRUE(appears(agent_.file("kept/s-0008.sla"))) << agent_.process().errors();
    EXPECT_EQ(content(agent_.file("kept/s-0007.sla")), "an earlier shot");
    ASSERT_EQ(sla({"trigger", "set", "t.fire > 35", "--shots", "1", "--keep-shots", "2", "--action", action}).code, 0);
    run_program("100", "500");
    ASSERT_TRUE(appears(agent_.file("kept/s-0009.sla"))) << agent_.process().errors();
    ASSERT_TRUE(support::eventually([&] { return !std::filesystem::exists(agent_.file("kept/s-0007.sla")); }))
        << "the two newest are kept";
    EXPECT_FALSE(std::filesystem::exists(agent_.file("kept/s-0002.sla")));
    EXPECT_EQ(agent_.stop(), 0);
    EXPECT_EQ(read(agent_.file("kept/s-0008.sla"))->shots().size(), 1u);
}

TEST_F(Triggers, ASilenceFiresWhileItLasts) {
    ASSERT_TRUE(agent_.start({"--trigger", "t.value > 15 then gap t.value > 40ms", "--window", "20ms", "--shots", "1"}));
    run_program("60", "200");
    EXPECT_EQ(agent_.stop(), 0);
    const auto all = agent_.load();
    ASSERT_EQ(all->shots().size(), 1u);
    const Values before = events_of(*all, "t.value", 0, all->shots()[0].tick);
    ASSERT_FALSE(before.empty());
    EXPECT_GE(before.back().second, 16u) << "20 on a machine that does not stand still in between";
    const auto silent = static_cast<std::int64_t>(all->shots()[0].tick - before.back().first);
    EXPECT_NEAR(static_cast<double>(all->clock().ticks_to_ps(silent)), 40e9, 40e6);
}

TEST_F(Triggers, ACommandGetsTheShotInItsEnvironment) {
    const std::string out = agent_.file("environment");
    ASSERT_TRUE(agent_.start({"--trigger", "t.fire", "--window", "2ms", "--shots", "1", "--action",
                              "snapshot=" + agent_.file("e.sla"), "--action",
                              "run=/bin/sh -c \"env > " + out + ".part && mv " + out + ".part " + out + "\""}));
    run_program("50", "500");
    ASSERT_TRUE(appears(out)) << agent_.process().errors();
    const std::string environment = content(out);
    EXPECT_THAT(environment, HasSubstr("SLA_TRIGGER=trigger-1\n"));
    EXPECT_THAT(environment, HasSubstr("SLA_SHOT=1\n"));
    EXPECT_THAT(environment, HasSubstr("SLA_SHOT_WHAT=t.fire\n"));
    EXPECT_THAT(environment, HasSubstr("SLA_SHOT_FILE=" + agent_.file("e-0001.sla") + "\n"));
    EXPECT_EQ(read(agent_.file("e-0001.sla"))->shots().size(), 1u) << "the file was whole when the command ran";
    EXPECT_EQ(agent_.stop(), 0);
    EXPECT_THAT(environment, HasSubstr("SLA_SHOT_TICK=" + std::to_string(agent_.load()->shots().at(0).tick) + "\n"));
}

TEST_F(Triggers, ABadExpressionIsRefusedWithItsColumn) {
    EXPECT_FALSE(agent_.start({"--trigger", "t.fire then gap x < 5ms"}));
    EXPECT_EQ(agent_.process().wait().code, kWrongUse);
    EXPECT_THAT(agent_.process().errors(), HasSubstr("column 19: expected '>' and a time"));
    ASSERT_TRUE(agent_.start());
    const Said said = sla({"trigger", "set", "t.fire rises falls"});
    EXPECT_EQ(said.code, kWrongUse);
    EXPECT_THAT(said.errors, HasSubstr("column 14: "));
    EXPECT_EQ(sla({"trigger", "arm", "nobody"}).code, kWrongUse);
    EXPECT_EQ(sla({"trigger", "list"}).code, 1) << "none is set";
}

TEST_F(Triggers, ATriggerSetLiveWaitsForAChannelThatComesLaterAndCanBeControlled) {
    ASSERT_TRUE(agent_.start());
    ASSERT_EQ(sla({"trigger", "set", "late.channel > 6", "--name", "late", "--window", "2ms", "--shots", "1"}).code, 0);
    const auto state = [&] { return sla({"trigger", "list", "--format", "csv"}).out; };
    EXPECT_TRUE(support::eventually([&] { return state().find("late,armed,0,") != std::string::npos; })) << state();
    ASSERT_EQ(sla({"mark", "late.channel", "5"}).code, 0);
    ASSERT_EQ(sla({"mark", "late.channel", "7"}).code, 0);
    EXPECT_TRUE(support::eventually([&] { return state().find("late,stopped,1,") != std::string::npos; })) << state();
    EXPECT_EQ(sla({"trigger", "arm", "late"}).code, 0);
    EXPECT_TRUE(support::eventually([&] { return state().find("late,armed,1,") != std::string::npos; })) << state();
    EXPECT_EQ(sla({"trigger", "fire"}).code, 0);
    EXPECT_TRUE(support::eventually([&] { return state().find("late,stopped,2,") != std::string::npos; })) << state();
    EXPECT_EQ(sla({"trigger", "remove", "late"}).code, 0);
    EXPECT_EQ(agent_.stop(), 0);
    EXPECT_EQ(agent_.load()->shots().size(), 2u);
}

TEST_F(Triggers, TheListSaysWhatSetsATriggerAgainAndSettingOneReportsDoubts) {
    ASSERT_TRUE(agent_.start());
    const Said set = sla({"trigger", "set", "no.such > 6", "--name", "slow", "--window", "1500us", "--pre", "25%", "--shots",
                          "2", "--action", "notify"});
    EXPECT_EQ(set.code, 0);
    EXPECT_THAT(set.errors, HasSubstr("no channel is called 'no.such' yet"));
    const Said list = sla({"trigger", "list", "--format", "json"});
    EXPECT_THAT(list.out, HasSubstr("--window 1500us --pre 25% --shots 2 --action notify"));
    ASSERT_EQ(sla({"mark", "no.such", "1"}).code, 0);
    EXPECT_EQ(sla({"trigger", "set", "no.such > 6", "--name", "slow"}).errors, "") << "now it is there";
    const std::string levels = agent_.file("wrong.trigger");
    std::ofstream(levels) << "level a\n  if x trigge\n";
    EXPECT_THAT(sla({"trigger", "set", "--trigger-file", levels}).errors, HasSubstr(levels + ": line 2"));
    EXPECT_EQ(agent_.stop(), 0);
}

TEST_F(Triggers, OfAnAgentThatIsStoppedByASignalEveryCommandSaysSo) {
    ASSERT_TRUE(agent_.start());
    agent_.process().signal(SIGSTOP);
    std::list<Process> commands;  // at the same time: each of them waits for the agent
    for (const std::vector<std::string>& words : {std::vector<std::string>{"trigger", "list"},
                                                  {"top", "--once"},
                                                  {"record", "-o", agent_.file("r.sla"), "--for", "9s"}}) {
        std::vector<std::string> command{SLA_BINARIES "/sla"};
        command.insert(command.end(), words.begin(), words.end());
        commands.emplace_back(command, agent_.environment());
    }
    for (Process& command : commands) {
        EXPECT_EQ(command.wait().code, 3);
        EXPECT_THAT(command.errors(), HasSubstr("says nothing"));
    }
    EXPECT_FALSE(std::filesystem::exists(agent_.file("r.sla")));
    agent_.process().signal(SIGCONT);
    EXPECT_EQ(agent_.stop(), 0);
}

TEST_F(Triggers, AViewerKilledHardDoesNotMatter) {
    ASSERT_TRUE(agent_.start(
        {"--trigger", "t.fire > 55", "--window", "2ms", "--shots", "1", "--action", "snapshot=" + agent_.file("k.sla")}));
    Process viewer({SLA_BINARIES "/sla", "record", "-o", agent_.file("viewer.sla")}, agent_.environment());
    ASSERT_TRUE(support::eventually([&] { return agent_.process().errors().find("joined") != std::string::npos; }));
    Process program({SLA_TEST_TRIGGER, "100", "1000"}, agent_.environment());
    ASSERT_TRUE(support::eventually([&] { return agent_.process().errors().find("attached") != std::string::npos; }));
    viewer.signal(SIGKILL);
    EXPECT_EQ(program.wait().code, 0);
    ASSERT_TRUE(appears(agent_.file("k-0001.sla"))) << agent_.process().errors();
    EXPECT_EQ(agent_.stop(), 0);
    expect_exact(*agent_.load(), agent_.file("k-0001.sla"));
}

TEST_F(Triggers, RecordKeepsAHundredShotsInOneFileAndNothingBetweenThem) {
    const std::string file = agent_.file("shots.sla");
    std::filesystem::create_directory(agent_.runtime());
    const Said said = sla({"record", "--trigger", "t.fire", "--pre", "30%", "--window", "2ms", "--shots", "100", "-o", file,
                           "--", SLA_TEST_TRIGGER, "1500", "500"});
    ASSERT_EQ(said.code, 0) << said.errors;
    const auto session = read(file);
    ASSERT_EQ(session->shots().size(), 100u) << said.errors;
    EXPECT_EQ(session->lost(), 0u);
    EXPECT_EQ(session->damage_count(), 0u);
    std::uint64_t in_windows = 0;
    for (const store::Shot& shot : session->shots()) {
        const Values fired = events_of(*session, "t.fire", shot.begin_tick, shot.end_tick);
        ASSERT_EQ(fired.size(), 1u);
        EXPECT_EQ(fired[0].first, shot.tick);
        const Values around = events_of(*session, "t.value", shot.begin_tick, shot.end_tick);
        for (std::size_t i = 1; i < around.size(); ++i)
            EXPECT_EQ(around[i].second, around[i - 1].second + 1) << "a hole in a window";
        in_windows += fired.size() + around.size();
    }
    EXPECT_EQ(in_windows, session->events()) << "what is between the windows is left out";
    EXPECT_GT(session->lane_named("t.value")->gaps().size(), 50u);
    for (const store::Gap& gap : session->lane_named("t.value")->gaps()) EXPECT_EQ(gap.cause, wire::LossCause::kLeftOut);
    const Said found = sla({"find", file, "t.fire", "--format", "csv"});
    EXPECT_EQ(found.code, 0);
    EXPECT_GE(std::count(found.out.begin(), found.out.end(), '\n'), 101);
}

// A name with a slip in it, and a trigger that waits for what does not come.
TEST_F(Triggers, ARecordingWithoutAShotSaysWhyThatMayBe) {
    const std::string file = agent_.file("shots.sla");
    std::filesystem::create_directory(agent_.runtime());
    const auto record = [&](const char* trigger) {
        const Said said = sla({"record", "--trigger", trigger, "-o", file, "--", SLA_TEST_TRIGGER, "20", "500"});
        EXPECT_EQ(said.code, 0) << said.errors;
        return said.errors;
    };
    const std::string slip = record("t.fier > 5");
    EXPECT_THAT(slip, HasSubstr("no trigger fired"));
    EXPECT_THAT(slip, HasSubstr("no channel is called 't.fier' (did you mean 't.fire'?)"));
    const std::string patient = record("t.fire > 1000000");
    EXPECT_THAT(patient, HasSubstr("no trigger fired"));
    EXPECT_THAT(patient, Not(HasSubstr("no channel is called")));
    EXPECT_THAT(patient, Not(HasSubstr("nothing was marked")));
}

TEST_F(Triggers, WhoMistypedAChannelIsToldWhileTheRecordingWaits) {
    ASSERT_TRUE(agent_.start());
    ASSERT_EQ(sla({"mark", "dma.start", "1"}).code, 0);
    support::Process record({SLA_BINARIES "/sla", "record", "--trigger", "dma.strat > 5", "-o", agent_.file("shots.sla")},
                            agent_.environment());
    EXPECT_TRUE(support::eventually([&] { return record.errors().find("waiting for it") != std::string::npos; }));
    EXPECT_THAT(record.errors(), HasSubstr("no channel is called 'dma.strat' yet (did you mean 'dma.start'?)"));
    EXPECT_THAT(agent_.process().errors(), HasSubstr("no channel is called 'dma.strat' yet (did you mean 'dma.start'?)"));
    EXPECT_THAT(sla({"trigger", "list"}).out, HasSubstr("(did you mean 'dma.start'?)"));
    ASSERT_EQ(sla({"mark", "dma.strat", "1"}).code, 0);
    EXPECT_TRUE(support::eventually([&] {
        return sla({"trigger", "list"}).out.find("no channel is called") == std::string::npos;
    }));
    record.signal(SIGINT);
    EXPECT_EQ(record.wait().code, 0) << record.errors();
}

// The name is near to one that comes later.
TEST_F(Triggers, WhoMistypedAChannelOfARecordedProgramIsToldWhileItRuns) {
    const std::string file = agent_.file("shots.sla");
    std::filesystem::create_directory(agent_.runtime());
    support::Process record({SLA_BINARIES "/sla", "record", "--trigger", "dma.strat > 5", "-o", file, "--", "/bin/sh", "-c",
                             SLA_BINARIES "/sla mark dma.start 1; exec sleep 60"},
                            agent_.environment());
    EXPECT_TRUE(support::eventually([&] {
        return record.errors().find("(did you mean 'dma.start'?); waiting for it") != std::string::npos;
    })) << record.errors();
    record.signal(SIGINT);
    record.wait();
}

TEST_F(Triggers, FindListsEveryHitOfARecordingWithTheTimeBetweenThem) {
    ASSERT_TRUE(agent_.start());
    run_program("50", "300");
    EXPECT_EQ(agent_.stop(), 0);
    const Said hits = sla({"find", agent_.capture(), "t.fire > 5", "--format", "csv"});
    EXPECT_EQ(hits.code, 0) << hits.errors;
    EXPECT_EQ(std::count(hits.out.begin(), hits.out.end(), '\n'), 5) << hits.out << "a header, 10, 20, 30 and 40";
    EXPECT_THAT(hits.out, HasSubstr("hit,tick,time_ns,delta_hit_ns,error_ns,answer,what\n"));
    EXPECT_EQ(sla({"find", agent_.capture(), "gap t.value > 50ms"}).code, 0);
    EXPECT_EQ(sla({"find", agent_.capture(), "t.value > 1000000"}).code, 1) << "nowhere";
    EXPECT_EQ(sla({"find", agent_.capture(), "t.value >"}).code, kWrongUse);
}

TEST_F(Triggers, OptionsInTheListCanBeTypedIntoAShell) {
    ASSERT_TRUE(agent_.start());
    const std::string action = "run=/bin/sh -c 'echo \"hi\"; true'";
    ASSERT_EQ(sla({"trigger", "set", "x > 5", "--name", "q", "--action", action}).code, 0);
    const std::string list = sla({"trigger", "list", "--format", "tsv"}).out;
    std::string options = list.substr(list.rfind('\t') + 1, list.size() - list.rfind('\t') - 2);
    for (std::size_t at = 0; (at = options.find("\\\\", at)) != std::string::npos; ++at) options.erase(at, 1);  // tsv's own
    Process again({"/bin/sh", "-c", SLA_BINARIES "/sla trigger set 'x > 5' --name q " + options}, agent_.environment());
    EXPECT_EQ(again.wait().code, 0) << options << "\n" << again.errors();
    EXPECT_EQ(sla({"trigger", "list", agent_.address(), "--format", "tsv"}).out, list);
    EXPECT_EQ(sla({"trigger", "set", "x > 5", "--shots", "-1"}).code, kWrongUse);
    EXPECT_EQ(agent_.stop(), 0);
}

TEST_F(Triggers, ARecordingOfAnAgentThatFallsSilentSaysSoAndIsNotWhole) {
    ASSERT_TRUE(agent_.start());
    Process program({SLA_TEST_TRIGGER, "20000", "500"}, agent_.environment());
    Process recorder({SLA_BINARIES "/sla", "record", "-o", agent_.file("r.sla"), "--for", "6s"}, agent_.environment());
    const auto is_recording = [&] {
        std::error_code none_yet;
        const auto bytes = std::filesystem::file_size(agent_.file("r.sla"), none_yet);
        return !none_yet && bytes > 0;
    };
    ASSERT_TRUE(support::eventually(is_recording)) << recorder.errors();
    agent_.process().signal(SIGSTOP);
    EXPECT_EQ(recorder.wait().code, 3);
    EXPECT_THAT(recorder.errors(), HasSubstr("has said nothing for"));
    agent_.process().signal(SIGCONT);
    EXPECT_EQ(sla({"check", agent_.file("r.sla"), "--limit", "lost == 0"}).code, 1);
    program.signal(SIGTERM);
    program.wait();
    EXPECT_EQ(agent_.stop(), 0);
}

TEST_F(Triggers, ShotsOfAnAgentThatIsKilledAreThereAndTheirFileIsNotWhole) {
    ASSERT_TRUE(agent_.start());
    Process recorder({SLA_BINARIES "/sla", "record", "--trigger", "t.fire", "--window", "1ms", "-o", agent_.file("s.sla")},
                     agent_.environment());
    const auto is_set = [&] { return sla({"trigger", "list", "--format", "csv"}).out.find("record-") != std::string::npos; };
    ASSERT_TRUE(support::eventually(is_set)) << recorder.errors();
    run_program("50", "300");
    std::this_thread::sleep_for(std::chrono::milliseconds(1500));  // a Status carries the last shot
    agent_.kill_hard();
    EXPECT_EQ(recorder.wait().code, 3);
    EXPECT_THAT(recorder.errors(), HasSubstr("the agent is gone or was killed"));
    EXPECT_EQ(read(agent_.file("s.sla"))->shots().size(), 5u);
    EXPECT_EQ(sla({"verify", agent_.file("s.sla")}).code, 1);
}

}  // namespace
}  // namespace sla
