#include "agent/member/shot_handler.h"

#include "proto/fleet/names.h"
#include "tests/unit/agent/retain/filling.h"

#include <gtest/gtest.h>

namespace sla::member {
namespace {

constexpr std::uint64_t kSecond = 1'000'000'000;  // a tick is a nanosecond
constexpr std::uint64_t kStart = 1000 * kSecond;

class ShotHandlerOf : public retain::Filling {
protected:
    ShotHandlerOf() {
        announce(retention_, 1);
        for (std::uint64_t second = 0; second < 100; second += 10) {
            time::ClockSnapshot snapshot;
            snapshot.tick = snapshot.monotonic_raw_ns = static_cast<std::int64_t>(kStart + second * kSecond);
            snapshot.realtime_ns = kUtc + static_cast<std::int64_t>(second * kSecond);
            snapshot.wall.state = time::WallState::kSynchronised;
            snapshot.wall.max_error_ns = 2'000'000;
            clock_.add(snapshot);
        }
    }
    ShotHandler handler(bool takes_others = true) {
        return {{{"t", "a", "a", "boot-a"},
                 "capture",
                 kStart,
                 takes_others,
                 [this](const std::string& host, const std::string& boot) {
                     return host == "b" && boot == "boot-b" ? readings_ : std::vector<time::PeerReading>();
                 },
                 [this](const std::string& text) { said_.push_back(text); },
                 [] { return kUtc; }},
                retention_,
                clock_};
    }
    // Of host b, whose counter is 7 s ahead of ours.
    static fleet::FleetShot shot_at(std::uint64_t our_tick, const std::string& id = "20261124T164501-9f3a") {
        fleet::FleetShot shot;
        shot.set_id(id);
        shot.set_host("b");
        shot.set_clock_host("b");
        shot.set_boot_id("boot-b");
        shot.set_trigger("slow");
        shot.set_number(3);
        shot.set_what("value > 5");
        shot.set_tick(our_tick + 7 * kSecond);
        shot.set_ticks_per_second(1e9);
        shot.set_has_utc(true);
        shot.set_utc_bounded(true);
        shot.set_utc_ns(kUtc + static_cast<std::int64_t>(our_tick - kStart));
        shot.set_utc_error_ns(1'000'000);
        shot.set_pre_ns(10'000'000);
        shot.set_post_ns(20'000'000);
        return shot;
    }
    static void on_message(ShotHandler& handler, const fleet::FleetShot& shot, const std::string& from = "b") {
        const std::string body = shot.SerializeAsString();
        const std::string subject = fleet::talk_subject("t", fleet::Talk::kShot, from);
        handler.on_message({nullptr, subject, "", body});
    }
    ShotHandler::Outgoing step(ShotHandler& handler, std::uint64_t tick) {
        return handler.step(ShotHandler::Time(std::chrono::nanoseconds(tick)), tick);
    }
    // Frames that a reader gets.
    std::vector<wire::Shot> shots() {
        std::vector<retain::Delivery> all;
        retain::Cursor cursor;
        retention_.read(cursor, 1 << 20, all);
        std::vector<wire::Shot> shots;
        for (const retain::Delivery& delivery : all) {
            wire::Frame frame;
            if (wire::parse_message(delivery.message(), frame) && frame.has_shot()) shots.push_back(frame.shot());
        }
        return shots;
    }
    static constexpr std::int64_t kUtc = 1'800'000'000'000'000'000;
    static constexpr std::uint64_t kHit = kStart + 50 * kSecond;
    retain::Retention retention_{retain::Limits{}};
    OwnClock clock_{1e9};
    std::vector<time::PeerReading> readings_;
    std::vector<std::string> said_;
};

TEST_F(ShotHandlerOf, AnotherHostsShotKeepsOurWindowAroundTheSameInstant) {
    readings_ = {{kHit - kSecond, kHit + 6 * kSecond, 50'000}, {kHit - 20 * kSecond, kHit - 13 * kSecond, 50'000}};
    append(retention_, 1, kHit - 5'000'000);
    ShotHandler handler = this->handler();
    on_message(handler, shot_at(kHit));
    const auto first = step(handler, kHit + kSecond / 10);
    ASSERT_EQ(first.entries.size(), 1u);
    const fleet::ShotEntry& entry = first.entries[0];
    EXPECT_EQ(entry.state, "filling");
    EXPECT_EQ(entry.fired_on, "b");
    EXPECT_EQ(entry.placed_by, "pings between the agents");
    EXPECT_NEAR(static_cast<double>(entry.tick), static_cast<double>(kHit), 1000);
    EXPECT_GE(entry.error_ns, 50'000);
    EXPECT_LT(entry.error_ns, 500'000);
    EXPECT_LE(entry.begin_tick, kHit - 10'000'000 - 50'000);
    EXPECT_GE(entry.end_tick, kHit + 20'000'000 + 50'000);
}

TEST_F(ShotHandlerOf, TheWindowOfAShotThatIsStillGoingOnIsClosedWhenItIsOver) {
    ShotHandler handler = this->handler();
    append(retention_, 1, kHit);
    on_message(handler, shot_at(kHit));
    const auto first = step(handler, kHit + 1'000'000);
    ASSERT_EQ(first.entries.size(), 1u);
    EXPECT_EQ(first.entries[0].state, "filling");
    EXPECT_EQ(first.entries[0].placed_by, "both wall clocks");
    EXPECT_TRUE(step(handler, kHit + 100'000'000).entries.empty()) << "what was drained last may be on its way";
    const auto last = step(handler, kHit + kSecond);
    ASSERT_EQ(last.entries.size(), 1u);
    EXPECT_EQ(last.entries[0].state, "kept");
    const auto shots = this->shots();
    ASSERT_EQ(shots.size(), 1u);
    EXPECT_EQ(shots[0].trigger_name(), "b/slow");
    EXPECT_EQ(shots[0].number(), 3u);
    EXPECT_EQ(shots[0].host(), "b");
    EXPECT_TRUE(shots[0].is_bounded());
    EXPECT_GE(shots[0].error_ns(), 3'000'000u) << "both clocks' bounds";
    EXPECT_NE(shots[0].what().find("on b, \u00b1"), std::string::npos) << shots[0].what();
}

TEST_F(ShotHandlerOf, AWindowThatIsNotHereAnyMoreIsSaidToLack) {
    retention_.limit_total(1);  // all goes
    append(retention_, 1, kHit - 1000);
    append(retention_, 1, kHit);
    append(retention_, 1, kHit + 1000);
    ShotHandler handler = this->handler();
    on_message(handler, shot_at(kHit));
    const auto got = step(handler, kHit + kSecond);
    ASSERT_EQ(got.entries.size(), 2u);
    EXPECT_EQ(got.entries[1].state, "lacking");
    EXPECT_NE(got.entries[1].problem.find("memory"), std::string::npos) << got.entries[1].problem;
}

TEST_F(ShotHandlerOf, AnAgentThatWasStartedLaterSaysSo) {
    ShotHandler handler = this->handler();
    on_message(handler, shot_at(kStart + 5'000'000, "one"));
    on_message(handler, shot_at(kStart - kSecond, "two"));
    const auto got = step(handler, kStart + kSecond);
    ASSERT_EQ(got.entries.size(), 2u) << "it is being kept, and was";
    ASSERT_EQ(got.first_words.size(), 1u) << "of what was before it another agent may know more";
    EXPECT_EQ(got.first_words[0].shot, "two");
    for (const fleet::ShotEntry& entry : {got.entries[1], got.first_words[0]}) {
        EXPECT_EQ(entry.state, "lacking");
        EXPECT_NE(entry.problem.find("started"), std::string::npos) << entry.problem;
    }
}

TEST_F(ShotHandlerOf, TheSameShotSaidAgainIsTakenOnce) {
    ShotHandler handler = this->handler();
    on_message(handler, shot_at(kHit));
    EXPECT_EQ(step(handler, kHit).entries.size(), 1u);
    on_message(handler, shot_at(kHit));
    EXPECT_TRUE(step(handler, kHit).entries.empty());
    EXPECT_EQ(shots().size(), 1u);
}

TEST_F(ShotHandlerOf, WhoeverTakesNoPartKeepsNothing) {
    ShotHandler handler = this->handler(false);
    on_message(handler, shot_at(kHit));
    EXPECT_TRUE(step(handler, kHit).entries.empty());
}

TEST_F(ShotHandlerOf, NonsenseAndForgedShotsAreDropped) {
    ShotHandler handler = this->handler();
    handler.on_message({nullptr, "sla.v1.t.shot.b", "", "\xff\xff"});
    handler.on_message({nullptr, "sla.v1.t.shot.b", "", std::string(100'000, 'x')});
    on_message(handler, shot_at(kHit), "c");  // says that it is of b
    fleet::FleetShot own = shot_at(kHit);
    own.set_host("a");
    on_message(handler, own, "a");
    fleet::FleetShot long_window = shot_at(kHit);
    long_window.set_post_ns(INT64_MAX);
    on_message(handler, long_window);
    fleet::FleetShot no_rate = shot_at(kHit);
    no_rate.set_ticks_per_second(0);
    on_message(handler, no_rate);
    EXPECT_TRUE(step(handler, kHit).entries.empty());
    EXPECT_TRUE(shots().empty());
}

TEST_F(ShotHandlerOf, AShotFromTheFutureIsRefusedAndSaysThatAClockIsWrong) {
    ShotHandler handler = this->handler();
    on_message(handler, shot_at(kHit + 1000 * kSecond));
    const auto got = step(handler, kHit);
    ASSERT_EQ(got.entries.size(), 1u);
    EXPECT_EQ(got.entries[0].state, "refused");
    EXPECT_NE(got.entries[0].problem.find("ahead"), std::string::npos);
    EXPECT_TRUE(shots().empty());
}

TEST_F(ShotHandlerOf, AFloodOfShotsIsBoundedAndSaidOnce) {
    ShotHandler handler = this->handler();
    std::size_t taken = 0;
    for (int i = 0; i < 10; ++i) {
        for (int k = 0; k < 50; ++k) on_message(handler, shot_at(kHit, std::to_string(i * 50 + k)));
        taken += step(handler, kHit + static_cast<std::uint64_t>(i)).entries.size();
    }
    EXPECT_EQ(taken, static_cast<std::size_t>(ShotHandler::kMaxInAMinute));
    EXPECT_EQ(said_.size(), 1u);
}

TEST_F(ShotHandlerOf, AShotForWhichThereWasNoSpaceIsTakenWhenItIsSaidAgain) {
    ShotHandler handler = this->handler();
    for (int i = 0; i < ShotHandler::kMaxInAMinute; ++i) on_message(handler, shot_at(kHit, std::to_string(i)));
    EXPECT_EQ(step(handler, kHit).entries.size(), static_cast<std::size_t>(ShotHandler::kMaxInAMinute));
    on_message(handler, shot_at(kHit, "late"));
    for (const fleet::ShotEntry& entry : step(handler, kHit + 50 * kSecond).entries) EXPECT_NE(entry.shot, "late");
    on_message(handler, shot_at(kHit, "late"));
    const auto got = step(handler, kHit + 61 * kSecond);
    ASSERT_FALSE(got.entries.empty());
    EXPECT_EQ(got.entries[0].shot, "late");
}

TEST_F(ShotHandlerOf, AFloodOfShotsMakesNoOtherForgotten) {
    ShotHandler handler = this->handler();
    on_message(handler, shot_at(kHit, "known"));
    std::size_t taken = step(handler, kHit).entries.size();
    for (std::size_t i = 0; i < 2 * ShotHandler::kMaxIds; ++i) {
        on_message(handler, shot_at(kHit, std::to_string(i)));
        taken += step(handler, kHit + 1).entries.size();
    }
    ASSERT_EQ(taken, static_cast<std::size_t>(ShotHandler::kMaxInAMinute));
    step(handler, kHit + 61 * kSecond);
    on_message(handler, shot_at(kHit, "known"));
    EXPECT_TRUE(step(handler, kHit + 62 * kSecond).entries.empty()) << "it was taken already";
}

TEST_F(ShotHandlerOf, OurOwnShotIsReportedWithItsInstantAndSaidAgainForThoseWhoWereAway) {
    ShotHandler handler = this->handler();
    append(retention_, 1, kHit);
    wire::Shot shot;
    shot.set_trigger(1);
    shot.set_trigger_name("slow");
    shot.set_number(1);
    shot.set_tick(kHit);
    shot.set_begin_tick(kHit - 10'000'000);
    shot.set_end_tick(kHit + 20'000'000);
    handler.on_own(shot);
    const auto got = step(handler, kHit + 1'000'000);
    ASSERT_EQ(got.shots.size(), 1u);
    const auto parsed = fleet::parse_shot(got.shots[0], "a");
    ASSERT_TRUE(parsed);
    EXPECT_EQ(parsed->tick(), kHit);
    EXPECT_EQ(parsed->pre_ns(), 10'000'000);
    EXPECT_EQ(parsed->post_ns(), 20'000'000);
    EXPECT_TRUE(parsed->utc_bounded());
    EXPECT_NEAR(static_cast<double>(parsed->utc_ns() - kUtc), 50e9, 1000);
    ASSERT_EQ(got.entries.size(), 1u);
    EXPECT_EQ(got.entries[0].placed_by, "its own stamp");
    std::size_t again = 0;
    for (std::uint64_t second = 1; second < 120; ++second) {
        const auto more = step(handler, kHit + second * kSecond);
        for (const std::string& body : more.again) {
            EXPECT_EQ(body, got.shots[0]);
            ++again;
        }
        for (const fleet::ShotEntry& entry : more.entries) EXPECT_EQ(entry.state, "kept");
    }
    EXPECT_EQ(again, 4u);
}

TEST_F(ShotHandlerOf, WhatIsOpenWhenTheAgentEndsIsReportedAsItIs) {
    ShotHandler handler = this->handler();
    on_message(handler, shot_at(kHit));
    step(handler, kHit);
    const auto last = handler.finish(kHit + 5'000'000);
    ASSERT_EQ(last.entries.size(), 1u);
    EXPECT_EQ(last.entries[0].state, "lacking");
    EXPECT_NE(last.entries[0].problem.find("ended"), std::string::npos) << last.entries[0].problem;
}

}  // namespace
}  // namespace sla::member
