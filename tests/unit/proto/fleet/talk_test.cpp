#include "proto/fleet/talk.h"

#include "proto/fleet/connection.h"

#include <gtest/gtest.h>

#include <functional>
#include <vector>

namespace sla::fleet {
namespace {

FleetShot some_shot() {
    FleetShot shot;
    shot.set_id("20261124T164501-9f3a");
    shot.set_host("b");
    shot.set_trigger("slow");
    shot.set_tick(1000);
    shot.set_ticks_per_second(3e9);
    shot.set_pre_ns(5);
    return shot;
}

Pong some_pong() {
    Pong pong;
    pong.set_number(7);
    pong.set_host("b");
    pong.set_ticks_per_second(3e9);
    pong.set_received(10);
    pong.set_answered(12);
    return pong;
}

TEST(FleetTalk, AShotSurvivesBeingWrittenAndRead) {
    const auto read = parse_shot(some_shot().SerializeAsString(), "b");
    ASSERT_TRUE(read);
    EXPECT_EQ(read->tick(), 1000u);
    EXPECT_EQ(read->trigger(), "slow");
}

TEST(FleetTalk, WordsOfAShotAreOnOneLineAndSteerNoTerminal) {
    FleetShot shot = some_shot();
    shot.set_trigger("a\nforged\x1b[31m");
    shot.set_what("x\r> 1");
    const auto read = parse_shot(shot.SerializeAsString(), "b");
    ASSERT_TRUE(read);
    EXPECT_EQ(read->trigger(), "a?forged?[31m");
    EXPECT_EQ(read->what(), "x?> 1");
}

TEST(FleetTalk, AShotThatMakesNoSenseIsNone) {
    EXPECT_FALSE(parse_shot(some_shot().SerializeAsString(), "c")) << "it came on another host's subject";
    const std::vector<std::function<void(FleetShot&)>> spoilers = {
        [](FleetShot& shot) { shot.set_id("a b"); },
        [](FleetShot& shot) { shot.set_trigger(""); },
        [](FleetShot& shot) { shot.set_what(std::string(kMaxTextBytes + 1, 'x')); },
        [](FleetShot& shot) { shot.set_tick(kMaxTick + 1); },
        [](FleetShot& shot) { shot.set_ticks_per_second(0); },
        [](FleetShot& shot) { shot.set_ticks_per_second(1e300); },
        [](FleetShot& shot) { shot.set_pre_ns(-1); },
        [](FleetShot& shot) { shot.set_post_ns(kMaxWindowNs + 1); },
        [](FleetShot& shot) { shot.set_utc_error_ns(-1); },
        [](FleetShot& shot) { shot.set_utc_error_ns(INT64_MAX); },
    };
    for (std::size_t i = 0; i < spoilers.size(); ++i) {
        FleetShot shot = some_shot();
        spoilers[i](shot);
        EXPECT_FALSE(parse_shot(shot.SerializeAsString(), "b")) << i;
    }
    EXPECT_FALSE(parse_shot("\xff\xff", "b"));
    EXPECT_FALSE(parse_shot(std::string(kMaxTalkBytes + 1, '\0'), "b"));
}

TEST(FleetTalk, APongThatMakesNoSenseIsNone) {
    EXPECT_TRUE(parse_pong(some_pong().SerializeAsString()));
    Pong pong = some_pong();
    pong.set_answered(9);
    EXPECT_FALSE(parse_pong(pong.SerializeAsString())) << "answered before it came";
    pong = some_pong();
    pong.set_ticks_per_second(-1);
    EXPECT_FALSE(parse_pong(pong.SerializeAsString()));
    pong = some_pong();
    pong.set_boot_id(std::string(5000, 'x'));
    EXPECT_FALSE(parse_pong(pong.SerializeAsString()));
    EXPECT_FALSE(parse_pong(""));
}

TEST(FleetTalk, AnAnswerNamesItsHost) {
    ControlAnswer answer;
    EXPECT_FALSE(parse_control_answer(answer.SerializeAsString()));
    answer.set_host("a");
    EXPECT_TRUE(parse_control_answer(answer.SerializeAsString()));
}

TEST(FleetTalk, IdsSayWhenTheyWereMade) {
    const std::string id = new_id(1'795'000'000'000'000'000);
    EXPECT_EQ(id.substr(0, 16), "20261118T110640-");
    EXPECT_EQ(id.size(), 20u);
}

TEST(FleetTalk, WhomAnAgentListensToIsOneOfThreeWords) {
    EXPECT_EQ(parse_control("none"), Control::kNone);
    EXPECT_EQ(parse_control("shots"), Control::kShots);
    EXPECT_EQ(parse_control("all"), Control::kAll);
    EXPECT_FALSE(parse_control("everybody"));
}

TEST(ServersThatDoNotServe, AreToldFromServersThatLackJetStream) {
    const std::string lacks = nats_error("cannot open the bucket b", NATS_NO_RESPONDERS).message;
    EXPECT_NE(lacks.find("is JetStream on there"), std::string::npos) << lacks;
    const std::string silent = nats_error("cannot open the bucket b", NATS_TIMEOUT).message;
    EXPECT_EQ(silent.find("JetStream"), std::string::npos) << silent;
}

}  // namespace
}  // namespace sla::fleet
