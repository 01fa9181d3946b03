#include "proto/time/wall_clock.h"

#include "proto/time/ptp_clock.h"

#include <gtest/gtest.h>
#include <sys/timex.h>

#include <cerrno>

namespace sla::time {
namespace {

timex synchronised() {
    timex kernel{};
    kernel.status = STA_PLL;
    kernel.maxerror = 3200;
    kernel.esterror = 40;
    kernel.offset = -7;
    kernel.tai = 37;
    return kernel;
}

TEST(WallClock, ASynchronisedKernelGivesABoundInNanoseconds) {
    const WallClock wall = wall_clock_from(synchronised(), TIME_OK, 0);
    EXPECT_EQ(wall.state, WallState::kSynchronised);
    EXPECT_EQ(wall.max_error_ns, 3'200'000);
    EXPECT_EQ(wall.estimated_error_ns, 40'000);
    EXPECT_EQ(wall.offset_ns, -7000) << "the kernel counts in microseconds";
    EXPECT_EQ(wall.tai_offset_s, 37);
    EXPECT_EQ(problem_of(wall), "");
    EXPECT_NE(text_of(wall).find("within \u00b1 3.2 ms of UTC"), std::string::npos) << text_of(wall);
}

TEST(WallClock, AKernelThatCountsInNanosecondsIsBelieved) {
    timex kernel = synchronised();
    kernel.status |= STA_NANO;
    EXPECT_EQ(wall_clock_from(kernel, TIME_OK, 0).offset_ns, -7);
}

TEST(WallClock, AnUnsynchronisedKernelBoundsNothingAndSaysSo) {
    timex kernel = synchronised();
    kernel.status |= STA_UNSYNC;
    const WallClock wall = wall_clock_from(kernel, TIME_ERROR, 0);
    EXPECT_EQ(wall.state, WallState::kUnsynchronised);
    EXPECT_FALSE(wall.is_bounded());
    EXPECT_NE(problem_of(wall).find("not synchronised"), std::string::npos) << problem_of(wall);
}

TEST(WallClock, ARefusalIsNotTakenForAnUnsynchronisedClock) {
    EXPECT_EQ(wall_clock_from({}, -1, EPERM).state, WallState::kRefused);
    EXPECT_EQ(wall_clock_from({}, -1, ENOSYS).state, WallState::kNotThere);
    EXPECT_NE(problem_of(wall_clock_from({}, -1, EPERM)).find("sandbox"), std::string::npos);
}

TEST(WallClock, LeapSecondsComeFromTheKernelsState) {
    EXPECT_EQ(wall_clock_from(synchronised(), TIME_INS, 0).leap, LeapState::kInsert);
    EXPECT_EQ(wall_clock_from(synchronised(), TIME_OOP, 0).leap, LeapState::kNow);
    EXPECT_EQ(wall_clock_from(synchronised(), TIME_WAIT, 0).leap, LeapState::kDone);
}

TEST(WallClock, NothingWasSaidWhereNobodyAsked) {
    EXPECT_EQ(problem_of(WallClock{}), "");
}

TEST(WallClock, ThisKernelAnswersOrSaysWhyNot) {
    const WallClock wall = read_wall_clock();
    EXPECT_NE(wall.state, WallState::kNotAsked);
    EXPECT_GE(wall.max_error_ns, 0);
}

TEST(PtpClock, TheTightestSampleCountsAndHalfOfItIsTheError) {
    const auto reading = reading_of({{1000, 38'000, 3000}, {5000, 42'100, 5200}, {9000, 46'000, 8000}});
    ASSERT_TRUE(reading);
    EXPECT_EQ(reading->offset_ns, 37'000);
    EXPECT_EQ(reading->error_ns, 101);
}

TEST(PtpClock, SamplesAcrossAWallClockThatWentBackSayNothing) {
    EXPECT_FALSE(reading_of({{9000, 46'000, 8000}}));
    EXPECT_FALSE(reading_of({}));
}

TEST(PtpClock, ADirectoryWithoutDevicesSaysThatThereIsNone) {
    std::string why;
    EXPECT_EQ(PtpClock::open(why, "/nowhere"), nullptr);
    EXPECT_EQ(why, "no PTP clock is here");
}

}  // namespace
}  // namespace sla::time
