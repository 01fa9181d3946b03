// A connection that was cut off is tried again by itself.
#include "viewer/workspace/source/retry.h"

#include "tests/support/capture_builder.h"
#include "tests/support/fake_agent.h"
#include "viewer/workspace/source/awaited_socket.h"
#include "viewer/workspace/source/data_source.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <thread>

namespace sla::workspace {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

// The milliseconds, of the next twenty seconds, at which it tries.
std::vector<int> tries(Retry& retry, Retry::Clock::time_point from) {
    std::vector<int> out;
    for (int at = 0; at <= 20'000; at += 100) {
        if (retry.is_due(from + milliseconds(at), "cut off")) out.push_back(at);
    }
    return out;
}

TEST(Retry, TriesSoonThenEverMoreRarelyAndAtLeastEveryFiveSeconds) {
    Retry retry;
    const Retry::Clock::time_point begin;
    retry.stands(begin);
    EXPECT_EQ(tries(retry, begin), (std::vector<int>{200, 700, 1700, 3700, 8700, 13700, 18700}));
    EXPECT_EQ(retry.why(), "cut off");
    // It stands, but not for long: no short waits of its own.
    retry.stands(begin + seconds(300));
    EXPECT_EQ(retry.why(), "");
    EXPECT_FALSE(retry.is_waiting());
    EXPECT_EQ(tries(retry, begin + seconds(301)).front(), 5000);
    // It stands for a while.
    retry.stands(begin + seconds(600));
    retry.stands(begin + seconds(611));
    EXPECT_EQ(tries(retry, begin + seconds(612)).front(), 200);
}

TEST(Retry, CountsDownToTheNextTry) {
    Retry retry;
    const Retry::Clock::time_point begin;
    retry.stands(begin);
    EXPECT_FALSE(retry.left(begin));
    EXPECT_FALSE(retry.is_due(begin, ""));
    EXPECT_TRUE(retry.is_waiting()) << "also of an agent that went without a word";
    EXPECT_EQ(retry.left(begin), milliseconds(200));
    EXPECT_EQ(retry.left(begin + milliseconds(150)), milliseconds(50));
    EXPECT_EQ(retry.left(begin + seconds(1)), milliseconds(0));
    EXPECT_TRUE(retry.is_due(begin + seconds(1), ""));
    EXPECT_EQ(retry.left(begin + seconds(1)), milliseconds(500));
    retry.forget();
    EXPECT_FALSE(retry.left(begin));
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
    const auto deadline = Retry::Clock::now() + seconds(30);
    while (source.status().state != state && Retry::Clock::now() < deadline) {
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
    const auto says_it = [&] { return source->status().message.find("tried again by itself") != std::string::npos; };
    const auto limit = Retry::Clock::now() + seconds(30);
    while (!says_it() && Retry::Clock::now() < limit) poll_for(*source, milliseconds(1));
    EXPECT_TRUE(says_it()) << source->status().message;
    while (source->session().events() == 0 && Retry::Clock::now() < limit) poll_for(*source, milliseconds(1));
    EXPECT_GT(source->session().events(), 0u) << "what came before it was lost";
    poll_until(*source, SourceState::kEnded);
    poll_for(*source, milliseconds(200));  // what is queued
    store::Session direct;
    capture.fill(direct);
    EXPECT_EQ(source->session().events(), direct.events());
    EXPECT_EQ(source->session().damage_count(), 0u);
}

TEST(LiveFeed, ComesBackByItselfAfterItsAgentEndedAsItShould) {
    support::CaptureBuilder capture;
    support::add_mixed(capture, 6, 2000);
    const std::string whole = capture.stream();
    support::FakeAgent agent({whole, whole, whole});
    const auto source = open_source(agent.address(), {});
    poll_until(*source, SourceState::kEnded);
    bool has_counted_down = false;
    const auto limit = Retry::Clock::now() + seconds(30);
    const auto has_returned_twice = [&] { return source->status().bytes >= 3 * whole.size(); };
    while (!has_returned_twice() && Retry::Clock::now() < limit) {
        source->poll(milliseconds(1));
        has_counted_down |= source->status().retry_in.has_value();
        std::this_thread::sleep_for(milliseconds(5));
    }
    EXPECT_TRUE(has_returned_twice()) << source->status().bytes << " of " << 3 * whole.size() << " bytes";
    EXPECT_TRUE(has_counted_down);
    poll_until(*source, SourceState::kEnded);
    EXPECT_EQ(source->status().message, "") << "the word for its state says it, and when it is tried again";
    source->stop();
    EXPECT_FALSE(source->status().retry_in);
}

// The window was there first.
TEST(LiveFeed, ComesWhenTheSocketOfItsAgentAppears) {
    support::CaptureBuilder capture;
    support::add_mixed(capture, 6, 2000);
    support::FakeAgent agent({capture.stream()});
    const std::string path = agent.path() + ".awaited";
    const auto source = open_source("unix:" + path, {});
    poll_until(*source, SourceState::kLost);
    poll_for(*source, milliseconds(500));
    EXPECT_EQ(source->status().state, SourceState::kLost) << "nothing is there";
    ASSERT_EQ(std::rename(agent.path().c_str(), path.c_str()), 0);
    poll_until(*source, SourceState::kEnded);
    poll_for(*source, milliseconds(200));  // what is queued
    store::Session direct;
    capture.fill(direct);
    EXPECT_EQ(source->session().events(), direct.events());
    static_cast<void>(std::rename(path.c_str(), agent.path().c_str()));  // so that the agent finds it when it ends
}

TEST(AwaitedSocket, IsTriedSomeTimesAndThenAnotherInItsPlaceIs) {
    const auto tried = [](AwaitedSocket& awaited, AwaitedSocket::Clock::time_point from, const std::string& path) {
        int tries = 0;
        for (int at = 0; at <= 20'000; at += 100) tries += awaited.is_due(from + milliseconds(at), path) ? 1 : 0;
        return tries;
    };
    AwaitedSocket awaited;
    const AwaitedSocket::Clock::time_point begin;
    EXPECT_EQ(tried(awaited, begin, "/no/such/agent.sock"), 0);
    EXPECT_EQ(tried(awaited, begin + seconds(100), "/dev/null"), 0) << "no socket";
    const support::FakeAgent first({});
    const support::FakeAgent second({});
    EXPECT_EQ(tried(awaited, begin + seconds(200), first.path()), 5);
    EXPECT_EQ(tried(awaited, begin + seconds(300), first.path()), 0);
    EXPECT_EQ(tried(awaited, begin + seconds(400), second.path()), 5);
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
