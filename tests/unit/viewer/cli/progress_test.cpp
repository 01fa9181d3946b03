// The line that says how far work is.
#include "viewer/cli/text/progress.h"

#include <gtest/gtest.h>

#include <limits>

namespace sla::cli {
namespace {

TEST(ProgressLine, HasABarTheShareAndTheTimeLeft) {
    EXPECT_EQ(progress_line("writing x", 0.25, "3 M rows/s", 10),
              "writing x [=====               ]  25 %  3 M rows/s  30 s left");
    EXPECT_EQ(progress_line("writing x", -1, "", 10), "writing x ...");
}

// A file that grows while it is read has more in it than it was said to have.
TEST(ProgressLine, MoreThanAllIsAll) {
    for (const double share : {1.0, 1.04, 1.06, 17.0, std::numeric_limits<double>::infinity()})
        EXPECT_EQ(progress_line("x", share, "", 10), "x [====================] 100 %  0 s left") << share;
}

TEST(ProgressLine, AShareThatIsNoNumberIsNotKnown) {
    EXPECT_EQ(progress_line("x", std::numeric_limits<double>::quiet_NaN(), "", 10), "x ...");
}

}  // namespace
}  // namespace sla::cli
