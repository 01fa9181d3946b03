#include "viewer/workspace/source/refused_orders.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace sla::workspace {
namespace {

const std::string kStopped = "trigger slow is stopped, it fires when it is armed";

store::Health health_with(const std::string& state) {
    store::Health health;
    health.triggers.resize(2);
    health.triggers[0].name = "other";
    health.triggers[0].state = "armed";
    health.triggers[1].name = "slow";
    health.triggers[1].state = state;
    return health;
}

TEST(RefusedOrders, AreOutdatedOnceTheTriggersStateIsAnotherOne) {
    RefusedOrders refused;
    refused.add("slow", kStopped, health_with("stopped"));
    EXPECT_TRUE(refused.take_outdated(health_with("stopped")).empty());
    EXPECT_EQ(refused.take_outdated(health_with("pre-filling")), std::vector<std::string>{kStopped});
    EXPECT_TRUE(refused.take_outdated(health_with("stopped")).empty()) << "it was said";
}

// It was stopped a moment ago, and the next report says so.
TEST(RefusedOrders, StandWhereTheReportOfBeforeIsOvertakenByTheAnswer) {
    RefusedOrders refused;
    refused.add("slow", kStopped, health_with("armed"));
    EXPECT_TRUE(refused.take_outdated(health_with("armed")).empty());
    EXPECT_TRUE(refused.take_outdated(health_with("stopped")).empty());
    EXPECT_EQ(refused.take_outdated(health_with("armed")), std::vector<std::string>{kStopped});
}

TEST(RefusedOrders, OfATriggerThatComesOrGoesAreOutdatedToo) {
    const std::string unknown = "there is no trigger named 'slow'; `sla trigger list` shows them";
    RefusedOrders refused;
    refused.add("slow", unknown, store::Health());
    EXPECT_TRUE(refused.take_outdated(store::Health()).empty());
    EXPECT_EQ(refused.take_outdated(health_with("stopped")), std::vector<std::string>{unknown});
    refused.add("slow", kStopped, health_with("stopped"));
    refused.add("slow", kStopped, health_with("stopped"));
    EXPECT_EQ(refused.take_outdated(store::Health()), (std::vector<std::string>{kStopped, kStopped}));
}

}  // namespace
}  // namespace sla::workspace
