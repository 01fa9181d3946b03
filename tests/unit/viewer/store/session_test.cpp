#include "viewer/store/session.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <vector>

namespace sla::store {
namespace {

TEST(Session, LanesStandInOrderOfChannelIdAndStayWhereTheyAre) {
    Session session;
    Channel channel;
    channel.id = ChannelId{7};
    channel.name = "b";
    Lane& seventh = session.add_channel(channel);
    channel.id = ChannelId{3};
    session.add_channel(channel);
    channel.id = ChannelId{7};
    channel.name = "renamed";
    EXPECT_EQ(&session.add_channel(channel), &seventh);
    ASSERT_EQ(session.lanes().size(), 2u);
    EXPECT_EQ(session.lanes()[0]->channel().id, ChannelId{3});
    EXPECT_EQ(session.lane_named("renamed"), &seventh);
    EXPECT_EQ(session.lane(ChannelId{9}), nullptr);
}

TEST(Session, TimeCountsFromTheOriginAtTheRateOfTheSnapshots) {
    Session session;
    Origin origin;
    origin.start_tick = 1000;
    session.set_origin(origin);
    session.add_clock(0, {1000, 0, 0, 0, 24});
    session.add_clock(0, {1000 + 2'000'000'000, 1'000'000'000, 0, 0, 0});
    EXPECT_EQ(session.clock().to_ps(1000), 0);
    EXPECT_EQ(session.clock().to_ps(3000), 1'000'000);
    EXPECT_EQ(session.stamp_ticks(), 24u);
}

// A recording of eleven days, a reading every ten seconds: fitted once, and not with every one of them.
TEST(Session, OfVeryManyReadingsTheClockIsThatOfAllOfThem) {
    constexpr std::int64_t kSecond = 1'000'000'000;
    Session asked_often;
    Session asked_once;
    for (Session* session : {&asked_often, &asked_once}) {
        Origin origin;
        origin.start_tick = 1000;
        session->set_origin(origin);
    }
    const auto reading = [](std::int64_t number) {
        const std::int64_t drift = number * number % 1013;
        return time::ClockSnapshot{static_cast<std::uint64_t>(1000 + number * 20 * kSecond + drift), number * 10 * kSecond,
                                   0, 0, 0};
    };
    for (std::int64_t i = 0; i < 300; ++i) {
        for (Session* session : {&asked_often, &asked_once}) session->add_clock(0, reading(i));
        (void)asked_often.clock();
    }
    for (std::int64_t i = 0; i < 300; ++i) {
        const std::uint64_t tick = reading(i).tick + 77;
        EXPECT_EQ(asked_once.clock().to_ps(tick), asked_often.clock().to_ps(tick));
    }
    for (std::int64_t i = 300; i < 100'000; ++i) asked_once.add_clock(0, reading(i));
    EXPECT_NEAR(static_cast<double>(asked_once.clock().to_ps(reading(99'999).tick)), 99'999.0 * 10 * 1e12, 1e9);
}

// A reading every ten seconds of a year.
TEST(Session, HoweverLongItIsFollowedItsReadingsAreBounded) {
    Session session;
    constexpr std::int64_t kReadings = 3'000'000;
    for (std::int64_t i = 0; i < kReadings; ++i)
        session.add_clock(0, {static_cast<std::uint64_t>(1000 + i * 20), i * 10, 0, 0, 0});
    EXPECT_LE(session.snapshots().size(), std::size_t{1} << 20);
    EXPECT_GE(session.snapshots().size(), std::size_t{1} << 19);
    EXPECT_EQ(session.snapshots().front().tick, 1000u);
    EXPECT_EQ(session.snapshots().back().tick, 1000u + (kReadings - 1) * 20);
    EXPECT_NEAR(session.clock().ticks_per_second(), 2e9, 1);
}

// As in a window on an agent: times are looked at while readings of the clock come in.
TEST(Session, NoTimeThatWasShownMovesBeyondTheErrorThatWasShownWithIt) {
    Session session;
    Origin origin;
    origin.start_tick = 1000;
    session.set_origin(origin);
    struct Row {
        std::uint64_t tick;
        std::int64_t ps;
        std::int64_t error;
    };
    std::vector<Row> rows;
    std::int64_t wobble = 0;
    for (std::uint64_t second = 0; second < 40; ++second) {
        wobble = (wobble * 7 + 41) % 97;  // ns that a reading is off by, beyond the error that it says
        const std::uint64_t tick = 1000 + second * 1'000'000'000;
        session.add_clock(0, {tick, static_cast<std::int64_t>(second * 1'000'000'000) + wobble, 0, 5, 0});
        for (const Row& row : rows) {
            EXPECT_LE(std::abs(session.clock().to_ps(row.tick) - row.ps), row.error) << "at " << second << " s";
        }
        session.note_shown();
        rows.push_back({tick, session.clock().to_ps(tick), session.clock().delta_error_ps(tick - 1000)});
    }
    Session longer;
    longer.set_origin(origin);
    longer.add_clock(0, {1000, 0, 0, 5, 0});
    longer.add_clock(0, {1'000'001'000, 1'000'000'090, 0, 5, 0});
    longer.note_shown_as(session);
    for (const Row& row : rows) EXPECT_LE(std::abs(longer.clock().to_ps(row.tick) - row.ps), row.error);
}

TEST(Session, WhatWasNotAskedForIsReportedLaneByLane) {
    Session session;
    EXPECT_FALSE(session.history());
    const auto lane = [&](std::uint32_t id) -> Lane& {
        return session.add_channel({ChannelId{id}, SourceId{1}, "c", "", false});
    };
    const auto add = [](Lane& to, std::uint64_t tick) {
        wire::EventBatch batch;
        batch.add(tick, SLA_CODE_TICK, 0, 1);
        to.append(batch);
    };
    Lane& reaches_back = lane(1);
    reaches_back.set_begins_late();
    add(reaches_back, 900);
    Lane& began_since = lane(2);
    add(began_since, 1200);
    Lane& pauses = lane(3);
    pauses.set_begins_late();
    add(pauses, 1500);
    Lane& empty_since_ever = lane(4);
    Lane& empty_since = lane(5);
    Ledger counted;
    counted.events = 3;
    session.set_ledger(ChannelId{5}, counted);
    Lane& whole = lane(6);
    whole.set_begins_late();
    add(whole, 50);
    EXPECT_FALSE(session.unfetched(reaches_back)) << "all was asked for";
    session.set_history({100, 1000, 7});
    EXPECT_EQ(session.unfetched(reaches_back)->from_tick, 900u);
    EXPECT_EQ(session.unfetched(reaches_back)->oldest_tick, 100u);
    EXPECT_FALSE(session.unfetched(began_since));
    EXPECT_EQ(session.unfetched(pauses)->from_tick, 1000u) << "behind that it is known to have paused";
    EXPECT_FALSE(session.unfetched(empty_since_ever));
    EXPECT_EQ(session.unfetched(empty_since)->from_tick, 1000u);
    EXPECT_FALSE(session.unfetched(whole));
    session.set_history({1000, 1000, 7});
    EXPECT_FALSE(session.history());
}

TEST(Session, TheWatermarkNeverGoesBackAndTheEndMakesEverythingFinal) {
    Session session;
    session.set_watermark(10);
    session.set_watermark(5);
    EXPECT_EQ(session.final_tick(), 10u);
    session.set_ended(20, "done");
    EXPECT_EQ(session.final_tick(), kNever);
    session.reopen();
    EXPECT_EQ(session.final_tick(), 20u);
}

TEST(Session, ShotsStandByTickHoweverTheyCome) {
    Session session;
    for (const std::uint64_t tick : {100, 400, 300, 100, 200}) {
        Shot shot;
        shot.trigger = tick == 300 ? "quick" : "slow";
        shot.tick = tick;
        session.add_shot(shot);
    }
    ASSERT_EQ(session.shots().size(), 4u) << "one came twice";
    for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(session.shots()[i].tick, 100 * (i + 1));
    EXPECT_EQ(session.first_shot_from(0)->tick, 100u);
    EXPECT_EQ(session.first_shot_from(300)->tick, 300u);
    EXPECT_EQ(session.first_shot_from(301)->tick, 400u);
    EXPECT_TRUE(session.first_shot_from(401) == session.shots().end());
}

TEST(Session, LossesThatNobodyCountedAreCountedByPlaces) {
    Session session;
    for (const std::uint32_t id : {1, 2}) {
        Lane& lane = session.add_channel({ChannelId{id}, {}, "lane", "", false});
        lane.append_gap(10, 20, 0, 0, wire::LossCause::kDamaged);
        lane.append_gap(30, 40, 5, 0, wire::LossCause::kOverrun);
        lane.append_gap(50, 60, 0, 0, wire::LossCause::kLeftOut);  // on purpose
    }
    EXPECT_EQ(session.uncounted_losses(), 2u);
    EXPECT_EQ(session.lost(), 10u);
}

TEST(Session, NotesAreBoundedAndDamageIsCountedToTheLast) {
    Session session;
    for (int i = 0; i < 5000; ++i) session.add_note({0, std::to_string(i), true});
    EXPECT_LE(session.notes().size(), Session::kMaxNotes);
    EXPECT_EQ(session.damage_count(), 5000u);
    EXPECT_EQ(session.notes().back().text, "4999");
}

TEST(Session, EveryChangeIsSeenInTheRevision) {
    Session session;
    const auto before = session.revision();
    session.set_watermark(1);
    EXPECT_NE(session.revision(), before);
}

}  // namespace
}  // namespace sla::store
