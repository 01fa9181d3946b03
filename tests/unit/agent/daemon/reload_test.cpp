#include "agent/daemon/options/reload.h"

#include "agent/daemon/options/configuration.h"
#include "proto/wire/capture.pb.h"

#include <gtest/gtest.h>

namespace sla::daemon {
namespace {

Options options_from(const std::string& json) {
    Result<Options> options = parse_configuration(json, "agent.json");
    EXPECT_TRUE(options.ok()) << options.error().message;
    return *options;
}

class ReloadTest : public testing::Test {
protected:
    void begin(const std::string& json) {
        configuration_ = std::make_unique<Configuration>(pipeline_, options_from(json));
        ASSERT_EQ(configuration_->begin(), "");
    }
    std::string reload(const Options& options) {
        std::string said = "not answered";
        configuration_->hand_over(options, [&](const std::string& problem, const std::string& waits) {
            said = problem;
            waits_ = waits;
        });
        configuration_->apply_waiting();
        return said;
    }
    std::string reload(const std::string& json) { return reload(options_from(json)); }
    bool is_on(const std::string& channel) { return !pipeline_.settings_of(channel).off; }
    std::vector<std::string> triggers() {
        wire::Status status;
        pipeline_.triggers().fill(status);
        std::vector<std::string> names;
        for (const wire::TriggerStatus& trigger : status.triggers()) names.push_back(trigger.name());
        return names;
    }
    std::vector<std::string> expressions() {
        wire::Status status;
        pipeline_.triggers().fill(status);
        std::vector<std::string> all;
        for (const wire::TriggerStatus& trigger : status.triggers())
            all.push_back(trigger.name() + ": " + trigger.expression());
        return all;
    }
    void client_sets_trigger(const std::string& name, const std::string& expression) {
        wire::Request request;
        request.mutable_set_trigger()->set_name(name);
        request.mutable_set_trigger()->set_expression(expression);
        ASSERT_EQ(pipeline_.apply({request, true, {}}), "");
    }
    void client_switches(const std::string& channel, bool on) {
        wire::Request request;
        request.mutable_set_channels()->add_channels(channel);
        request.mutable_set_channels()->set_enabled(on);
        ASSERT_EQ(pipeline_.apply({request, true, {}}), "");
    }

    retain::Retention retention_{{}};
    Pipeline pipeline_{retention_};
    std::unique_ptr<Configuration> configuration_;
    std::string waits_;
};

TEST_F(ReloadTest, PutsRulesInThePlaceOfTheOldOnes) {
    begin(R"({"channels": [{"match": "a", "enabled": false}, {"match": "b", "enabled": false}]})");
    EXPECT_FALSE(is_on("a"));
    EXPECT_EQ(reload(R"({"channels": [{"match": "b", "enabled": false}, {"match": "c", "enabled": false}]})"), "");
    EXPECT_TRUE(is_on("a"));
    EXPECT_FALSE(is_on("b"));
    EXPECT_FALSE(is_on("c"));
}

TEST_F(ReloadTest, LeavesWhatClientsSetUnlessItsNewerWordIsAboutThat) {
    begin(R"({"channels": [{"match": "a", "enabled": false}]})");
    client_switches("other", false);
    client_switches("a", true);
    EXPECT_EQ(reload(R"({"channels": [{"match": "a", "enabled": false}]})"), "");
    EXPECT_FALSE(is_on("other"));
    EXPECT_FALSE(is_on("a"));
}

TEST_F(ReloadTest, SetsLimitsAnewAndThoseNoLongerNamedToTheirDefaults) {
    begin(R"({"memory": "1MiB", "keep": "5s"})");
    EXPECT_EQ(retention_.limits().total_bytes, std::uint64_t{1} << 20);
    EXPECT_EQ(reload(R"({"memory": "2MiB"})"), "");
    EXPECT_EQ(retention_.limits().total_bytes, std::uint64_t{2} << 20);
    EXPECT_EQ(reload(R"({})"), "");
    EXPECT_EQ(retention_.limits().total_bytes, retain::Limits{}.total_bytes);
}

TEST_F(ReloadTest, RemovesAddsAndKeepsTriggers) {
    begin(R"({"triggers": [{"name": "gone", "expression": "a > 1"}, {"name": "kept", "expression": "b > 1"}]})");
    wire::Request stop;
    stop.mutable_control_trigger()->set_name("kept");
    stop.mutable_control_trigger()->set_what(wire::ControlTrigger::STOP);
    ASSERT_EQ(pipeline_.apply({stop, true, {}}), "");
    EXPECT_EQ(reload(R"({"triggers": [{"name": "kept", "expression": "b > 1"}, {"name": "new", "expression": "c > 1"}]})"),
              "");
    EXPECT_EQ(triggers(), (std::vector<std::string>{"kept", "new"}));
    wire::Status status;
    pipeline_.triggers().fill(status);
    EXPECT_EQ(status.triggers(0).state(), wire::TRIGGER_STOPPED) << "one that did not change goes on as it is";
}

TEST_F(ReloadTest, OfTriggersThatAreAlikeAndHaveNoNamesAsManyStayAsAreConfigured) {
    begin(R"({"triggers": ["a > 5", "a > 5", "a > 5"]})");
    EXPECT_EQ(reload(R"({"triggers": ["a > 5", "a > 5", "a > 5"]})"), "");
    EXPECT_EQ(triggers().size(), 3u);
    EXPECT_EQ(reload(R"({"triggers": ["a > 5"]})"), "");
    EXPECT_EQ(triggers().size(), 1u);
    EXPECT_EQ(reload(R"({"triggers": ["a > 5", "a > 5"]})"), "");
    EXPECT_EQ(triggers().size(), 2u);
    EXPECT_EQ(reload(R"({"triggers": []})"), "");
    EXPECT_TRUE(triggers().empty());
}

TEST_F(ReloadTest, SetsAgainTheTriggersThatAClientHasRemovedOrReplaced) {
    const std::string json =
        R"({"triggers": [{"name": "gone", "expression": "a > 5"}, {"name": "other", "expression": "a > 6"}]})";
    begin(json);
    wire::Request removal;
    removal.mutable_control_trigger()->set_name("gone");
    removal.mutable_control_trigger()->set_what(wire::ControlTrigger::REMOVE);
    ASSERT_EQ(pipeline_.apply({removal, true, {}}), "");
    client_sets_trigger("other", "a > 99");
    EXPECT_EQ(reload(json), "");
    EXPECT_EQ(expressions(), (std::vector<std::string>{"gone: a > 5", "other: a > 6"}));
}

TEST_F(ReloadTest, LeavesATriggerThatAClientHasSetInThePlaceOfOneThatIsNoLongerConfigured) {
    begin(R"({"triggers": [{"name": "t", "expression": "a > 5"}]})");
    client_sets_trigger("t", "a > 99");
    EXPECT_EQ(reload("{}"), "");
    EXPECT_EQ(expressions(), (std::vector<std::string>{"t: a > 99"}));
}

TEST_F(ReloadTest, ChangesNothingWhenOneWordIsWrong) {
    begin(
        R"({"memory": "1MiB", "channels": [{"match": "a", "enabled": false}], "triggers": [{"name": "t", "expression": "a > 1"}]})");
    const Options wrong = options_from(
        R"({"memory": "2MiB", "channels": [{"match": "b", "enabled": false}], "triggers": [{"name": "u", "expression": "a", "actions": ["dance"]}]})");
    const std::string problem = reload(wrong);
    EXPECT_NE(problem.find("triggers"), std::string::npos) << problem;
    EXPECT_EQ(retention_.limits().total_bytes, std::uint64_t{1} << 20);
    EXPECT_FALSE(is_on("a"));
    EXPECT_TRUE(is_on("b"));
    EXPECT_EQ(triggers(), std::vector<std::string>{"t"});
}

TEST_F(ReloadTest, ChangesNothingWhenATriggerCannotBeSetInThisAgent) {
    begin(R"({"channels": [{"match": "a", "enabled": false}], "triggers": [{"name": "t", "expression": "a > 1"}]})");
    const std::string problem =
        reload(R"({"channels": [], "triggers": [{"name": "u", "expression": "a > 1", "actions": ["fleet"]}]})");
    EXPECT_NE(problem.find("publishes to a fleet"), std::string::npos) << problem;
    EXPECT_FALSE(is_on("a"));
    EXPECT_EQ(triggers(), std::vector<std::string>{"t"});
}

TEST_F(ReloadTest, ChangesNothingWhenClientsLeaveNoSpaceForItsTriggers) {
    begin(R"({"channels": [{"match": "a", "enabled": false}], "triggers": [{"name": "t", "expression": "a > 1"}]})");
    wire::Request request;
    request.mutable_set_trigger()->set_expression("c > 1");
    while (pipeline_.triggers().size() < 64) ASSERT_EQ(pipeline_.apply({request, true, {}}), "");
    EXPECT_EQ(reload(R"({"triggers": [{"name": "u", "expression": "a > 1"}]})"), "") << "in the place of the old one";
    EXPECT_TRUE(is_on("a"));
    const std::string problem = reload(
        R"({"channels": [{"match": "a", "enabled": false}], "triggers": [{"name": "u", "expression": "a > 1"}, {"name": "v", "expression": "a > 1"}]})");
    EXPECT_NE(problem.find("at most 64 triggers"), std::string::npos) << problem;
    EXPECT_TRUE(is_on("a"));
}

TEST_F(ReloadTest, ATriggerWithoutANameGoesWhenItsWordsChange) {
    begin(R"({"triggers": [{"expression": "a > 1"}, {"expression": "b > 1"}]})");
    const std::vector<std::string> before = triggers();
    ASSERT_EQ(before.size(), 2u);
    EXPECT_EQ(reload(R"({"triggers": [{"expression": "a > 2"}, {"expression": "b > 1"}]})"), "");
    EXPECT_EQ(triggers().size(), 2u);
    EXPECT_EQ(triggers().front(), before.back()) << "the one that did not change goes on";
    EXPECT_EQ(reload("{}"), "");
    EXPECT_TRUE(triggers().empty());
}

TEST_F(ReloadTest, SaysWhatHasToWaitForTheNextStart) {
    begin(R"({"record": "a.sla"})");
    EXPECT_EQ(reload(R"({"record": "b.sla", "listen": ["unix:/x"], "linux": {"events": "irq"}})"), "");
    EXPECT_EQ(waits_, "listen, record, linux");
    EXPECT_EQ(reload(R"({"record": "a.sla", "nats_creds": "other.creds", "shot_memory": "1MiB"})"), "");
    EXPECT_EQ(waits_, "publish, shot_memory");
    EXPECT_EQ(reload(R"({"record": "a.sla", "report_every": "3s"})"), "");
    EXPECT_EQ(waits_, "publish");
    EXPECT_EQ(reload(R"({"record": "a.sla"})"), "");
    EXPECT_EQ(waits_, "");
}

TEST_F(ReloadTest, AnswersEachOfTwoThatComeBetweenTwoSteps) {
    begin("{}");
    int answers = 0;
    const auto count = [&](const std::string&, const std::string&) { answers++; };
    configuration_->hand_over(options_from(R"({"channels": [{"match": "a", "enabled": false}]})"), count);
    configuration_->hand_over(options_from(R"({"channels": [{"match": "b", "enabled": false}]})"), count);
    configuration_->apply_waiting();
    configuration_->apply_waiting();
    EXPECT_EQ(answers, 2);
    EXPECT_TRUE(is_on("a"));
    EXPECT_FALSE(is_on("b"));
}

}  // namespace
}  // namespace sla::daemon
