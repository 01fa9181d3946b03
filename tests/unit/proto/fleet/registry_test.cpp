#include "proto/fleet/registry.h"

#include <gtest/gtest.h>

namespace sla::fleet {
namespace {

RunEntry some_run() {
    RunEntry run;
    run.host = "web-1";
    run.capture = "20261124T164501-9f3a";
    run.boot = "5c1f0a";
    run.shard = 3;
    run.agent = "sla-agent 0.1.0";
    run.pid = 4711;
    run.started_ns = 1'795'000'000'000'000'000;
    run.seen_ns = run.started_ns + 1;
    run.ticks_per_second = 2.9e9;
    run.clock = {~std::uint64_t{0}, -5, run.started_ns, 40};
    run.clock_health = "\"good\" ± 3";
    run.produced = 100;
    run.published = 60;
    run.dropped = 30;
    run.lost_at_end = 10;
    run.left = 10;
    run.pieces = 2;
    run.spool_bytes = 4096;
    run.spool_limit = 1 << 20;
    run.problem = "a line\nand another";
    return run;
}

TEST(FleetRegistry, AnEntrySurvivesBeingWrittenAndRead) {
    const Result<RunEntry> read = parse_run(some_run().json());
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(*read, some_run());
}

TEST(FleetRegistry, WhatANewerAgentSaysBesideIsPassedBy) {
    const Result<RunEntry> read = parse_run(R"({"host":"a","capture":"c","boot":"b","weather":{"sun":true}})");
    ASSERT_TRUE(read);
    EXPECT_EQ(read->host, "a");
}

TEST(FleetRegistry, WhatIsNoEntryIsRefused) {
    for (const char* text :
         {"", "[]", "{", "nonsense", R"({"host":"a b","capture":"c","boot":"b"})",
          R"({"host":"a","capture":"c","boot":"b","pid":-1})", R"({"host":"a","capture":"c","boot":"b","pid":5000000000})",
          R"({"host":"a","capture":"c","boot":"b","seen_ns":18446744073709551615})",
          R"({"host":"a","capture":"c","boot":"b","shard":4000})", R"({"host":7,"capture":"c","boot":"b"})",
          R"({"host":"a","capture":"c","boot":"b","clock":{"tick":"now"}})"}) {
        EXPECT_FALSE(parse_run(text)) << text;
    }
    EXPECT_FALSE(parse_run(std::string(100'000, '[')));
}

TEST(FleetRegistry, ATextThatIsTooLongIsCutAtACharacterAndTheEntryIsRead) {
    RunEntry run = some_run();
    run.problem = std::string(1023, 'x') + "\u00e4";
    const Result<RunEntry> read = parse_run(run.json());
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(read->problem, std::string(1023, 'x'));
    const std::string longer = R"({"host":"a","capture":"c","boot":"b","problem":")" + std::string(5000, 'x') + "\"}";
    const Result<RunEntry> cut = parse_run(longer);
    ASSERT_TRUE(cut) << "of an agent that does not cut it";
    EXPECT_EQ(cut->problem, std::string(1024, 'x'));
    EXPECT_FALSE(parse_run(R"({"capture":"c","boot":"b","host":")" + std::string(5000, 'x') + "\"}")) << "a name is not cut";
}

TEST(FleetRegistry, TextThatIsNotUtf8DoesNotStopAnEntry) {
    RunEntry run = some_run();
    run.problem = "\xff";
    EXPECT_TRUE(parse_run(run.json()));
}

TEST(FleetRegistry, WhatAHostKeptOfAShotSurvivesBeingWrittenAndRead) {
    ShotEntry entry{"20261124T164501-9f3a",
                    "a",
                    "c",
                    "b",
                    "slow",
                    3,
                    "value > 5",
                    1000,
                    50'000,
                    false,
                    "both wall clocks",
                    900,
                    1200,
                    7,
                    "lacking",
                    "it began later"};
    const Result<ShotEntry> read = parse_shot_entry(entry.json());
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(*read, entry);
    entry.begin_tick = 1001;
    EXPECT_FALSE(parse_shot_entry(entry.json())) << "a window that does not hold its instant";
    EXPECT_FALSE(parse_shot_entry("{}"));
    EXPECT_FALSE(parse_shot_entry(R"({"shot":"s","host":"a","capture":"c","fired_on":"b","error_ns":-1})"));
    EXPECT_FALSE(parse_shot_entry(R"({"shot":"s","host":"a","capture":"c","fired_on":"b","bounded":"yes"})"));
}

TEST(FleetRegistry, SettingsSurviveBeingWrittenAndRead) {
    const FleetSettings settings{7, 1, 3'600'000'000'000, 1 << 30};
    EXPECT_EQ(*parse_settings(settings.json()), settings);
    EXPECT_FALSE(parse_settings("{\"shards\":0}"));
    EXPECT_FALSE(parse_settings("{\"shards\":\"many\"}"));
    EXPECT_FALSE(parse_settings("7"));
}

}  // namespace
}  // namespace sla::fleet
