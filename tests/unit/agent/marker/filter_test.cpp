// Filters as a marked program applies them, on a segment of its own and with no agent.
#include "proto/ring/segment_view.h"

#include <sla/marker.h>

#include <gtest/gtest.h>

#include <unistd.h>

#include <atomic>
#include <bit>
#include <cmath>
#include <thread>
#include <vector>

extern "C" {
#include "agent/marker/internal.h"
}

namespace sla {
namespace {

class FilterTest : public testing::Test {
protected:
    FilterTest() : view_(map()) {
        channel_.name = "filter.test";
        channel_.format = "";
        channel_.index = sla_register_channel(&channel_);
    }
    ~FilterTest() override { sla_filter_clear_all(); }

    static ring::SegmentView map() {
        EXPECT_TRUE(sla_segment_create());
        auto view = ring::SegmentView::map(dup(sla_segment_fd()));
        EXPECT_TRUE(view.ok());
        return std::move(view).value();
    }
    void want(std::uint32_t compare, std::int64_t low, std::int64_t high = 0, std::uint64_t every = 0) {
        view_.set_control(channel_.index, {false, 0, compare, false, static_cast<std::uint64_t>(low),
                                           static_cast<std::uint64_t>(high), every});
    }
    void want_real(std::uint32_t compare, double low, double high = 0) {
        view_.set_control(channel_.index, {false, 0, compare, true, std::bit_cast<std::uint64_t>(low),
                                           std::bit_cast<std::uint64_t>(high), 0});
    }
    bool keeps(sla_code code, std::uint64_t value = 0) { return sla_filter_keeps(&channel_, states_.data(), code, value); }
    bool keeps_signed(std::int64_t value) { return keeps(SLA_CODE_VALUE_SIGNED, static_cast<std::uint64_t>(value)); }
    bool keeps_float(double value) { return keeps(SLA_CODE_VALUE_FLOAT, std::bit_cast<std::uint64_t>(value)); }

    ring::SegmentView view_;
    sla_channel channel_{};
    std::vector<sla_filter_state> states_ = std::vector<sla_filter_state>(SLA_MAX_CHANNELS + 1);
};

TEST_F(FilterTest, EveryComparisonHoldsAtItsEdges) {
    struct Case {
        sla_compare compare;
        bool at_9, at_10, at_11;
    };
    for (Case c : {Case{SLA_COMPARE_ANY, true, true, true}, Case{SLA_COMPARE_LESS, true, false, false},
                   Case{SLA_COMPARE_LESS_EQUAL, true, true, false}, Case{SLA_COMPARE_GREATER, false, false, true},
                   Case{SLA_COMPARE_GREATER_EQUAL, false, true, true}, Case{SLA_COMPARE_EQUAL, false, true, false},
                   Case{SLA_COMPARE_NOT_EQUAL, true, false, true}}) {
        want(c.compare, 10);
        EXPECT_EQ(keeps_signed(9), c.at_9) << c.compare;
        EXPECT_EQ(keeps_signed(10), c.at_10) << c.compare;
        EXPECT_EQ(keeps_signed(11), c.at_11) << c.compare;
        want_real(c.compare, 10);
        EXPECT_EQ(keeps_signed(9), c.at_9) << c.compare;
        EXPECT_EQ(keeps_float(10), c.at_10) << c.compare;
        EXPECT_EQ(keeps(SLA_CODE_VALUE_UNSIGNED, 11), c.at_11) << c.compare;
    }
    want(SLA_COMPARE_INSIDE, -3, 9);
    EXPECT_FALSE(keeps_signed(-4));
    EXPECT_TRUE(keeps_signed(-3));
    EXPECT_TRUE(keeps_signed(9));
    EXPECT_FALSE(keeps_signed(10));
    want_real(SLA_COMPARE_INSIDE, 0.25, 0.5);
    EXPECT_TRUE(keeps_float(0.5));
    EXPECT_FALSE(keeps_float(0.51));
}

TEST_F(FilterTest, NumbersAreComparedAsWhatTheyAre) {
    want(SLA_COMPARE_GREATER, INT64_MAX);
    EXPECT_TRUE(keeps(SLA_CODE_VALUE_UNSIGNED, ~std::uint64_t{0}));
    EXPECT_FALSE(keeps_signed(-1));
    want(SLA_COMPARE_LESS, 0);
    EXPECT_FALSE(keeps(SLA_CODE_VALUE_UNSIGNED, ~std::uint64_t{0}));
    EXPECT_TRUE(keeps(SLA_CODE_TICK_VALUE, static_cast<std::uint64_t>(-1)));
    EXPECT_TRUE(keeps_float(-0.5));
    for (sla_compare compare : {SLA_COMPARE_LESS, SLA_COMPARE_GREATER_EQUAL, SLA_COMPARE_EQUAL, SLA_COMPARE_INSIDE}) {
        want(compare, 0);
        EXPECT_FALSE(keeps_float(std::nan(""))) << compare;
    }
    want(SLA_COMPARE_NOT_EQUAL, 0);
    EXPECT_TRUE(keeps_float(std::nan("")));
}

TEST_F(FilterTest, MarkersWithoutAValuePassAConditionOnIt) {
    want(SLA_COMPARE_GREATER, 1000);
    EXPECT_TRUE(keeps(SLA_CODE_TICK));
    EXPECT_TRUE(keeps(SLA_CODE_TEXT, 3));
    EXPECT_TRUE(keeps(SLA_CODE_BEGIN));
    EXPECT_TRUE(keeps(SLA_CODE_END));
}

TEST_F(FilterTest, EveryNthOfWhatPassesIsKeptBeginningWithTheFirst) {
    want(SLA_COMPARE_GREATER_EQUAL, 50, 0, 10);
    std::vector<int> kept;
    for (int value = 0; value < 100; value++) {
        if (keeps_signed(value)) kept.push_back(value);
    }
    EXPECT_EQ(kept, (std::vector<int>{50, 60, 70, 80, 90}));
}

TEST_F(FilterTest, ASpanIsKeptOrTurnedAwayWhole) {
    want(SLA_COMPARE_GREATER, 100);
    EXPECT_TRUE(keeps(SLA_CODE_BEGIN_VALUE, 200));
    EXPECT_FALSE(keeps(SLA_CODE_BEGIN_VALUE, 3));
    EXPECT_TRUE(keeps(SLA_CODE_BEGIN_VALUE, 300));
    EXPECT_TRUE(keeps(SLA_CODE_END_VALUE, 1)) << "the end of 300, whatever it says itself";
    EXPECT_FALSE(keeps(SLA_CODE_END_VALUE, 1000)) << "the end of 3";
    EXPECT_TRUE(keeps(SLA_CODE_END)) << "the end of 200";
    EXPECT_TRUE(keeps(SLA_CODE_END)) << "the end of a span that began before the filter";
}

TEST_F(FilterTest, EveryNthCountsSpansNotTheirEnds) {
    want(SLA_COMPARE_ANY, 0, 0, 3);
    std::string seen;
    for (int i = 0; i < 7; i++) {
        seen += keeps(SLA_CODE_BEGIN) ? 'B' : '.';
        seen += keeps(SLA_CODE_END) ? 'E' : '.';
    }
    EXPECT_EQ(seen, "BE....BE....BE");
}

TEST_F(FilterTest, ANewFilterForgetsTheOldOnesOpenSpans) {
    want(SLA_COMPARE_GREATER, 100);
    EXPECT_FALSE(keeps(SLA_CODE_BEGIN_VALUE, 3));
    want(SLA_COMPARE_LESS, 100);
    EXPECT_TRUE(keeps(SLA_CODE_END));
}

TEST_F(FilterTest, AMarkerThatRunsIntoAChangeInProgressKeepsItsEvent) {
    want(SLA_COMPARE_GREATER, 100);
    EXPECT_FALSE(keeps_signed(3));
    sla_descriptor(channel_.index)->control.sequence++;
    EXPECT_TRUE(keeps_signed(3));
}

// The filter is 10..10 or 20..20 in turns. A mixture, 10..20, would let 15 pass with nothing changing around it.
TEST_F(FilterTest, AFilterThatChangesAllTheTimeIsNeverSeenHalf) {
    want(SLA_COMPARE_INSIDE, 10, 10);
    std::atomic<bool> stop{false};
    std::atomic<int> changes{0};
    std::thread agent([&] {
        for (int i = 0; !stop; changes = i++) want(SLA_COMPARE_INSIDE, i % 2 ? 10 : 20, i % 2 ? 10 : 20);
    });
    int kept_15 = 0;
    for (int i = 0; i < 300'000 || changes < 100'000; i++) {
        const sla_channel_control& control = sla_descriptor(channel_.index)->control;
        std::uint32_t before = __atomic_load_n(&control.sequence, __ATOMIC_SEQ_CST);
        bool kept = keeps_signed(15);
        std::uint32_t after = __atomic_load_n(&control.sequence, __ATOMIC_SEQ_CST);
        if (before == after && before % 2 == 0 && before > 0) kept_15 += kept;
    }
    stop = true;
    agent.join();
    EXPECT_EQ(kept_15, 0);
}

TEST_F(FilterTest, ASwitchAndAFilterSayHowAChannelIsArmed) {
    EXPECT_EQ(sla_filter_armed(&channel_), SLA_ARMED_ON);
    want(SLA_COMPARE_GREATER, 100);
    EXPECT_EQ(sla_filter_armed(&channel_), SLA_ARMED_FILTERED);
    want(SLA_COMPARE_ANY, 0, 0, 2);
    EXPECT_EQ(sla_filter_armed(&channel_), SLA_ARMED_FILTERED);
    view_.set_control(channel_.index, {true, 0, SLA_COMPARE_GREATER});
    EXPECT_EQ(sla_filter_armed(&channel_), SLA_ARMED_OFF);
    view_.set_control(channel_.index, {false, 1 + SLA_OVERWRITE});
    EXPECT_EQ(sla_filter_policy(&channel_), SLA_OVERWRITE);
    sla_filter_clear_all();
    EXPECT_EQ(sla_filter_armed(&channel_), SLA_ARMED_ON);
    EXPECT_EQ(sla_filter_policy(&channel_), SLA_DROP_NEWEST);
}

TEST_F(FilterTest, NonsenseInAControlKeepsEvents) {
    sla_channel_control& control = sla_descriptor(channel_.index)->control;
    control.compare = 4711;
    control.policy = 999;
    EXPECT_TRUE(keeps_signed(1));
    EXPECT_EQ(sla_filter_policy(&channel_), SLA_DROP_NEWEST);
}

}  // namespace
}  // namespace sla
