#include "proto/time/host_errors.h"

#include <gtest/gtest.h>

namespace sla::time {
namespace {

// Ticks of a stream may be anything.
TEST(HostErrorsOf, NoDistanceMakesAnErrorLess) {
    const ClockMap axis;
    HostErrors errors;
    errors.steps = {{100, 5000}};
    errors.stretch_ppb = 1000;
    const std::uint64_t far = ~std::uint64_t{0};
    EXPECT_EQ(errors.error_ps(100, axis), 5000);
    EXPECT_GT(errors.error_ps(far / 4, axis), 5000);
    EXPECT_GE(errors.error_ps(far, axis), errors.error_ps(far / 4, axis));
    EXPECT_GE(errors.added_ps(0, far, axis), errors.added_ps(0, far / 4, axis));
    errors.steps = {{far, 5000}};
    EXPECT_GE(errors.error_ps(0, axis), errors.error_ps(far / 4 * 3, axis));
}

}  // namespace
}  // namespace sla::time
