#include "viewer/analysis/filter/event_filter.h"

#include "tests/support/capture_builder.h"
#include "viewer/analysis/filter/lane_filter.h"

#include <gtest/gtest.h>

namespace sla::analysis {
namespace {

class Filter : public ::testing::Test {
protected:
    Filter() {
        support::CaptureBuilder capture(0);
        const auto worker = capture.thread("worker", 77);
        const auto rx = capture.channel("net.rx");
        capture.tick(rx, 10);
        capture.tick(rx, 20, -5, worker);
        capture.event(rx, 30, SLA_CODE_VALUE_UNSIGNED, ~std::uint64_t{0});
        capture.number(rx, 40, 0.5);
        capture.text(rx, 50, "hello world");
        capture.level(rx, 60, true);
        capture.gap(rx, 70, 9);
        capture.fill(session_);
    }
    // The ticks of what passes.
    std::vector<std::uint64_t> passes(const std::string& text) {
        const auto filter = EventFilter::parse(text);
        EXPECT_TRUE(filter.ok()) << filter.error().message;
        std::vector<std::uint64_t> out;
        const store::Lane& lane = *session_.lanes()[0];
        for (std::uint64_t i = 0; i < lane.size(); ++i) {
            if (filter->matches(session_, {&lane, i, lane.tick(i)})) out.push_back(lane.tick(i));
        }
        LaneFilter ready(*filter, session_, lane);
        std::vector<std::uint64_t> by_lane;
        for (std::uint64_t i = ready.next(0, lane.size()); i < lane.size(); i = ready.next(i + 1, lane.size())) {
            by_lane.push_back(lane.tick(i));
        }
        EXPECT_EQ(by_lane, out) << text;
        return out;
    }
    store::Session session_;
};

using Ticks = std::vector<std::uint64_t>;

TEST_F(Filter, ComparesKinds) {
    EXPECT_EQ(passes("kind == gap"), Ticks{70});
    EXPECT_EQ(passes("kind = tick"), (Ticks{10, 20}));
    EXPECT_EQ(passes("kind != tick and kind != value"), (Ticks{50, 60, 70}));
}

TEST_F(Filter, ComparesIntegersExactly) {
    EXPECT_EQ(passes("value == 18446744073709551615"), Ticks{30});
    EXPECT_EQ(passes("value == 0xffffffffffffffff"), Ticks{30});
    EXPECT_EQ(passes("value >= 18446744073709551614"), Ticks{30});
    EXPECT_EQ(passes("value == 18446744073709551614"), Ticks{});
    EXPECT_EQ(passes("value < 0"), Ticks{20});
    EXPECT_EQ(passes("value in -5..1"), (Ticks{20, 40, 60}));
    EXPECT_EQ(passes("value == 0.5"), Ticks{40});
    EXPECT_EQ(passes("tick in 20..40"), (Ticks{20, 30, 40}));
}

TEST_F(Filter, EventsWithoutAValueFulfilNoConditionOnValues) {
    EXPECT_EQ(passes("value != 0"), (Ticks{20, 30, 40, 60, 70}));
    EXPECT_EQ(passes("not value == 0"), (Ticks{10, 20, 30, 40, 50, 60, 70}));
}

TEST_F(Filter, ComparesNamesAndTexts) {
    EXPECT_EQ(passes("text == 'hello world'"), Ticks{50});
    EXPECT_EQ(passes("text ~ \"*world\""), Ticks{50});
    EXPECT_EQ(passes("thread == worker"), Ticks{20});
    EXPECT_EQ(passes("thread == 77"), Ticks{20});
    EXPECT_EQ(passes("thread ~ work*"), Ticks{20});
    EXPECT_EQ(passes("thread != worker").size(), 6u);
    EXPECT_EQ(passes("channel ~ net.* and source == program").size(), 7u);
    EXPECT_EQ(passes("source == 'program/4242'").size(), 7u) << "as tables have it where several are called so";
    EXPECT_EQ(passes("source == 4242").size(), 7u);
    EXPECT_EQ(passes("source != 'program/4242'").size(), 0u);
    EXPECT_EQ(passes("source == 'program/4243'").size(), 0u);
}

TEST_F(Filter, AndBindsTighterThanOr) {
    EXPECT_EQ(passes("kind == gap or kind == tick and value == -5"), (Ticks{20, 70}));
    EXPECT_EQ(passes("(kind == gap or kind == tick) && !(value == 9)"), (Ticks{10, 20}));
    EXPECT_EQ(passes("kind==gap||kind==level"), (Ticks{60, 70}));
}

TEST(FilterOfLosses, WhatAKnownThreadLostHidesNoEventOfAnother) {
    support::CaptureBuilder capture(0);
    const auto one = capture.thread("t", 1);
    capture.thread("t", 2);
    const auto rx = capture.channel("net.rx");
    capture.gap(rx, 10, 5, wire::LossCause::kOverrun, 15, one);
    capture.gap(rx, 20, 5, wire::LossCause::kNoRing, 25, 0);
    store::Session session;
    capture.fill(session);
    const store::Lane& lane = *session.lanes()[0];
    const auto hides = [&](const std::string& text) {
        const EventFilter filter = *EventFilter::parse(text);
        EXPECT_TRUE(filter.may_hide(session, {&lane, 1, 20})) << text << ": of no thread that is known";
        return filter.may_hide(session, {&lane, 0, 10});
    };
    EXPECT_FALSE(hides("thread == 't/2'"));
    EXPECT_FALSE(hides("thread == 2 and value > 3"));
    EXPECT_FALSE(hides("not (thread == 't/1' or value > 3)"));
    EXPECT_TRUE(hides("thread == 't/1'"));
    EXPECT_TRUE(hides("thread == t and value > 3"));
    EXPECT_TRUE(hides("thread != 't/2'"));
    EXPECT_TRUE(hides("thread == 't/2' or value > 3"));
}

TEST_F(Filter, SaysWhatItDoesNotUnderstandAndWhere) {
    for (const char* text : {"", "value", "value >", "value > x", "colour == red", "kind == blue", "kind < gap", "value ~ 3",
                             "text < a", "(value > 1", "value > 1)", "value in 3", "text == 'open", "value > 1 value < 2",
                             "and", "not", "value == 1 and"}) {
        const auto filter = EventFilter::parse(text);
        ASSERT_FALSE(filter.ok()) << text;
        EXPECT_EQ(filter.error().code, ErrorCode::kInvalidInput);
        EXPECT_NE(filter.error().message.find("character"), std::string::npos) << filter.error().message;
    }
    EXPECT_FALSE(EventFilter::parse(std::string(100000, '(')).ok());
    EXPECT_FALSE(EventFilter::parse(std::string(100000, '!')).ok());
}

// A chain is as deep as it is long, in every walk over it.
TEST_F(Filter, TakesManyConditionsButNotAnyNumber) {
    const auto chain = [](const char* joint, int terms) {
        std::string text = "tick > 1";
        for (int i = 1; i < terms; ++i) text += std::string(joint) + "tick>1";
        return text;
    };
    for (const char* joint : {"||", " and "}) {
        EXPECT_EQ(passes(chain(joint, 256)).size(), 7u);
        for (const int terms : {257, 9'000, 100'000}) {
            const auto filter = EventFilter::parse(chain(joint, terms));
            ASSERT_FALSE(filter.ok()) << terms;
            EXPECT_EQ(filter.error().code, ErrorCode::kInvalidInput);
            EXPECT_NE(filter.error().message.find("more than 256 conditions"), std::string::npos) << filter.error().message;
        }
    }
    EXPECT_FALSE(EventFilter::parse("not (" + chain("||", 200) + ") and (" + chain("&&", 200) + ")").ok());
}

}  // namespace
}  // namespace sla::analysis
