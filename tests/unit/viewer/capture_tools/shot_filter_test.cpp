#include "viewer/capture_tools/shot_filter.h"

#include "tests/support/capture_builder.h"
#include "tests/support/with_directory.h"
#include "viewer/ingest/open.h"

#include <gtest/gtest.h>

namespace sla::capture_tools {
namespace {

class ShotFiles : public support::WithDirectory {
protected:
    // Channel 1 with an event every 1000 ticks (1 tick is 1 ns) up to a million.
    static std::vector<std::string> stream() {
        support::CaptureBuilder capture;
        const auto rx = capture.channel("rx");
        for (std::uint64_t i = 1; i <= 1000; ++i) capture.value(rx, i * 1000, static_cast<std::int64_t>(i));
        return capture.frames(50);
    }
    static std::string status(double ticks_per_second = 1e9) {
        wire::Frame frame;
        frame.mutable_status()->set_ticks_per_second(ticks_per_second);
        return frame.SerializeAsString();
    }
    static std::string shot(const std::string& trigger, std::uint64_t number, std::uint64_t tick,
                            std::uint64_t pre = 10'000) {
        wire::Frame frame;
        frame.mutable_shot()->set_trigger_name(trigger);
        frame.mutable_shot()->set_number(number);
        frame.mutable_shot()->set_tick(tick);
        frame.mutable_shot()->set_begin_tick(tick - pre);
        frame.mutable_shot()->set_end_tick(tick + 20'000);
        return frame.SerializeAsString();
    }
    // As an agent would: a shot is reported before the watermark that reaches it.
    void write_shots(const std::vector<std::pair<std::uint64_t, std::string>>& shots, std::int64_t pre_ps = 10'000'000) {
        write_shots(shots, stream(), pre_ps);
    }
    void write_shots(const std::vector<std::pair<std::uint64_t, std::string>>& shots,
                     const std::vector<std::string>& messages, std::int64_t pre_ps) {
        auto writer = capture::CaptureWriter::create(file("shots.sla"));
        ASSERT_TRUE(writer.ok());
        ShotFilter filter(*writer, pre_ps, {"mine"});
        ASSERT_TRUE(filter.take(status()).ok());
        std::size_t reported = 0;
        for (const std::string& message : messages) {
            wire::Frame frame;
            ASSERT_TRUE(frame.ParseFromString(message));
            const bool last = frame.has_end();
            while (reported < shots.size() &&
                   ((frame.has_watermark() && frame.watermark().tick() >= shots[reported].first) || last)) {
                ASSERT_TRUE(filter.take(shots[reported++].second).ok());
            }
            ASSERT_TRUE(filter.take(message).ok());
        }
        ASSERT_TRUE(filter.finish("over").ok());
        ASSERT_TRUE(writer->finish().ok());
        ASSERT_TRUE(ingest::load(file("shots.sla"), session_).ok());
    }

    store::Session session_;
};

// Who merges two files of one recording takes rows of the same number for the same.
TEST_F(ShotFiles, AreRecordingsOfTheirOwnForTheirRowsCountAnew) {
    write_shots({{500'000, shot("mine", 1, 490'000)}});
    EXPECT_NE(session_.origin().capture_id, 0xb01dU);
    EXPECT_GT(session_.events(), 0U);
}

TEST_F(ShotFiles, HoldTheWindowsAndSayWhatIsLeftOut) {
    write_shots({{300'000, shot("mine", 1, 300'000)}, {600'000, shot("mine", 2, 600'000)}});
    ASSERT_EQ(session_.shots().size(), 2u);
    EXPECT_EQ(session_.damage_count(), 0u);
    EXPECT_EQ(session_.lost(), 0u);
    const store::Lane& lane = *session_.lane_named("rx");
    EXPECT_EQ(lane.events(), 62u) << "290..320 and 590..620";
    ASSERT_EQ(lane.gaps().size(), 3u);
    EXPECT_EQ(lane.gaps()[0].tick, 1000u);
    EXPECT_EQ(lane.gaps()[0].until_tick, 289'000u);
    EXPECT_EQ(lane.gaps()[1].tick, 321'000u);
    EXPECT_EQ(lane.gaps()[1].until_tick, 589'000u);
    EXPECT_EQ(lane.gaps()[1].cause, wire::LossCause::kLeftOut);
    EXPECT_EQ(lane.gaps()[2].tick, 621'000u) << "nor was it silent behind the last one";
    EXPECT_EQ(lane.gaps()[2].until_tick, 1'000'000u);
    EXPECT_EQ(lane[1].value, 290u);
    EXPECT_FALSE(lane.begins_late());
    EXPECT_TRUE(session_.ended());
}

// Also where nothing else of the channel lies in the window, and however long before it the loss began.
TEST_F(ShotFiles, SayWhatWasLostFromBeforeAWindowIntoIt) {
    support::CaptureBuilder capture;
    const auto rx = capture.channel("rx");
    const auto idle = capture.channel("idle");
    for (std::uint64_t i = 1; i <= 1000; ++i) capture.value(rx, i * 1000, static_cast<std::int64_t>(i));
    for (const auto channel : {rx, idle}) {
        capture.gap(channel, 10'500, 3, wire::LossCause::kOverrun, 20'000);
        capture.gap(channel, 100'500, 5, wire::LossCause::kOverrun, 295'000);
    }
    write_shots({{300'000, shot("mine", 1, 300'000)}}, capture.frames(50), 10'000'000);
    for (const char* name : {"rx", "idle"}) {
        const store::Lane& lane = *session_.lane_named(name);
        ASSERT_GE(lane.gaps().size(), 2u) << name;
        EXPECT_EQ(lane.gaps()[0].cause, wire::LossCause::kLeftOut);
        EXPECT_LT(lane.gaps()[0].until_tick, 290'000u);
        EXPECT_EQ(lane.gaps()[1].cause, wire::LossCause::kOverrun);
        EXPECT_EQ(lane.gaps()[1].tick, 290'000u);
        EXPECT_EQ(lane.gaps()[1].until_tick, 295'000u);
        EXPECT_EQ(lane.gaps()[1].lost, 0u) << "nobody knows how many of them";
    }
}

// An end at a loss's own tick is one that nobody knows: everything behind it would be doubtful.
TEST_F(ShotFiles, KnowUntilWhenASingleRowWasLeftOut) {
    support::CaptureBuilder capture;
    const auto rx = capture.channel("rx");
    capture.value(rx, 5'000, 1);
    for (std::uint64_t i = 295; i <= 300; ++i) capture.value(rx, i * 1000, static_cast<std::int64_t>(i));
    write_shots({{300'000, shot("mine", 1, 300'000)}}, capture.frames(50), 10'000'000);
    const store::Lane& lane = *session_.lane_named("rx");
    ASSERT_EQ(lane.gaps().size(), 1u);
    EXPECT_TRUE(lane.gaps()[0].has_end());
    EXPECT_LT(lane.gaps()[0].until_tick, 290'000u);
}

TEST_F(ShotFiles, BeginLateWhereTheStreamDoes) {
    std::vector<std::string> messages = stream();
    std::erase_if(messages, [](const std::string& message) {
        wire::Frame frame;
        return frame.ParseFromString(message) && frame.has_batch() && frame.batch().first_tick() < 200'000;
    });
    write_shots({{300'000, shot("mine", 1, 300'000, 100'000)}}, messages, 100'000'000);
    EXPECT_TRUE(session_.lane_named("rx")->begins_late());
}

TEST_F(ShotFiles, DoNotHoldShotsOfOtherTriggers) {
    write_shots({{300'000, shot("other", 1, 300'000)}});
    EXPECT_EQ(session_.shots().size(), 0u);
    EXPECT_EQ(session_.events(), 0u);
}

TEST_F(ShotFiles, HoldAWindowThatBeginsBeforeOneThatWasReportedEarlier) {
    write_shots(
        {{600'000, shot("mine", 1, 600'000)}, {600'000, shot("mine", 2, 595'000)}, {600'000, shot("mine", 3, 598'000)}});
    const store::Lane& lane = *session_.lane_named("rx");
    EXPECT_EQ(lane.events(), 36u) << "585..620";
    ASSERT_EQ(lane.gaps().size(), 2u);
    EXPECT_EQ(lane.gaps()[0].until_tick, 584'000u);
}

TEST_F(ShotFiles, HoldAWindowThatReachesBackBehindOneThatIsOver) {
    write_shots({{300'000, shot("mine", 1, 300'000, 0)}, {400'000, shot("mine", 2, 400'000, 200'000)}}, 200'000'000);
    const store::Lane& lane = *session_.lane_named("rx");
    EXPECT_EQ(lane.events(), 221u) << "200..420";
    ASSERT_EQ(lane.gaps().size(), 2u);
    EXPECT_EQ(lane.gaps()[0].until_tick, 199'000u);
    EXPECT_EQ(lane.gaps()[1].tick, 421'000u);
}

TEST_F(ShotFiles, DoNotJoinABeginOfOneWindowWithAnEndOfAnother) {
    support::CaptureBuilder capture;
    const auto work = capture.channel("work");
    const auto second = capture.thread("second", 2);
    capture.begin(work, 300'000, 1);
    capture.end(work, 400'000, 1);  // left out, as the next begin is
    capture.begin(work, 500'000, 1);
    capture.tick(work, 595'000, 5, second);
    capture.end(work, 600'000, 1);
    write_shots({{300'000, shot("mine", 1, 300'000)}, {600'000, shot("mine", 2, 600'000)}}, capture.frames(50), 10'000'000);
    const store::LaneSpans spans = session_.lane_named("work")->spans();
    ASSERT_EQ(spans.size(), 1u);
    EXPECT_EQ(spans[0].state, store::SpanState::kCut);
}

TEST_F(ShotFiles, HoldTheWindowsOfAnAgentThatSaysNonsenseOfItsClock) {
    std::vector<std::string> messages = stream();
    messages.insert(messages.begin(), status(1e300));
    write_shots({{300'000, shot("mine", 1, 300'000, 200'000)}}, messages, 200'000'000);
    EXPECT_EQ(session_.lane_named("rx")->events(), 221u) << "100..320";
}

TEST_F(ShotFiles, OfAStreamThatWasCutOffAreNotWhole) {
    auto writer = capture::CaptureWriter::create(file("shots.sla"));
    ASSERT_TRUE(writer.ok());
    ShotFilter filter(*writer, 10'000'000, {"mine"});
    const std::vector<std::string> messages = stream();
    for (std::size_t i = 0; i + 1 < messages.size(); ++i) ASSERT_TRUE(filter.take(messages[i]).ok());
    ASSERT_TRUE(filter.note_damage("the agent is gone").ok());
    ASSERT_TRUE(filter.finish("").ok());
    ASSERT_TRUE(writer->finish().ok());
    ASSERT_TRUE(ingest::load(file("shots.sla"), session_).ok());
    EXPECT_GT(session_.damage_count(), 0u);
    EXPECT_NE(session_.notes().back().text.find("the agent is gone"), std::string::npos) << session_.notes().back().text;
}

TEST_F(ShotFiles, HoldWhatThereIsOfAWindowThatTheEndCutsShort) {
    write_shots({{995'000, shot("mine", 1, 995'000)}});
    EXPECT_EQ(session_.events(), 16u) << "985..1000";
}

}  // namespace
}  // namespace sla::capture_tools
