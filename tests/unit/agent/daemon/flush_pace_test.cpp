#include "agent/daemon/pipeline/flush_pace.h"

#include "tests/unit/agent/daemon/pipeline_fixture.h"

#include <gtest/gtest.h>

namespace sla::daemon {
namespace {

using support::TestSegment;
using support::TestWriter;

constexpr double kRate = 1e6;  // ticks are microseconds
constexpr FlushPace::Batches kFew{50, false};
constexpr FlushPace::Batches kMany{500, true};
constexpr FlushPace::Batches kVeryMany{5000, true};  // 100 ms of them

TEST(FlushPace, FewBatchesAreClosedEveryFiveMilliseconds) {
    const FlushPace fresh(1000);
    FlushPace pace = fresh;
    EXPECT_FALSE(pace.is_due(5999, kRate, kFew));
    EXPECT_TRUE(pace.is_due(6000, kRate, kFew));
    pace.note_closed(6000, kRate, kFew);
    EXPECT_FALSE(pace.leaves_little(6001));
}

TEST(FlushPace, ManySmallOnesWaitByTheirNumber) {
    const auto waits_for = [](const FlushPace::Batches& batches) {
        FlushPace pace(0);
        std::uint64_t now = 1000;
        while (!pace.is_due(now, kRate, batches)) now += 1000;
        return now;
    };
    EXPECT_EQ(waits_for(kMany), 20'000u);
    EXPECT_EQ(waits_for(kVeryMany), 100'000u);
    EXPECT_EQ(waits_for({1'000'000, true}), 500'000u);
}

TEST(FlushPace, LittleIsLeftForAsLongAsItsBatchesWouldWait) {
    FlushPace pace(0);
    EXPECT_FALSE(pace.leaves_little(1));
    ASSERT_FALSE(pace.is_due(10'000, kRate, kVeryMany));
    EXPECT_TRUE(pace.leaves_little(10'001)) << "what came now would wait as well";
    EXPECT_TRUE(pace.leaves_little(99'999));
    EXPECT_FALSE(pace.leaves_little(100'000));
    ASSERT_TRUE(pace.is_due(100'001, kRate, kVeryMany));
    pace.note_closed(100'001, kRate, kVeryMany);
    pace.note_published(100'001);
    EXPECT_TRUE(pace.leaves_little(200'000)) << "and so for the next ones";
    EXPECT_FALSE(pace.leaves_little(200'001));
}

TEST(FlushPace, WhatWasWaitedForIsClosedHoweverManyThereAre) {
    FlushPace pace(0);
    ASSERT_FALSE(pace.is_due(10'000, kRate, kVeryMany));
    EXPECT_TRUE(pace.is_due(100'000, kRate, {10'000, true})) << "rings were left for 100 ms";
}

TEST(FlushPace, NothingIsLeftForAShortTime) {
    FlushPace pace(0);
    ASSERT_FALSE(pace.is_due(10'000, kRate, kMany));
    EXPECT_FALSE(pace.leaves_little(10'001));
    pace.note_closed(20'000, kRate, kMany);
    EXPECT_FALSE(pace.leaves_little(20'001));
}

TEST(FlushPace, FewBatchesMeanwhileChangeNothing) {
    FlushPace pace(0);
    pace.note_closed(0, kRate, kVeryMany);
    ASSERT_TRUE(pace.is_due(10'000, kRate, kFew)) << "of busy channels";
    pace.note_closed(10'000, kRate, kFew);
    pace.note_published(10'000);
    EXPECT_TRUE(pace.leaves_little(50'000));
    ASSERT_TRUE(pace.is_due(100'000, kRate, kFew));
    pace.note_closed(100'000, kRate, kFew);
    EXPECT_FALSE(pace.leaves_little(100'001)) << "there are not many any more";
}

TEST(FlushPace, WithoutAReaderTheyWaitLongerUntilOneComes) {
    FlushPace pace(0);
    pace.note_readers(0, false);
    EXPECT_TRUE(pace.is_due(5'000, kRate, kFew));
    pace.note_closed(5'000, kRate, kVeryMany);
    pace.note_published(5'000);
    EXPECT_FALSE(pace.is_due(1'004'999, kRate, kVeryMany));
    EXPECT_TRUE(pace.leaves_little(1'004'999));
    EXPECT_TRUE(pace.is_due(1'005'000, kRate, kVeryMany));
    pace.note_closed(1'005'000, kRate, kVeryMany);
    pace.note_published(1'005'000);
    pace.note_readers(1'010'000, true);
    EXPECT_FALSE(pace.leaves_little(1'010'000));
    EXPECT_TRUE(pace.is_due(1'010'000, kRate, kVeryMany));
    pace.note_closed(1'010'000, kRate, kVeryMany);
    pace.note_published(1'010'000);
    EXPECT_FALSE(pace.leaves_little(1'110'000));
}

TEST(FlushPace, WhatCameDuringAStepThatTookEverythingIsNotMuch) {
    FlushPace pace(0);
    pace.note_closed(0, kRate, kVeryMany);
    pace.note_waiting(2 * FlushPace::kManyWaiting, false);
    EXPECT_TRUE(pace.leaves_little(10)) << "taking everything once more brings as many anew";
}

TEST(FlushPace, NoMoreRowsAreToWaitThanMayInMemory) {
    FlushPace pace(0);
    EXPECT_TRUE(pace.is_due(60'000, kRate, {5000, true, 1.0})) << "they are as many as may";
    pace.note_closed(60'000, kRate, {5000, true, 1.0});
    pace.note_published(60'000);
    EXPECT_TRUE(pace.leaves_little(119'999)) << "as many come in 60 ms";
    EXPECT_FALSE(pace.leaves_little(120'000));
    pace.note_closed(120'000, kRate, {5000, true, 0.01});
    pace.note_published(120'000);
    EXPECT_TRUE(pace.leaves_little(219'999)) << "there are few";
    pace.note_closed(220'000, kRate, {5000, true, 5.0});
    EXPECT_FALSE(pace.leaves_little(220'001)) << "as many come in 20 ms";
}

TEST(FlushPace, NothingIsLeftWhileManyRowsWaitForIt) {
    FlushPace pace(0);
    pace.note_closed(0, kRate, kVeryMany);
    pace.note_waiting(FlushPace::kManyWaiting + 1, true);
    EXPECT_FALSE(pace.leaves_little(10));
    pace.note_waiting(10, false);
    EXPECT_TRUE(pace.leaves_little(20));
    pace.note_waiting(FlushPace::kManyWaiting + 10, true);
    EXPECT_TRUE(pace.leaves_little(30));
    pace.note_waiting(FlushPace::kManyWaiting + 11, true);
    EXPECT_FALSE(pace.leaves_little(40));
}

// The pipeline with many channels of which each has a little now and then.
class ManyRings : public PipelineTest {
protected:
    static constexpr int kRings = 200;
    static constexpr std::uint64_t kBurst = 5;

    void start() {
        pipeline_.count_readers_with([this] { return readers_; });
        for (int i = 0; i < kRings; i++)
            rings_.push_back(segment_.add_ring(segment_.add_channel("c" + std::to_string(i)), 2048));
        program_ = std::make_shared<source::Program>(segment_.view());
        pipeline_.add_program(program_);
        catch_up();
    }
    void burst() {
        for (const std::uint32_t ring : rings_) {
            TestWriter writer(segment_, ring);
            for (std::uint64_t i = 0; i < kBurst; i++) SLA_TICK(writer.channel(), marked_ * kBurst + i);
        }
        marked_++;
    }
    // Until rings are left, which takes a flush of many small batches before.
    bool burst_until_little_is_left() {
        for (int tries = 0; tries < 1000; tries++) {
            burst();
            if (pipeline_.step().left_rings == kRings) return true;
        }
        return false;
    }
    void expect_all() {
        ASSERT_EQ(received_.values.size(), std::size_t{kRings});
        for (const auto& [name, values] : received_.values) {
            ASSERT_EQ(values.size(), marked_ * kBurst) << name;
            for (std::size_t i = 0; i < values.size(); i++) ASSERT_EQ(values[i], i) << name;
        }
        EXPECT_EQ(received_.lost, 0u);
    }

    TestSegment segment_;
    std::vector<std::uint32_t> rings_;
    std::shared_ptr<source::Program> program_;
    std::uint64_t marked_ = 0;
    std::size_t readers_ = 0;
};

TEST_F(ManyRings, WhatWasLeftIsAllThereInOrderOnceReadersAreToldSo) {
    start();
    ASSERT_TRUE(burst_until_little_is_left());
    catch_up();
    expect_all();
}

TEST_F(ManyRings, AReaderThatComesGetsWhatWasLeft) {
    start();
    ASSERT_TRUE(burst_until_little_is_left());
    readers_ = 1;
    EXPECT_EQ(pipeline_.step().left_rings, 0u);
    catch_up();
    expect_all();
}

TEST_F(ManyRings, AnAgentThatEndsTakesWhatWasLeft) {
    start();
    ASSERT_TRUE(burst_until_little_is_left());
    pipeline_.finish("test");
    read();
    expect_all();
}

TEST_F(ManyRings, AProgramThatEndsWhileALittleIsLeftLosesNothing) {
    start();
    ASSERT_TRUE(burst_until_little_is_left());
    program_->ended = true;
    pipeline_.step();
    EXPECT_EQ(pipeline_.program_count(), 0u);
    catch_up();
    expect_all();
}

TEST_F(ManyRings, ATriggerSeesEverythingAtOnce) {
    start();
    wire::SetTrigger trigger;
    trigger.set_expression("c0 then c1 within 1ns");
    ASSERT_EQ(pipeline_.set_trigger(trigger, true), "");
    for (int tries = 0; tries < 300; tries++) {
        burst();
        ASSERT_EQ(pipeline_.step().left_rings, 0u);
    }
}

TEST_F(ManyRings, ATriggerSeesNothingFromBeforeItWasSet) {
    std::vector<shots::ShotOrder> orders;
    pipeline_.act_on_shots_with([&orders](shots::ShotOrder order) { orders.push_back(std::move(order)); });
    start();
    burst();
    pipeline_.step();
    wire::SetTrigger trigger;
    trigger.set_expression("c7");
    trigger.set_post_ns(1000);
    ASSERT_EQ(pipeline_.set_trigger(trigger, true), "");
    catch_up();
    EXPECT_TRUE(orders.empty());
    burst();
    catch_up();
    catch_up();
    EXPECT_FALSE(orders.empty());
    expect_all();
}

TEST_F(ManyRings, EachEventOfManyBurstsComesInOrder) {
    start();
    for (int round = 0; round < 300; round++) {
        burst();
        pipeline_.step();
        if (round % 50 == 0) catch_up();
    }
    catch_up();
    expect_all();
}

}  // namespace
}  // namespace sla::daemon
