// Triggers over a made-up merged stream; 1 tick is 1 ns.
#include "tests/unit/agent/shots/trigger_watch_fixture.h"

#include <gmock/gmock.h>

#include <string>
#include <vector>

namespace sla::shots {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST_F(Watch, GoesThroughItsStates) {
    ASSERT_EQ(set("a", 100, 200, 0, 50), "");
    EXPECT_EQ(state(), "pre-filling");
    step({1050}, 1099);
    EXPECT_EQ(state(), "pre-filling");
    EXPECT_THAT(fired(), ElementsAre()) << "its pre time is not there yet";
    step({}, 1100);
    EXPECT_EQ(state(), "armed");
    step({1150}, 1200);
    EXPECT_EQ(state(), "post-filling");
    EXPECT_TRUE(orders_.empty());
    step({}, 1350);
    EXPECT_EQ(state(), "fired") << "the window is there, the hold-off is not over";
    ASSERT_EQ(orders_.size(), 1u);
    step({}, 1401);
    EXPECT_EQ(state(), "pre-filling");
    step({}, 1501);
    EXPECT_EQ(state(), "armed");
}

TEST_F(Watch, ChannelsThatComeAndGoTakeNoMorePlacesThanThereAreAtATime) {
    ASSERT_EQ(set("width short.* > 50ns", 0, 10), "");
    for (std::uint32_t id = 10; id < 1010; ++id) {
        watch_.add_channel(ChannelId{id}, "short.lived");
        ASSERT_TRUE(watch_.wants(ChannelId{id}));
        wire::EventBatch batch;
        batch.channel = ChannelId{id};
        batch.add(now_ + 20, SLA_CODE_BEGIN, 0, 1);
        if (id % 2 == 0) batch.add(now_ + 30, SLA_CODE_END, 0, 1);
        watch_.take(batch, 0);
        now_ += 100;
        watch_.advance(now_);
        watch_.remove_channel(ChannelId{id});
        EXPECT_FALSE(watch_.wants(ChannelId{id}));
    }
    EXPECT_THAT(fired(), ElementsAre()) << "what a channel that is gone had open is no span of the one in its place";
    watch_.add_channel(ChannelId{2000}, "short.lived");
    wire::EventBatch batch;
    batch.channel = ChannelId{2000};
    batch.add(now_ + 10, SLA_CODE_BEGIN, 0, 1);
    batch.add(now_ + 80, SLA_CODE_END, 0, 1);
    watch_.take(batch, 0);
    watch_.advance(now_ + 100);
    EXPECT_THAT(fired(), ElementsAre(now_ + 80));
}

TEST_F(Watch, ReportsWhatItWasSetTo) {
    ASSERT_EQ(set("a", 100, 200, 3, 50, {"notify"}), "");
    const wire::TriggerStatus reported = status();
    EXPECT_EQ(reported.asked().name(), reported.name()) << "the name that was given";
    EXPECT_EQ(reported.asked().expression(), "a");
    EXPECT_EQ(reported.asked().pre_ns(), 100);
    EXPECT_EQ(reported.asked().post_ns(), 200);
    EXPECT_EQ(reported.asked().shots(), 3u);
    EXPECT_EQ(reported.asked().hold_off_ns(), 50);
    ASSERT_EQ(reported.asked().actions_size(), 1);
    ASSERT_EQ(watch_.set(reported.asked(), true, now_, kHz), "") << "it sets the same again";
    wire::Status all;
    watch_.fill(all);
    EXPECT_EQ(all.triggers_size(), 1);
}

TEST_F(Watch, AStatusStaysSmallWhateverItsTriggersWereSetTo) {
    for (int i = 0; i < 64; ++i) {
        wire::SetTrigger request;
        request.set_levels("level a\n  if a trigger # " + std::string(30'000, 'x') + "\n");
        ASSERT_EQ(watch_.set(request, true, now_, kHz), "");
    }
    wire::Status all;
    watch_.fill(all);
    ASSERT_EQ(all.triggers_size(), 64);
    EXPECT_TRUE(all.triggers(0).has_asked());
    EXPECT_FALSE(all.triggers(63).has_asked());
    EXPECT_LT(all.ByteSizeLong(), 100'000u);
}

TEST_F(Watch, AShotIsTheWindowAroundItsHitAndWindowsNeverOverlap) {
    ASSERT_EQ(set("a", 100, 200), "");
    step({1100, 1150, 1300, 1400, 1401, 1402}, 3000);
    EXPECT_THAT(fired(), ElementsAre(1100, 1401));
    EXPECT_EQ(shots_[0].begin_tick(), 1000u);
    EXPECT_EQ(shots_[0].end_tick(), 1300u);
    EXPECT_EQ(shots_[1].begin_tick(), 1301u);
    EXPECT_EQ(shots_[1].number(), 2u);
    EXPECT_EQ(shots_[1].what(), "a");
}

TEST_F(Watch, StopsAfterItsShotsAndBeginsAnewWhenArmed) {
    ASSERT_EQ(set("a", 0, 10, 2), "");
    step({1010, 1030, 1050}, 1100);
    EXPECT_THAT(fired(), ElementsAre(1010, 1030));
    EXPECT_EQ(state(), "stopped");
    EXPECT_EQ(control(wire::ControlTrigger::ARM), "");
    step({1110, 1130, 1150}, 1200);
    EXPECT_THAT(fired(), ElementsAre(1010, 1030, 1110, 1130));
    EXPECT_EQ(shots_.back().number(), 4u) << "numbers go on";
}

TEST_F(Watch, TheActionStopStopsAfterTheFirst) {
    ASSERT_EQ(set("a", 0, 10, 0, 0, {"stop", "notify"}), "");
    step({1010, 1030}, 1100);
    EXPECT_THAT(fired(), ElementsAre(1010));
    EXPECT_THAT(notices_, ElementsAre(HasSubstr("trigger trigger-1: shot 1")));
}

TEST_F(Watch, CanBeStoppedFiredByHandAndRemoved) {
    ASSERT_EQ(set("b", 100, 10), "");
    EXPECT_THAT(control(wire::ControlTrigger::FIRE), HasSubstr("is pre-filling"));
    step({}, 1200);
    EXPECT_EQ(control(wire::ControlTrigger::FIRE, "trigger-1"), "");
    EXPECT_THAT(fired(), ElementsAre(1200));
    EXPECT_EQ(shots_[0].what(), "fired by hand");
    EXPECT_EQ(control(wire::ControlTrigger::STOP), "");
    step({}, 1300);
    EXPECT_EQ(state(), "stopped");
    EXPECT_THAT(control(wire::ControlTrigger::ARM, "other"), HasSubstr("no trigger named 'other'"));
    EXPECT_EQ(control(wire::ControlTrigger::REMOVE), "");
    EXPECT_EQ(watch_.size(), 0u);
    EXPECT_THAT(control(wire::ControlTrigger::ARM), HasSubstr("has no trigger"));
}

TEST_F(Watch, LooksOnlyAtChannelsThatATriggerNames) {
    EXPECT_FALSE(watch_.wants(ChannelId{0}));
    ASSERT_EQ(set("a then later.*", 0, 10), "");
    EXPECT_TRUE(watch_.wants(ChannelId{0}));
    EXPECT_FALSE(watch_.wants(ChannelId{1}));
    watch_.add_channel(ChannelId{7}, "later.1");
    EXPECT_TRUE(watch_.wants(ChannelId{7})) << "a channel that comes later";
}

TEST_F(Watch, SetAgainTakesThePlaceOfTheOneWithThatName) {
    wire::SetTrigger request;
    request.set_name("mine");
    request.set_expression("a");
    ASSERT_EQ(watch_.set(request, true, now_, kHz), "");
    request.set_expression("b");
    ASSERT_EQ(watch_.set(request, true, now_, kHz), "");
    EXPECT_EQ(watch_.size(), 1u);
    EXPECT_EQ(status().expression(), "b");
    EXPECT_THAT(set("a b", 0, 0), HasSubstr("column 3"));
}

TEST_F(Watch, LossesAreCountedAsCannotTell) {
    ASSERT_EQ(set("a", 0, 10), "");
    wire::EventBatch batch;
    batch.channel = ChannelId{0};
    batch.add(1010, SLA_CODE_GAP, 5, 1);
    watch_.take(batch, 0);
    watch_.advance(1100);
    EXPECT_EQ(status().cannot_tell(), 1u);
    EXPECT_THAT(fired(), ElementsAre());
}

TEST_F(Watch, TheEndOfTheAgentCompletesWindows) {
    ASSERT_EQ(set("a", 0, 1'000'000), "");
    step({1010}, 1100);
    EXPECT_TRUE(orders_.empty());
    watch_.finish();
    ASSERT_EQ(orders_.size(), 1u);
}

TEST_F(Watch, WhatWentWrongWithAnOrderIsShown) {
    ASSERT_EQ(set("a", 0, 10), "");
    watch_.report("trigger-1", "the disk is full");
    step({}, 1100);
    EXPECT_EQ(status().problem(), "the disk is full");
    EXPECT_THAT(notices_, ElementsAre("trigger trigger-1: the disk is full"));
}

TEST_F(Watch, AWindowThatFillsIsOrderedAsFarAsItIsWhenItsTriggerGoesOrIsSetAnew) {
    for (const bool is_removed : {true, false}) {
        orders_.clear();
        set("a", 0, 1000, 0, 0, {"snapshot=f.sla"});
        step({now_ + 10}, now_ + 20);
        EXPECT_EQ(state(), "post-filling");
        ASSERT_TRUE(orders_.empty());
        if (is_removed) {
            EXPECT_EQ(control(wire::ControlTrigger::REMOVE), "");
        } else {
            wire::SetTrigger again;
            again.set_name(status().name());
            again.set_expression("b");
            EXPECT_EQ(watch_.set(again, true, now_, kHz), "");
        }
        ASSERT_EQ(orders_.size(), 1u) << is_removed;
        EXPECT_EQ(orders_[0].all_at, now_) << "nothing more is waited for";
        EXPECT_EQ(orders_[0].shot.end_tick(), now_);
        EXPECT_EQ(shots_.back().end_tick(), shots_.back().tick() + 1000) << "as it was announced";
    }
}

TEST_F(Watch, ChannelsThatNobodyHasAreAProblemUntilTheyCome) {
    set("dma.strat", 0, 0);
    EXPECT_EQ(status().problem(), "no channel is called 'dma.strat' yet; waiting for it");
    EXPECT_TRUE(notices_.empty()) << "a program that is still to come is no news for all";
    watch_.add_channel(ChannelId{2}, "dma.start");
    EXPECT_THAT(notices_, ElementsAre("trigger trigger-1: no channel is called 'dma.strat' yet (did you mean 'dma.start'?); "
                                      "waiting for it"));
    watch_.add_channel(ChannelId{3}, "dma.stat");
    EXPECT_EQ(notices_.size(), 1U) << "said once";
    watch_.add_channel(ChannelId{4}, "dma.strat");
    EXPECT_EQ(status().problem(), "");
    set("dma.statr", 0, 0);
    EXPECT_EQ(notices_.size(), 2U) << "at once";
}

TEST_F(Watch, WhatWentWrongIsSaidAlsoWhenItsTriggerIsGone) {
    set("a", 0, 0);
    ASSERT_EQ(control(wire::ControlTrigger::REMOVE), "");
    watch_.report("trigger-1", "no space");
    step({}, 100);
    ASSERT_FALSE(notices_.empty());
    EXPECT_THAT(notices_.back(), HasSubstr("no space"));
    watch_.report("trigger-1", "no folder");
    EXPECT_THAT(watch_.take_unsaid(), ElementsAre("trigger trigger-1: no folder"));
}

}  // namespace
}  // namespace sla::shots
