#include "proto/time/clock_variables.h"

#include <gtest/gtest.h>

#include <cstdlib>

namespace sla::time {
namespace {

class ClockVariables : public testing::Test {
protected:
    void TearDown() override {
        unsetenv("SLA_CLOCK");
        unsetenv("SLA_PTP_ERROR");
    }
};

TEST_F(ClockVariables, WhatIsUnderstoodIsNoProblem) {
    EXPECT_TRUE(clock_variable_problems().empty());
    EXPECT_EQ(vouched_error_ns(), 0);
    setenv("SLA_CLOCK", "raw", 1);
    setenv("SLA_PTP_ERROR", "200500ps", 1);
    EXPECT_TRUE(clock_variable_problems().empty());
    EXPECT_EQ(vouched_error_ns(), 201) << "rounded up";
}

TEST_F(ClockVariables, WhatMeansNothingIsSaid) {
    setenv("SLA_CLOCK", "tsc0", 1);
    for (const char* wrong : {"soon", "0ns", "-5ns"}) {
        setenv("SLA_PTP_ERROR", wrong, 1);
        EXPECT_EQ(vouched_error_ns(), 0);
        const auto problems = clock_variable_problems();
        ASSERT_EQ(problems.size(), 2u) << wrong;
        EXPECT_TRUE(problems[0].starts_with("SLA_CLOCK=tsc0 is ignored: "));
        EXPECT_EQ(problems[1], "SLA_PTP_ERROR=" + std::string(wrong) + " is ignored: it is no time above 0, as in 200ns");
    }
}

}  // namespace
}  // namespace sla::time
