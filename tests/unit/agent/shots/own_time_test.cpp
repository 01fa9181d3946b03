// Triggers on channels of a source that makes up its time; 1 tick is 1 ns.
#include "tests/unit/agent/shots/trigger_watch_fixture.h"

#include <gmock/gmock.h>

#include <vector>

namespace sla::shots {
namespace {

using testing::ElementsAre;

// A guest whose time is behind the machine's, at 500 when that is 1000, and goes slower.
class GuestWatch : public Watch {
protected:
    GuestWatch() {
        watch_.add_channel(ChannelId{5}, "guest", kGuest);
        watch_.know(kGuest, 500);
    }
    void step_guest(const std::vector<std::uint64_t>& ticks, std::uint64_t guest, std::uint64_t watermark) {
        wire::EventBatch batch;
        batch.channel = ChannelId{5};
        for (const std::uint64_t tick : ticks) batch.add(tick, SLA_CODE_TICK, 0, 1);
        if (watch_.wants(batch.channel)) watch_.take(batch, 0);
        watch_.know(kGuest, guest);
        watch_.advance(watermark);
        now_ = watermark;
    }
    static constexpr trigger::TimeSource kGuest{3};
};

TEST_F(GuestWatch, GoesThroughItsStatesByTheGuestsTime) {
    ASSERT_EQ(set("guest", 100, 200, 0, 50), "");
    EXPECT_EQ(state(), "pre-filling");
    step_guest({550}, 590, 5000);
    EXPECT_EQ(state(), "pre-filling") << "100 of the guest's ns are not there yet";
    EXPECT_THAT(fired(), ElementsAre());
    step_guest({}, 600, 6000);
    EXPECT_EQ(state(), "armed");
    step_guest({650}, 660, 7000);
    EXPECT_EQ(state(), "post-filling");
    ASSERT_THAT(fired(), ElementsAre(650));
    EXPECT_EQ(shots_[0].time_source(), kGuest.value);
    step_guest({}, 849, 8000);
    EXPECT_TRUE(orders_.empty()) << "what happens in the guest until 850 belongs to the window";
    step_guest({}, 850, 9000);
    ASSERT_EQ(orders_.size(), 1u);
    EXPECT_EQ(orders_[0].shot.end_tick(), 850u);
    EXPECT_EQ(orders_[0].all_at, 9000u) << "by the machine's clock all of it is there by now";
    EXPECT_EQ(state(), "fired");
    step_guest({}, 1001, 9100);
    EXPECT_EQ(state(), "armed");
}

TEST_F(GuestWatch, AGuestThatEndsLeavesTheWindowAsCompleteAsItGets) {
    ASSERT_EQ(set("guest", 0, 200), "");
    step_guest({550}, 560, 5000);
    EXPECT_TRUE(orders_.empty());
    watch_.end_time(kGuest);
    watch_.advance(5001);
    ASSERT_EQ(orders_.size(), 1u);
    EXPECT_EQ(state(), "armed");
}

TEST_F(GuestWatch, FiredByHandItIsTheGuestsNow) {
    ASSERT_EQ(set("guest", 0, 0), "");
    step_guest({}, 520, 5000);
    EXPECT_EQ(control(wire::ControlTrigger::FIRE), "");
    EXPECT_THAT(fired(), ElementsAre(520));
}

TEST_F(GuestWatch, WhatLooksAtTheMachinesChannelsToo) {
    ASSERT_EQ(set("guest or a", 0, 100), "");
    step_guest({550}, 560, 2000);
    step({2300}, 2400);
    EXPECT_THAT(fired(), ElementsAre(550, 2300));
    ASSERT_EQ(orders_.size(), 1u) << "the machine's window is over, the guest's stands still";
    EXPECT_EQ(orders_[0].shot.tick(), 2300u);
    EXPECT_EQ(orders_[0].shot.time_source(), 0u);
    step_guest({}, 650, 3000);
    ASSERT_EQ(orders_.size(), 2u);
    EXPECT_EQ(orders_[1].shot.tick(), 550u);
}

TEST_F(GuestWatch, AGuestThatStandsStillOrIsGoneKeepsNobodyFromLookingAtTheMachine) {
    ASSERT_EQ(set("guest or a", 0, 100), "");
    step_guest({550}, 560, 2000);
    step({}, 5000);
    watch_.retime(kHz);
    step({5050}, 6000);
    EXPECT_THAT(fired(), ElementsAre(550, 5050)) << "no more than 101 ns of the machine's time belong to the guest's shot";
    step_guest({700}, 710, 7000);
    watch_.end_time(kGuest);
    watch_.advance(8000);
    watch_.remove_channel(ChannelId{5});
    watch_.forget_time(kGuest);
    watch_.retime(kHz);
    step({8300}, 9000);
    EXPECT_THAT(fired(), ElementsAre(550, 5050, 700, 8300));
}

// All of it is there at once, as of a program that does not wait: each hit is in the midst of what is known.
TEST_F(GuestWatch, ASilenceBehindThenIsOfTheGuestsTimeAgainAndAgain) {
    watch_.add_channel(ChannelId{6}, "port", kGuest);
    ASSERT_EQ(set("port then gap guest > 100ns", 0, 200), "");
    wire::EventBatch ports;
    ports.channel = ChannelId{6};
    for (const std::uint64_t tick : {1000, 2000, 3000, 4000}) ports.add(tick, SLA_CODE_TICK, 0, 1);
    watch_.take(ports, 0);
    step_guest({1050, 2050, 4050}, 5000, 5000);
    EXPECT_THAT(fired(), ElementsAre(1151, 2151, 3101, 4151));
    for (const wire::Shot& shot : shots_) EXPECT_EQ(shot.time_source(), kGuest.value) << "at " << shot.tick();
    EXPECT_EQ(orders_.size(), 4u);
}

TEST_F(GuestWatch, OtherMachinesAreToldTheMachinesTime) {
    std::vector<wire::Shot> told;
    TriggerWatch watch{Hooks{.announce = [](const wire::Shot&) {},
                             .notice = [](const std::string&) {},
                             .act = [](ShotOrder) {},
                             .notify_fleet = [&](const wire::Shot& shot) { told.push_back(shot); }}};
    watch.add_channel(ChannelId{5}, "guest", kGuest);
    watch.know(kGuest, 500);
    wire::SetTrigger request;
    request.set_expression("guest");
    request.set_pre_ns(10);
    request.set_post_ns(20);
    request.add_actions("fleet");
    ASSERT_EQ(watch.set(request, true, 1000, kHz), "");
    wire::EventBatch batch;
    batch.channel = ChannelId{5};
    batch.add(550, SLA_CODE_TICK, 0, 1);
    watch.take(batch, 0);
    watch.know(kGuest, 560);
    watch.advance(2000);
    ASSERT_EQ(told.size(), 1u);
    EXPECT_EQ(told[0].tick(), 2000u);
    EXPECT_EQ(told[0].begin_tick(), 1990u);
    EXPECT_EQ(told[0].end_tick(), 2020u);
}

}  // namespace
}  // namespace sla::shots
