// Tables as people read them.
#include "tests/support/capture_builder.h"
#include "tests/unit/viewer/cli/run_sla.h"
#include "viewer/cli/text/channel_counts.h"
#include "viewer/cli/text/top_table.h"
#include "viewer/store/session.h"

#include <algorithm>
#include <sstream>

namespace sla::cli {
namespace {

class People : public WithDirectory {
protected:
    People() {
        const auto rx = capture_.channel("net.rx");
        const auto work = capture_.channel("a.very.long.name.of.a.channel.that.nobody.would.type.but.somebody.does.work");
        for (std::uint64_t i = 0; i < 20; ++i) {
            const std::uint64_t at = 5'000'000'000 + i * 1'000'000;
            capture_.tick(rx, at, static_cast<std::int64_t>(i));
            capture_.begin(work, at + 1000);
            capture_.end(work, at + 251'000);
        }
        capture_.gap(rx, 5'030'000'000, 7);
        capture_.write(file("c.sla"));
    }
    [[nodiscard]] std::string text_of(const std::string& command) const {
        const Outcome outcome = run_sla({command, file("c.sla"), "--format", "text"});
        EXPECT_EQ(outcome.code, kDone) << outcome.errors;
        return outcome.out;
    }
    static std::vector<std::string> lines_of(const std::string& text) {
        std::istringstream in(text);
        std::vector<std::string> lines;
        for (std::string line; std::getline(in, line);) lines.push_back(line);
        return lines;
    }
    support::CaptureBuilder capture_{0};
};

// A column of numbers cannot say it.
TEST_F(People, LossesThatNobodyCountedAreNamedBesideTheStatistics) {
    capture_.gap(capture_.channel("bare"), 5'040'000'000, 0, wire::LossCause::kNoAgent);
    capture_.write(file("u.sla"));
    const std::string words = "an unknown number of events was lost of bare; the column lost does not count them";
    for (const auto& command : std::vector<std::vector<std::string>>{
             {"stats", file("u.sla")}, {"stats", file("u.sla"), "--values"}, {"compare", file("c.sla"), file("u.sla")}}) {
        EXPECT_NE(run_sla(command).errors.find("u.sla' " + words), std::string::npos)
            << command[0] << run_sla(command).errors;
    }
    EXPECT_EQ(run_sla({"stats", file("u.sla"), "--channel", "net.*"}).errors.find("unknown number"), std::string::npos);
    EXPECT_EQ(run_sla({"stats", file("c.sla")}).errors.find("unknown number"), std::string::npos);
}

TEST(TopTable, ProgramsOfOneNameAreToldApartByTheirNumbers) {
    support::CaptureBuilder capture;
    for (const std::uint32_t pid : {71u, 72u})
        capture.tick(capture.channel("rx", capture.source("worker", support::BuilderSource::kProgram, pid)), 2'000);
    capture.tick(capture.channel("tx"), 2'000);
    store::Session session;
    capture.fill(session);
    const Sample now = sample_of(session);
    const std::string table = people_top_table(session, now, now, 0).text();
    for (const char* name : {"worker/71", "worker/72", "program "}) EXPECT_NE(table.find(name), std::string::npos) << table;
}

// Of a fleet's channel: what was there, then what comes, as `sla top` reports it.
TEST(ChannelCounts, TellTheCausesOfLossesApartInRowsThatWereThereAndInThoseThatCome) {
    support::CaptureBuilder capture(0);
    const auto rx = capture.channel("net.rx");
    capture.tick(rx, 1000, 1);
    capture.gap(rx, 2000, 7, wire::LossCause::kOverrun);
    capture.gap(rx, 3000, 5, wire::LossCause::kNotKept);
    store::Session session;
    capture.fill(session);
    ChannelCounts counts = ChannelCounts::of(*session.lane_named("net.rx"));
    EXPECT_EQ(counts.losses_text(), "7 overrun");
    EXPECT_EQ(counts.not_kept(), 5u);
    wire::EventBatch batch;
    const auto add_gap = [&](std::uint64_t lost, wire::LossCause cause) {
        batch.add(4000, SLA_CODE_GAP, lost, 0);
        batch.attach({"", {}, cause, 0});
    };
    batch.add(4000, SLA_CODE_TICK, 0, 0);
    add_gap(2, wire::LossCause::kLagged);
    add_gap(1, wire::LossCause::kNone);
    add_gap(4, wire::LossCause::kNotKept);
    add_gap(3, wire::LossCause::kDamaged);
    counts.add(batch);
    EXPECT_EQ(counts.events(), 2u);
    EXPECT_EQ(counts.lost(), 13u);
    EXPECT_EQ(counts.not_kept(), 9u);
    EXPECT_EQ(counts.losses_text(), "1 of unknown cause, 7 overrun, 2 lagged, 3 damaged");
}

TEST_F(People, NoLineIsWiderThan120CharactersAndNoColumnIsInNanoseconds) {
    for (const char* command : {"channels", "stats", "table"}) {
        const std::string text = text_of(command);
        for (const std::string& line : lines_of(text)) {
            const auto characters = std::count_if(line.begin(), line.end(), [](char c) { return (c & 0xc0) != 0x80; });
            EXPECT_LE(characters, 120) << command << ": " << line;
        }
        EXPECT_EQ(text.find("_ns"), std::string::npos) << command;
        EXPECT_NE(text.find("\u2026"), std::string::npos) << command << " has a long name in it";
    }
}

TEST_F(People, StatisticsOfValuesHaveNoUnits) {
    const Outcome outcome = run_sla({"stats", "--values", file("c.sla"), "--format", "text"});
    EXPECT_EQ(outcome.code, kDone) << outcome.errors;
    const auto lines = lines_of(outcome.out);
    ASSERT_EQ(lines.size(), 2u);
    EXPECT_TRUE(lines[1].starts_with("net.rx ")) << lines[1];
    EXPECT_NE(lines[1].find("  9.5  "), std::string::npos) << "the mean: " << lines[1];
    EXPECT_TRUE(lines[1].ends_with("  19")) << "the greatest: " << lines[1];
}

TEST_F(People, WidthsOfSpansComeFirstAndNoRowMixesThemWithPauses) {
    const auto lines = lines_of(text_of("stats"));
    ASSERT_EQ(lines.size(), 3u);
    EXPECT_NE(lines[1].find("span width"), std::string::npos) << lines[1];
    EXPECT_NE(lines[1].find("250 \u00b5s"), std::string::npos) << lines[1];
    EXPECT_NE(lines[2].find("net.rx"), std::string::npos) << lines[2];
    EXPECT_NE(lines[2].find("event to event"), std::string::npos) << lines[2];
    EXPECT_NE(lines[2].find("1 ms"), std::string::npos) << lines[2];
}

TEST_F(People, OfChannelsOfOneNameStatisticsSayWhoseTheyAre) {
    support::CaptureBuilder capture(0);
    const auto again = capture.source("program", support::BuilderSource::kProgram, 4300);
    const auto other = capture.source("other");
    for (const std::uint32_t source : {std::uint32_t{1}, again, other}) {
        const auto rx = capture.channel("net.rx", source);
        for (std::uint64_t at = 1; at <= 3; ++at) capture.tick(rx, at * 1000 * source);
    }
    capture.write(file("c.sla"));
    const auto lines = lines_of(text_of("stats"));
    ASSERT_EQ(lines.size(), 4u);
    EXPECT_NE(lines[0].find("source"), std::string::npos) << lines[0];
    EXPECT_NE(lines[1].find("  program/4242  "), std::string::npos) << lines[1];
    EXPECT_NE(lines[2].find("  program/4300  "), std::string::npos) << lines[2];
    EXPECT_NE(lines[3].find("  other  "), std::string::npos) << lines[3];
    const Outcome csv = run_sla({"stats", file("c.sla"), "--format", "csv"});
    EXPECT_NE(csv.out.find(",other\n"), std::string::npos) << csv.out;
}

TEST_F(People, TheRateIsThatOfTheTimeInWhichAChannelLived) {
    const auto lines = lines_of(text_of("channels"));
    ASSERT_EQ(lines.size(), 3u);
    EXPECT_NE(lines[1].find("7 overrun"), std::string::npos) << lines[1];
    EXPECT_NE(lines[2].find("2.03 k/s"), std::string::npos) << "not of the five seconds before it: " << lines[2];
    EXPECT_NE(lines[2].find("5 s"), std::string::npos) << lines[2];
}

TEST_F(People, WhatWasNotKeptStandsBesideTheLossesAndIsNone) {
    support::CaptureBuilder capture(0);
    const auto rx = capture.channel("net.rx");
    capture.gap(rx, 1000, 500, wire::LossCause::kNotKept, 2000);
    capture.tick(rx, 3000);
    capture.gap(rx, 4000, 7);
    capture.tick(rx, 5000);
    capture.write(file("c.sla"));
    EXPECT_NE(text_of("channels").find("7 overrun; 500 not kept"), std::string::npos) << text_of("channels");
}

TEST_F(People, ATableHasOneUnitForAllTimes) {
    const auto lines = lines_of(text_of("table"));
    EXPECT_NE(lines[0].find("time ms"), std::string::npos) << lines[0];
    EXPECT_NE(lines[1].find("5000.000000"), std::string::npos) << lines[1];
    EXPECT_NE(lines[2].find("5000.001000"), std::string::npos) << lines[2];
    EXPECT_NE(lines[3].find("250 \u00b5s"), std::string::npos) << lines[3];
    EXPECT_NE(lines.back().find("overrun"), std::string::npos) << lines.back();
}

TEST_F(People, RawGivesAllColumnsAndCsvStaysWhatItIs) {
    for (const char* command : {"channels", "stats", "table"}) {
        const Outcome raw = run_sla({command, file("c.sla"), "--raw"});
        EXPECT_EQ(raw.code, kDone);
        EXPECT_NE(raw.out.find("_ns"), std::string::npos) << command;
        EXPECT_EQ(raw.out.find("\u00b5s"), std::string::npos) << command;
        EXPECT_EQ(run_sla({command, file("c.sla"), "--raw", "--format", "csv"}).out, run_sla({command, file("c.sla")}).out);
    }
}

TEST_F(People, VerifyCountsFromTheFirstEvent) {
    EXPECT_NE(run_sla({"verify", file("c.sla")}).errors.find(" 30.000 ms,"), std::string::npos);
}

TEST(TopLines, SayWhatTheAgentsMemoryIsMadeOf) {
    store::Health health;
    health.agent_bytes = 120'000'000;
    health.retained_bytes = 60'000'000;
    health.retained_limit = 64'000'000;
    health.shot_limit = 67'000'000;
    health.ring_bytes = 15'000'000;
    health.memory = {30'000'000, 20'000'000, 4'000'000, 3'000'000, 2'000'000, 1'000'000};
    EXPECT_EQ(memory_lines(health),
              "memory 120.0 MB: history 60.0 of 64.0, shots 0.0 of 67.0, rings 15.0, all else 45.0\n"
              "history: batches 30.0, names 20.0, open batches 4.0, programs 3.0, readers 2.0, recorders 1.0 MB\n");
}

}  // namespace
}  // namespace sla::cli
