// A connection that was cut off is tried again by itself.
#include "viewer/workspace/retry.h"

#include "tests/support/capture_builder.h"
#include "tests/support/fake_agent.h"
#include "viewer/workspace/data_source.h"

#include <gtest/gtest.h>

#include <thread>

namespace sla::workspace {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

// The seconds, of the next 200, in which it tries.
std::vector<int> tries(Retry& retry, Retry::Clock::time_point from) {
    std::vector<int> out;
    for (int second = 0; second < 200; ++second) {
        if (retry.is_due(from + seconds(second), "cut off")) out.push_back(second);
    }
    return out;
}

TEST(Retry, TriesAfterASecondAndThenEverMoreRarely) {
    Retry retry;
    const Retry::Clock::time_point begin;
    retry.stands(begin);
    EXPECT_EQ(tries(retry, begin), (std::vector<int>{1, 3, 7, 15, 31, 61, 91, 121, 151, 181}));
    EXPECT_EQ(retry.why(), "cut off");
    // It stands, but not for long: no second of its own.
    retry.stands(begin + seconds(300));
    EXPECT_EQ(retry.why(), "");
    EXPECT_EQ(tries(retry, begin + seconds(301)).front(), 30);
    // It stands for a while.
    retry.stands(begin + seconds(600));
    retry.stands(begin + seconds(611));
    EXPECT_EQ(tries(retry, begin + seconds(612)).front(), 1);
}

TEST(Retry, LeavesAloneWhatNeverStoodOrWasLeft) {
    Retry retry;
    const Retry::Clock::time_point begin;
    EXPECT_TRUE(tries(retry, begin).empty());
    retry.stands(begin);
    retry.forget();
    EXPECT_TRUE(tries(retry, begin).empty());
}

void poll_for(DataSource& source, milliseconds time) {
    const auto end = Retry::Clock::now() + time;
    while (Retry::Clock::now() < end) {
        source.poll(milliseconds(1));
        std::this_thread::sleep_for(milliseconds(5));
    }
}

void poll_until(DataSource& source, SourceState state) {
    const auto patience = Retry::Clock::now() + seconds(30);
    while (source.status().state != state && Retry::Clock::now() < patience) {
        source.poll(milliseconds(5));
        std::this_thread::sleep_for(milliseconds(5));
    }
    ASSERT_EQ(source.status().state, state) << source.status().message;
}

TEST(LiveFeed, ComesBackByItselfWhenItsAgentDoes) {
    support::CaptureBuilder capture;
    support::add_mixed(capture, 6, 2000);
    const std::string whole = capture.stream();
    support::FakeAgent agent({whole.substr(0, whole.size() / 2), whole});
    const auto source = open_source(agent.address(), {});
    poll_until(*source, SourceState::kLost);
    poll_for(*source, milliseconds(200));
    EXPECT_NE(source->status().message.find("tried again by itself"), std::string::npos) << source->status().message;
    EXPECT_GT(source->session().events(), 0u);
    poll_until(*source, SourceState::kEnded);
    poll_for(*source, milliseconds(200));  // what is queued
    store::Session direct;
    capture.fill(direct);
    EXPECT_EQ(source->session().events(), direct.events());
    EXPECT_EQ(source->session().damage_count(), 0u);
}

TEST(LiveFeed, ThatNeverReachedAnAgentOrWasLeftDoesNotTry) {
    const auto nobody = open_source("unix:/no/such/agent.sock", {});
    poll_until(*nobody, SourceState::kLost);
    EXPECT_EQ(nobody->status().message.find("tried again"), std::string::npos) << nobody->status().message;
    support::CaptureBuilder capture;
    support::add_mixed(capture, 2, 100);
    const std::string whole = capture.stream();
    support::FakeAgent agent({whole.substr(0, whole.size() / 2), whole});
    const auto source = open_source(agent.address(), {});
    poll_until(*source, SourceState::kLost);
    source->stop();
    poll_for(*source, milliseconds(200));
    const std::uint64_t events = source->session().events();
    poll_for(*source, milliseconds(1500));  // longer than the first wait
    EXPECT_EQ(source->status().state, SourceState::kStopped);
    EXPECT_EQ(source->session().events(), events);
    source->run();
    poll_until(*source, SourceState::kEnded);
}

}  // namespace
}  // namespace sla::workspace
