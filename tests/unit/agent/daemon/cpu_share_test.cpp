#include "agent/daemon/health/cpu_share.h"

#include <gtest/gtest.h>

namespace sla::daemon {
namespace {

TEST(CpuShare, IsOfTheTimeSinceTheLastAnswer) {
    CpuShare share;
    EXPECT_EQ(share.observe(10, 5), 0);
    EXPECT_NEAR(share.observe(10.25, 5.05), 0.2, 1e-9);
    EXPECT_NEAR(share.observe(11.25, 5.05), 0.0, 1e-9);
}

// As at an agent's end: one status right behind another, and the kernel's clock has just ticked.
TEST(CpuShare, OverAMomentTheShareBeforeStands) {
    CpuShare share;
    share.observe(10, 5);
    EXPECT_NEAR(share.observe(10.25, 5.05), 0.2, 1e-9);
    EXPECT_NEAR(share.observe(10.250'001, 5.054), 0.2, 1e-9);
    EXPECT_NEAR(share.observe(10.5, 5.1), 0.2, 1e-9) << "and nothing of it is forgotten";
}

}  // namespace
}  // namespace sla::daemon
