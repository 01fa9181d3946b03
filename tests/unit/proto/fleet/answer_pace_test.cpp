#include "proto/fleet/answer_pace.h"

#include <gtest/gtest.h>

namespace sla::fleet {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;

TEST(AnswerPace, WithoutAnyAnswerItWaitsSecondsAndLongerEachTime) {
    const AnswerPace pace;
    EXPECT_EQ(pace.wait(0), milliseconds(2000));
    EXPECT_EQ(pace.wait(1), milliseconds(4000));
    EXPECT_EQ(pace.wait(2), milliseconds(5000));
    EXPECT_EQ(pace.wait(1000), milliseconds(5000));
}

TEST(AnswerPace, OfAQuickServerALostAnswerIsNoticedSoon) {
    AnswerPace pace;
    pace.note(microseconds(900));
    EXPECT_EQ(pace.wait(0), milliseconds(250));
    EXPECT_EQ(pace.wait(1), milliseconds(500));
}

TEST(AnswerPace, ASlowerServerIsBelievedAtOnceAndAQuickerOneByAndBy) {
    AnswerPace pace;
    pace.note(microseconds(1000));
    for (int i = 0; i < 8; ++i) pace.note(milliseconds(400));
    EXPECT_GT(pace.wait(0), milliseconds(1550));
    pace.note(microseconds(1000));
    EXPECT_GT(pace.wait(0), milliseconds(1350)) << "one quick answer is no quick server";
    for (int i = 0; i < 100; ++i) pace.note(microseconds(1000));
    EXPECT_EQ(pace.wait(0), milliseconds(250));
}

TEST(AnswerPace, NothingMakesAnAttemptWaitLongerThanItMay) {
    AnswerPace pace;
    pace.note(std::chrono::hours(1));
    EXPECT_EQ(pace.wait(0), milliseconds(5000));
    pace.note(microseconds(0));
    EXPECT_GE(pace.wait(0), milliseconds(250));
}

}  // namespace
}  // namespace sla::fleet
