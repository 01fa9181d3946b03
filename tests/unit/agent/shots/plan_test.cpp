#include "agent/shots/plan.h"

#include "proto/wire/control.pb.h"
#include "tests/support/temporary_path.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <limits>

namespace sla::shots {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

wire::SetTrigger request_of(const std::string& expression) {
    wire::SetTrigger request;
    request.set_expression(expression);
    request.set_window_ns(10'000'000);
    request.set_pre_share(0.3);
    return request;
}

std::string refusal(const wire::SetTrigger& request, bool local = true) {
    const Result<Plan> plan = plan_of(request, local);
    return plan.ok() ? "" : plan.error().message;
}

TEST(TriggerPlan, TheWindowIsPartedByTheShareOrSaidInTimes) {
    wire::SetTrigger request = request_of("a > 5");
    const Result<Plan> share = plan_of(request, true);
    ASSERT_TRUE(share.ok());
    EXPECT_EQ(share->pre_ps, 3'000'000'000);
    EXPECT_EQ(share->post_ps, 7'000'000'000);
    request.set_post_ns(5'000);
    const Result<Plan> times = plan_of(request, true);
    ASSERT_TRUE(times.ok());
    EXPECT_EQ(times->pre_ps, 0);
    EXPECT_EQ(times->post_ps, 5'000'000);
}

TEST(TriggerPlan, ActionsAreReadAndOthersRefused) {
    wire::SetTrigger request = request_of("a");
    for (const char* action :
         {"stop", "notify", "fleet", "stop-guest", "snapshot=/tmp/x.sla", "run=/bin/echo \"two words\" three"})
        request.add_actions(action);
    const Result<Plan> plan = plan_of(request, true);
    ASSERT_TRUE(plan.ok());
    EXPECT_TRUE(plan->actions.stop && plan->actions.notify && plan->actions.fleet && plan->actions.stop_guest);
    EXPECT_THAT(plan->actions.snapshots, ElementsAre("/tmp/x.sla"));
    ASSERT_EQ(plan->actions.commands.size(), 1u);
    EXPECT_THAT(plan->actions.commands[0], ElementsAre("/bin/echo", "two words", "three"));
    for (const char* action : {"dance", "run=", "run=  ", "snapshot=", ""}) {
        wire::SetTrigger bad = request_of("a");
        bad.add_actions(action);
        EXPECT_THAT(refusal(bad), HasSubstr("is no action of a trigger")) << action;
    }
}

TEST(TriggerPlan, FilesAndCommandsAreForLocalClientsOnly) {
    for (const char* action : {"run=/bin/true", "snapshot=x", "stop-guest"}) {
        wire::SetTrigger request = request_of("a");
        request.add_actions(action);
        EXPECT_EQ(refusal(request, true), "");
        EXPECT_THAT(refusal(request, false), HasSubstr("Unix socket only"));
    }
}

TEST(TriggerPlan, ACommandMustBeThereWhenTheTriggerIsSet) {
    for (const char* action : {"run=/no/such/program x", "run=sla-no-such-program"}) {
        wire::SetTrigger request = request_of("a");
        request.add_actions(action);
        EXPECT_THAT(refusal(request, true), HasSubstr("there is no program")) << action;
        EXPECT_THAT(refusal(request, false), HasSubstr("Unix socket only")) << "who may start none learns of none";
    }
    wire::SetTrigger request = request_of("a");
    request.add_actions("run=true");
    EXPECT_EQ(refusal(request, true), "") << "found in PATH";
}

TEST(TriggerPlan, WhoMayNotWriteFilesLearnsOfNoFolder) {
    wire::SetTrigger request = request_of("a");
    request.add_actions("snapshot=/no/such/folder/x.sla");
    EXPECT_THAT(refusal(request, true), HasSubstr("there is no folder /no/such/folder"));
    EXPECT_THAT(refusal(request, false), HasSubstr("Unix socket only"));
}

TEST(TriggerPlan, AnAgentWhoseOwnFolderIsGoneSaysSo) {
    const std::filesystem::path before = std::filesystem::current_path();
    const support::TemporaryPath gone("trigger_plan");
    std::filesystem::create_directory(gone.path);
    std::filesystem::current_path(gone.path);
    std::filesystem::remove(gone.path);
    wire::SetTrigger request = request_of("a");
    request.add_actions("snapshot=x.sla");
    EXPECT_THAT(refusal(request), HasSubstr("there is no folder"));
    std::filesystem::current_path(before);
}

TEST(TriggerPlan, NamesAreOnOneLineAndSteerNoTerminal) {
    wire::SetTrigger request = request_of("a");
    request.set_name("a\nforged\x1b[31m");
    const Result<Plan> plan = plan_of(request, true);
    ASSERT_TRUE(plan);
    EXPECT_EQ(plan->name, "a?forged?[31m");
    EXPECT_EQ(name_of(request.name()), plan->name) << "who names it so again means this one";
}

TEST(TriggerPlan, NonsenseIsRefused) {
    EXPECT_THAT(refusal(request_of("a then")), HasSubstr("column 7"));
    EXPECT_THAT(refusal(request_of("")), HasSubstr("either an expression or a file"));
    wire::SetTrigger both = request_of("a");
    both.set_levels("level x if a stay");
    EXPECT_THAT(refusal(both), HasSubstr("either an expression or a file"));
    wire::SetTrigger share = request_of("a");
    share.set_pre_share(std::numeric_limits<double>::quiet_NaN());
    EXPECT_THAT(refusal(share), HasSubstr("between 0 and 100 %"));
    wire::SetTrigger window = request_of("a");
    window.set_window_ns(-1);
    EXPECT_THAT(refusal(window), HasSubstr("between 0 and one day"));
}

}  // namespace
}  // namespace sla::shots
