// What the agent keeps, for how long, and getting it out: --keep, snapshots, the configuration file.
#include "tests/integration/control/control_fixture.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace sla {
namespace {

class History : public ControlFixture {
protected:
    double seconds_between(const store::Session& session, std::uint64_t from, std::uint64_t to) {
        return static_cast<double>(to - from) / session.clock().ticks_per_second();
    }
};

TEST_F(History, ASnapshotHoldsWhatIsHeldAndTheRecordingGoesOnUndisturbed) {
    ASSERT_TRUE(agent_.start());
    auto marked = program();
    pause(400);
    std::string file = agent_.file("snap.sla");
    ASSERT_EQ(sla({"snapshot", "-o", file}), 0) << said_;
    pause(100);
    std::uint64_t rounds = end(*marked);
    ASSERT_EQ(agent_.stop(), 0);
    auto snapshot = load(file);
    const store::Lane* lane = snapshot->lane_named("ctl.counter");
    ASSERT_NE(lane, nullptr);
    ASSERT_GT(lane->size(), 100u);
    EXPECT_LT(lane->size(), rounds);
    for (std::uint64_t i = 0; i < lane->size(); i++) ASSERT_EQ((*lane)[i].value, i);
    EXPECT_TRUE(snapshot->ended());
    EXPECT_EQ(agent_.load()->lane_named("ctl.counter")->events(), rounds);
}

TEST_F(History, ASnapshotOfTheLastMomentOfSomeChannelsHoldsNoMore) {
    ASSERT_TRUE(agent_.start());
    auto marked = program();
    pause(1500);
    std::string file = agent_.file("snap.sla");
    ASSERT_EQ(sla({"snapshot", "-o", file, "--last", "300ms", "--channel", "ctl.c*"}), 0) << said_;
    end(*marked);
    agent_.stop();
    auto snapshot = load(file);
    const store::Lane* lane = snapshot->lane_named("ctl.counter");
    ASSERT_GT(lane->size(), 10u);
    EXPECT_LT(seconds_between(*snapshot, lane->first_tick(), lane->last_tick()), 1.0);
    EXPECT_EQ(lane->lost(), 0u) << "what was not asked for is no loss";
    EXPECT_TRUE(!snapshot->lane_named("ctl.value") || snapshot->lane_named("ctl.value")->empty());
}

TEST_F(History, OfAPartOfWhatIsHeldNoMoreIsReadThanThatPart) {
    ASSERT_TRUE(agent_.start());
    Process burst({SLA_CONTROL_PROGRAM, "150000"}, agent_.environment());
    ASSERT_EQ(burst.wait().code, 0);
    ASSERT_EQ(sla({"channels", agent_.address(), "--channel", "ctl.counter", "--format", "csv"}), 0) << said_;
    std::istringstream table(output_);
    std::string field;
    std::vector<std::string> fields;
    std::getline(table, field);
    while (std::getline(table, field, ',')) fields.push_back(field);
    ASSERT_GE(fields.size(), 8u) << output_;
    const double middle = (std::stod(fields[6]) + std::stod(fields[7])) / 2;  // first_ns, last_ns
    const auto ns = [](double time) { return std::to_string(static_cast<long long>(time)) + "ns"; };
    const auto read_of = [&](std::vector<std::string> range) {
        std::vector<std::string> words = {"table", "-v", agent_.address(), "--format", "csv"};
        words.insert(words.end(), range.begin(), range.end());
        EXPECT_EQ(sla(words), 0) << said_;
        const std::size_t end = said_.find(" events on ");
        return end == std::string::npos ? 0 : std::stoull(said_.substr(said_.rfind(' ', end - 1) + 1));
    };
    const unsigned long long all = read_of({});
    ASSERT_GT(all, 300'000u);
    const unsigned long long part = read_of({"--from", ns(middle), "--to", ns(middle + 20'000'000)});
    EXPECT_GT(std::count(output_.begin(), output_.end(), '\n'), 1) << "the part is there";
    EXPECT_LT(part * 2, all);
    EXPECT_GT(part, 0u);
    EXPECT_EQ(agent_.stop(), 0);
}

TEST_F(History, ASnapshotThatCannotBeWrittenLeavesNothingBehind) {
    ASSERT_TRUE(agent_.start());
    EXPECT_EQ(sla({"snapshot", "-o", agent_.file("no/such/place.sla")}), 3);
    EXPECT_EQ(sla({"snapshot", "-o", "-"}), 2);
    EXPECT_EQ(sla({"snapshot", "-o", agent_.file("x.sla"), "--last", "soon"}), 2);
    EXPECT_EQ(sla({"snapshot", "-o", agent_.file("x.sla"), "--address", "unix:/no/such/agent.sock"}), 3);
    for (const auto& left : std::filesystem::directory_iterator(std::filesystem::path(agent_.file("x.sla")).parent_path()))
        EXPECT_FALSE(left.path().filename().string().starts_with("x.sla")) << left.path();
    agent_.stop();
}

TEST_F(History, KeepingSomeTimeKeepsThatAndCountsTheRest) {
    ASSERT_TRUE(agent_.start({"--keep", "300ms"}));
    auto marked = program();
    pause(2000);
    std::string file = agent_.file("snap.sla");
    ASSERT_EQ(sla({"snapshot", "-o", file}), 0) << said_;
    ASSERT_EQ(sla({"set", "ctl.counter", "--keep", "always"}), 0);
    pause(1200);
    std::string longer = agent_.file("longer.sla");
    ASSERT_EQ(sla({"snapshot", "-o", longer}), 0) << said_;
    end(*marked);
    agent_.stop();
    auto snapshot = load(file);
    const store::Lane* lane = snapshot->lane_named("ctl.counter");
    EXPECT_GT(lane->not_kept(), 1000u);
    EXPECT_EQ(lane->lost(), 0u) << "what was given up before it was asked for is no loss of the snapshot";
    EXPECT_EQ((*lane)[lane->size() - 1].value + 1, lane->events() + lane->not_kept()) << "kept and dropped make all";
    std::uint64_t oldest = (*lane)[1].tick;  // behind the gap
    EXPECT_LT(seconds_between(*snapshot, oldest, lane->last_tick()), 1.5);
    auto later = load(longer);
    EXPECT_GT(
        seconds_between(*later, (*later->lane_named("ctl.counter"))[1].tick, later->lane_named("ctl.counter")->last_tick()),
        1.2)
        << "a limit lifted while it runs";
}

// An agent of little memory, asked late: its recorder, there from the start, knows what the truth is.
TEST_F(History, WhatALateReaderDoesNotGetIsReportedWithItsIntervalAndIsNoLoss) {
    ASSERT_TRUE(agent_.start({"--channel-memory", "20kB"}));
    auto marked = program();
    ASSERT_TRUE(support::eventually([&] {
        sla({"top", "--once", "--format", "csv"});
        return output_.find("ctl.counter") != std::string::npos;
    }));
    pause(1500);
    const std::string late = agent_.file("late.sla");
    ASSERT_EQ(sla({"snapshot", "-o", late}), 0) << said_;
    EXPECT_NE(said_.find(", 0 lost, "), std::string::npos) << said_;
    EXPECT_NE(said_.find("not kept: no loss of this recording"), std::string::npos) << said_;
    ASSERT_EQ(sla({"channels", agent_.address(), "--format", "csv", "--channel", "ctl.counter"}), 0) << said_;
    EXPECT_NE(output_.find(",losses,not_kept\n"), std::string::npos) << output_;
    EXPECT_EQ(output_.find("lagged"), std::string::npos) << output_;
    ASSERT_EQ(sla({"check", late, "--limit", "lost == 0"}), 0) << output_ << said_;
    end(*marked);
    ASSERT_EQ(agent_.stop(), 0);
    const auto all = agent_.load();
    const auto snapshot = load(late);
    ASSERT_EQ(all->lost() + all->not_kept(), 0u) << "the recorder was there all the time";
    EXPECT_EQ(snapshot->lost(), 0u);
    EXPECT_EQ(snapshot->damage_count(), 0u);
    EXPECT_EQ(snapshot->end_reason(), "up to now, as asked");
    for (const char* name : {"ctl.counter", "ctl.span", "ctl.text", "ctl.wide"}) {
        const store::Lane& whole = *all->lane_named(name);
        const store::Lane& held = *snapshot->lane_named(name);
        ASSERT_EQ(held.gaps().size(), 1u) << name;
        const store::Gap& gap = held.gaps()[0];
        EXPECT_EQ(gap.cause, wire::LossCause::kNotKept) << name;
        EXPECT_EQ(gap.tick, whole.first_tick()) << name << ": the first event of all";
        ASSERT_LT(gap.lost, whole.size()) << name;
        EXPECT_EQ(gap.until_tick, whole.tick(gap.lost - 1)) << name << ": the last one that went";
        EXPECT_EQ(held.tick(1), whole.tick(gap.lost)) << name << ": the first one that was held";
    }
    const store::Ledger ledger = this->ledger(*snapshot, "ctl.counter");
    EXPECT_GT(ledger.not_kept, 0u);
    EXPECT_EQ(ledger.lost(), 0u);
}

TEST_F(History, WhenTheMemoryIsTooSmallForTheTimeItIsSaid) {
    ASSERT_TRUE(agent_.start({"--keep", "1h", "--channel-memory", "20kB"}));
    auto marked = program();
    ASSERT_TRUE(support::eventually([&] {
        return agent_.process().errors().find("cannot be kept for 3600 s") != std::string::npos;
    })) << agent_.process().errors();
    ASSERT_EQ(sla({"top", "--once", "--format", "csv"}), 0);
    EXPECT_NE(output_.find("memory full"), std::string::npos) << output_;
    sla({"doctor", "--format", "csv"});
    EXPECT_NE(output_.find("history in the agent"), std::string::npos) << output_;
    EXPECT_NE(output_.find("less time than asked"), std::string::npos) << output_;
    end(*marked);
    agent_.stop();
}

TEST_F(History, AConfigurationFileIsReadAndTheCommandLineWins) {
    std::ofstream(agent_.file("agent.json"))
        << R"({"keep": "7s", "channels": [{"match": "ctl.text", "enabled": false}, {"match": "ctl.*", "every": 2}]})";
    ASSERT_TRUE(agent_.start({"--config", agent_.file("agent.json"), "--channel", "ctl.wide: off"}));
    auto marked = program();
    pause(500);
    std::uint64_t rounds = end(*marked);
    ASSERT_EQ(agent_.stop(), 0) << agent_.process().errors();
    auto session = agent_.load();
    EXPECT_TRUE(ledger(*session, "ctl.text").off);
    EXPECT_TRUE(ledger(*session, "ctl.wide").off);
    EXPECT_EQ(ledger(*session, "ctl.counter").filter, "every 2");
    EXPECT_EQ(ledger(*session, "ctl.counter").keep_ns, 7'000'000'000u);
    store::Ledger counter = ledger(*session, "ctl.counter");
    EXPECT_EQ(counter.events + counter.filtered, rounds);
    EXPECT_GT(counter.filtered, 100u);
}

TEST_F(History, ABadConfigurationIsRefusedWithItsPlace) {
    std::ofstream(agent_.file("agent.json")) << "{\n  \"keep\": \"soon\"\n}";
    EXPECT_FALSE(agent_.start({"--config", agent_.file("agent.json")}));
    EXPECT_EQ(agent_.process().wait().code, 2);
    EXPECT_NE(agent_.process().errors().find("agent.json: keep: 'soon'"), std::string::npos) << agent_.process().errors();
    std::ofstream(agent_.file("agent.json")) << "{\n  \"keep\": \"3s\"\n  \"listen\": []}";
    EXPECT_FALSE(agent_.start({"--config", agent_.file("agent.json")}));
    EXPECT_NE(agent_.process().errors().find("agent.json:3:"), std::string::npos) << agent_.process().errors();
}

}  // namespace
}  // namespace sla
