#include "agent/daemon/options/configuration.h"

#include "proto/wire/filter_text.h"

#include <gtest/gtest.h>

namespace sla::daemon {
namespace {

std::string error_of(const std::string& text) {
    Result<Options> options = parse_configuration(text, "agent.json");
    return options ? "" : options.error().message;
}

TEST(Configuration, EverythingThatCanBeSaidIsUnderstood) {
    Result<Options> options = parse_configuration(R"({
        // a comment
        "listen": ["tcp:127.0.0.1:4321"],
        "record": "f.sla", "rotate": "1MiB,10min", "keep_files": 3,
        "memory": "1GiB", "channel_memory": 4096, "keep": "30s",
        "channels": [{"match": "a", "keep": "10s", "bytes": "1MiB", "policy": "overwrite", "enabled": false,
                      "filter": "value > 100", "every": 10},
                     {"match": "*", "enabled": true}],
        "triggers": [{"name": "t", "expression": "a", "pre": "30%", "window": "20ms", "shots": 5, "keep_shots": 2,
                      "hold_off": "1s", "actions": ["notify", "stop"]}]
    })",
                                                  "agent.json");
    ASSERT_TRUE(options.ok()) << options.error().message;
    EXPECT_EQ(options->listen.at(0).text(), "tcp:127.0.0.1:4321");
    EXPECT_EQ(options->record, "f.sla");
    EXPECT_EQ(options->record_limits.file_bytes, 1u << 20);
    EXPECT_EQ(options->record_limits.file_time, std::chrono::minutes(10));
    EXPECT_EQ(options->record_limits.keep_files, 3u);
    EXPECT_EQ(options->limits.total_bytes, 1u << 30);
    EXPECT_EQ(options->limits.channel_bytes, 4096u);
    ASSERT_EQ(options->requests.size(), 4u);
    const wire::SetChannels& all = options->requests[0].request.set_channels();
    const wire::SetChannels& one = options->requests[1].request.set_channels();
    EXPECT_EQ(all.channels(0), "*") << "said first, so that the first of the list counts";
    EXPECT_EQ(one.channels(0), "a");
    EXPECT_EQ(one.keep_ns(), 10'000'000'000);
    EXPECT_EQ(one.keep_bytes(), 1u << 20);
    EXPECT_TRUE(one.overwrite());
    EXPECT_FALSE(one.enabled());
    EXPECT_EQ(wire::filter_text(one.filter()), "value > 100, every 10");
    EXPECT_EQ(options->requests[2].request.set_retention().keep_ns(), 30'000'000'000);
    const wire::SetTrigger& trigger = options->requests[3].request.set_trigger();
    EXPECT_EQ(options->requests[3].origin, "agent.json: triggers[0]");
    EXPECT_EQ(trigger.expression(), "a");
    EXPECT_DOUBLE_EQ(trigger.pre_share(), 0.3);
    EXPECT_EQ(trigger.window_ns(), 20'000'000);
    EXPECT_EQ(trigger.actions_size(), 2);
}

TEST(Configuration, RulesAndTriggersMayBeTextsAsOnTheCommandLine) {
    const Result<Options> options = parse_configuration(
        R"({"channels": ["debug.*: off", {"match": "a"}], "triggers": ["gap beat > 5ms"]})", "agent.json");
    ASSERT_TRUE(options.ok()) << options.error().message;
    ASSERT_EQ(options->requests.size(), 3u);
    EXPECT_EQ(options->requests[1].request.set_channels().channels(0), "debug.*");
    EXPECT_FALSE(options->requests[1].request.set_channels().enabled());
    EXPECT_EQ(options->requests[2].request.set_trigger().expression(), "gap beat > 5ms");
    EXPECT_EQ(options->requests[2].request.set_trigger().pre_share(), 0.5) << "as --trigger";
    for (const auto& [text, why] :
         {std::pair{R"({"channels": ["debug.*"]})", "channels[0]: "},
          std::pair{R"({"channels": [7]})", "with keys of bytes, enabled, every, filter, keep, match"},
          std::pair{R"({"triggers": [{"expression": "a", "window": "0ms"}]})", "is no time at all"}}) {
        const Result<Options> wrong = parse_configuration(text, "agent.json");
        ASSERT_FALSE(wrong.ok()) << text;
        EXPECT_NE(wrong.error().message.find(why), std::string::npos) << wrong.error().message;
    }
}

TEST(Configuration, TheLinuxHostIsAskedForAsOnTheCommandLine) {
    Result<Options> options = parse_configuration(
        R"({"linux": {"events": "irq,sched", "hooks": ["/bin/a:f"], "samples": ["time:1ms"], "buffer": "2MiB"}})",
        "agent.json");
    ASSERT_TRUE(options.ok()) << options.error().message;
    EXPECT_EQ(options->host.events, "irq,sched");
    EXPECT_EQ(options->host.uprobes, std::vector<std::string>{"/bin/a:f"});
    EXPECT_EQ(options->host.samples, std::vector<std::string>{"time:1ms"});
    EXPECT_EQ(options->host.buffer_bytes, 2u << 20);
    EXPECT_NE(error_of(R"({"linux": {"event": "irq"}})").find("no key 'event'"), std::string::npos);
    EXPECT_TRUE(error_of(R"({"linux": {"hooks": 5}})").starts_with("agent.json: linux.hooks: "));
}

TEST(Configuration, AnEmptyOneIsAsNone) {
    Result<Options> options = parse_configuration("{}", "agent.json");
    ASSERT_TRUE(options.ok());
    EXPECT_TRUE(options->requests.empty());
    EXPECT_EQ(options->limits.total_bytes, retain::Limits().total_bytes);
}

TEST(Configuration, ASyntaxErrorIsReportedWithItsLineAndColumn) {
    EXPECT_TRUE(error_of("{\n  \"keep\": \"30s\",\n  \"memory\" 5\n}").starts_with("agent.json:3:12: syntax error"))
        << error_of("{\n  \"keep\": \"30s\",\n  \"memory\" 5\n}");
    EXPECT_TRUE(error_of("").starts_with("agent.json:1:1: "));
}

TEST(Configuration, AWrongValueIsReportedWithThePathOfItsKey) {
    EXPECT_TRUE(error_of(R"({"channels": [{"match": "a"}, {"match": "b", "keep": "soon"}]})")
                    .starts_with("agent.json: channels[1].keep: 'soon' is not a duration"));
    EXPECT_TRUE(error_of(R"({"channels": [{"enabled": true}]})").starts_with("agent.json: channels[0]: 'match' is missing"));
    EXPECT_TRUE(error_of(R"({"channels": {}})").starts_with("agent.json: channels: a list"));
    EXPECT_TRUE(error_of(R"({"listen": ["nowhere"]})").starts_with("agent.json: listen[0]: 'nowhere' is not an address"));
    EXPECT_TRUE(error_of(R"({"keep_files": -1})").starts_with("agent.json: keep_files: a whole number"));
    EXPECT_TRUE(error_of(R"({"memory": [1]})").starts_with("agent.json: memory: "));
    EXPECT_EQ(error_of(R"({"memory": 1})"), "agent.json: memory: '1' keeps nothing: at least 256KiB");
    EXPECT_TRUE(error_of(R"({"triggers": [{"name": "t"}]})").starts_with("agent.json: triggers[0]: either"));
    EXPECT_TRUE(
        error_of(R"({"triggers": [{"expression": "a", "pre": "130%"}]})").starts_with("agent.json: triggers[0].pre: "));
    EXPECT_TRUE(error_of("[]").starts_with("agent.json: an object in braces is expected, with keys of access, "));
}

TEST(Configuration, AnUnknownKeyIsReportedWithThoseThereAre) {
    std::string error = error_of(R"({"chanels": []})");
    EXPECT_TRUE(error.starts_with("agent.json: there is no key 'chanels' here; ")) << error;
    EXPECT_TRUE(error_of(R"({"channels": [{"mach": "a"}]})").starts_with("agent.json: channels[0]: there is no key 'mach'"));
    EXPECT_NE(error.find("channels"), std::string::npos);
}

TEST(Configuration, AKeyThatStandsTwiceIsReportedWithItsPath) {
    EXPECT_EQ(error_of(R"({"keep": "1s", "memory": "1GiB", "keep": "2s"})"),
              "agent.json: keep: this key stands twice in one object");
    EXPECT_EQ(error_of(R"({"linux": {"hooks": ["a", "b"], "hooks": []}})"),
              "agent.json: linux.hooks: this key stands twice in one object");
    EXPECT_EQ(error_of(R"({"channels": ["a: off", {"match": "b", "keep": "1s", "match": "c"}]})"),
              "agent.json: channels[1].match: this key stands twice in one object");
    EXPECT_EQ(
        error_of(R"({"triggers": [{"expression": "a"}, {"expression": "a"}], "keep": "1s", "linux": {"events": "irq"}})"),
        "");
}

TEST(Configuration, OneNameForTwoTriggersIsReportedWithItsPath) {
    EXPECT_EQ(error_of(R"({"triggers": [{"name": "t", "expression": "a"}, "b", {"name": "t", "expression": "c"}]})"),
              "agent.json: triggers[2].name: this is the name of agent.json: triggers[0] already");
    EXPECT_EQ(error_of(R"({"triggers": [{"name": "t", "expression": "a"}, "a", "a", {"name": "u", "expression": "a"}]})"),
              "");
}

TEST(Configuration, ASettingThatAnEarlierRuleOfThePatternHasIsReportedWithItsPath) {
    EXPECT_EQ(error_of(R"({"channels": ["a: keep 1s", {"match": "b", "keep": "1s"}, {"match": "a", "keep": "2s"}]})"),
              "agent.json: channels[2]: an earlier rule has the setting 'keep' of 'a' already, and the first counts");
    EXPECT_EQ(error_of(R"({"channels": ["a: keep 1s", {"match": "a", "bytes": 4096}, "a*: keep 1s"]})"), "");
}

TEST(Configuration, ANumberIsNoNameOfAFile) {
    for (const char* key : {"record", "certificate", "key", "access", "spool_dir", "nats_creds", "host"}) {
        EXPECT_EQ(error_of("{\"" + std::string(key) + "\": 5}"),
                  "agent.json: " + std::string(key) + ": a text in quotes is expected");
    }
    EXPECT_EQ(error_of(R"({"triggers": [{"expression": "a", "actions": ["stop", 5]}]})"),
              "agent.json: triggers[0].actions[1]: a text in quotes is expected");
    EXPECT_EQ(error_of(R"({"linux": {"hooks": [5]}})"), "agent.json: linux.hooks[0]: a text in quotes is expected");
    EXPECT_EQ(error_of(R"({"spool": 4194304, "channels": [{"match": "a", "bytes": 4096}]})"), "") << "sizes may be numbers";
}

TEST(Configuration, TriggersAreReadAsOnTheCommandLineWithTheKeysPath) {
    EXPECT_TRUE(error_of(R"({"triggers": ["a >"]})").starts_with("agent.json: triggers[0]: "))
        << error_of(R"({"triggers": ["a >"]})");
    EXPECT_TRUE(error_of(R"({"triggers": [{"expression": "a >"}]})").starts_with("agent.json: triggers[0].expression: "));
    EXPECT_TRUE(error_of(R"({"triggers": [{"levels": "level"}]})").starts_with("agent.json: triggers[0].levels: "));
    EXPECT_EQ(error_of(R"({"triggers": [{"expression": "a", "window": "0ms"}]})"),
              "agent.json: triggers[0].window: '0ms' is no time at all; 1ns keeps the event alone");
    EXPECT_EQ(error_of(R"({"triggers": [{"expression": "a", "window": ""}]})"),
              "agent.json: triggers[0].window: it is empty");
    EXPECT_EQ(error_of(R"({"triggers": [{"expression": "a", "window": "1ms", "pre_time": "1ms"}]})"),
              "agent.json: triggers[0]: say either window and pre, or pre_time and post_time");
    EXPECT_EQ(error_of(R"({"triggers": [{"expression": "a", "shots": 9999999999}]})"),
              "agent.json: triggers[0].shots: a whole number up to 1000000000 is expected");
}

TEST(Configuration, HostileTextsAreRefusedQuickly) {
    EXPECT_EQ(error_of("{\"listen\": [" + std::string(500'000, '[') + std::string(500'000, ']') + "]}").substr(0, 33),
              "agent.json: listen[0][0][0][0][0]");
    EXPECT_NE(error_of("{\"a\": " + std::string(100'000, '{')), "");

    EXPECT_NE(error_of(std::string(100'000, '[')), "");
    EXPECT_NE(error_of(std::string(2 << 20, ' ')), "");
    EXPECT_NE(error_of("{\"listen\": \"\xff\xfe\"}"), "");
    EXPECT_NE(error_of("{\"keep\": 1e400}"), "");
    EXPECT_NE(error_of("{\"keep_files\": 99999999999999999999999}"), "");
}

TEST(Configuration, AFileThatIsNotThereIsNamed) {
    Result<Options> options = read_configuration("/no/such/agent.json");
    ASSERT_FALSE(options.ok());
    EXPECT_NE(options.error().message.find("/no/such/agent.json"), std::string::npos);
}

}  // namespace
}  // namespace sla::daemon
