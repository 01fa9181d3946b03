// One shot's file, out of a retention that is filled by hand; 1 tick is 1 ns.
#include "agent/daemon/shots/shot_file.h"

#include "proto/capture/capture_index.h"
#include "proto/capture/capture_reader.h"
#include "proto/capture/chunk_reader.h"
#include "proto/wire/batch_codec.h"
#include "proto/wire/frame_codec.h"
#include "tests/support/with_directory.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace sla::daemon {
namespace {

constexpr std::uint32_t kThread = 1;

class ShotFile : public support::WithDirectory {
protected:
    ShotFile() {
        wire::Frame frame;
        frame.mutable_channel()->set_id(1);
        retention_.announce_channel({1}, "rx", wire::encode_frame(frame));
    }
    static wire::EventBatch rows(std::uint64_t from, std::uint64_t until) {
        wire::EventBatch batch;
        for (std::uint64_t tick = from; tick <= until; tick += 100) batch.add(tick, SLA_CODE_TICK, 0, kThread);
        return batch;
    }
    static void lose(wire::EventBatch& batch, std::uint64_t tick, std::uint64_t until, std::uint64_t lost) {
        batch.add(tick, SLA_CODE_GAP, lost, kThread);
        batch.extras.push_back({static_cast<std::uint32_t>(batch.size() - 1), wire::LossCause::kOverrun, until});
    }
    void append(wire::EventBatch batch) {
        batch.channel = {1};
        batch.first_index = next_index_;
        retain::BatchFacts facts{{1}, next_index_, batch.ticks.front(), batch.ticks.back()};
        facts.rows = static_cast<std::uint32_t>(batch.size());
        facts.offered = facts.rows;
        for (const wire::Extra& extra : batch.extras) facts.loss_until = std::max(facts.loss_until, extra.until_tick);
        next_index_ += facts.rows;
        wire::Frame frame;
        wire::encode_batch(batch, *frame.mutable_batch());
        retention_.append(facts, wire::encode_frame(frame), &batch);
    }
    static wire::Shot shot(std::uint64_t begin, std::uint64_t end) {
        wire::Shot shot;
        shot.set_trigger(1);
        shot.set_number(1);
        shot.set_begin_tick(begin);
        shot.set_tick(begin);
        shot.set_end_tick(end);
        return shot;
    }
    ShotFacts write(const wire::Shot& shot, std::uint64_t announced_end = 0) {
        retention_.set_watermark(shot.end_tick());
        const shots::ShotOrder order{shot, {}, shot.end_tick(), std::max(announced_end, shot.end_tick())};
        const Result<ShotFacts> facts = write_shot_file(file("shot.sla"), order, retention_, [] { return true; });
        EXPECT_TRUE(facts) << (facts ? "" : facts.error().message);
        return facts ? *facts : ShotFacts{};
    }
    std::vector<capture::GapRow> gaps() {
        const Result<capture::CaptureIndex> index = capture::CaptureIndex::open(file("shot.sla"));
        EXPECT_TRUE(index);
        return !index || index->lanes().empty() ? std::vector<capture::GapRow>() : index->lanes().front().gaps;
    }
    std::uint64_t first_ordinal() {
        const Result<capture::CaptureIndex> index = capture::CaptureIndex::open(file("shot.sla"));
        return index.ok() && !index->lanes().empty() ? index->lanes().front().summaries.front().first_index : ~0ULL;
    }

    retain::Retention retention_{{}};
    std::uint64_t next_index_ = 0;
};

// The retention keeps announcements of the newest ones alone.
TEST_F(ShotFile, HasItsShotAndHowItEndedHoweverManyOtherShotsCameSince) {
    append(rows(1000, 9000));
    for (const std::uint64_t announced_end : {6000, 7000}) {
        for (std::uint64_t number = 100; number < 103; number++) {
            wire::Frame other;
            *other.mutable_shot() = shot(5000, 5100);
            other.mutable_shot()->set_number(number);
            retention_.announce(wire::encode_frame(other), retain::Topic::kShot);
        }
        write(shot(5000, 6000), announced_end);
        Result<capture::CaptureReader> reader = capture::CaptureReader::open(file("shot.sla"));
        ASSERT_TRUE(reader) << reader.error().message;
        std::vector<std::uint64_t> shots;
        std::string end;
        while (const auto bytes = reader->next()) {
            wire::Frame frame;
            ASSERT_TRUE(wire::parse_message(*bytes, frame));
            if (frame.has_shot()) shots.push_back(frame.shot().number());
            if (frame.has_end()) end = frame.end().reason();
        }
        EXPECT_EQ(shots, std::vector<std::uint64_t>{1});
        EXPECT_EQ(end.find("was cut short") != std::string::npos, announced_end == 7000) << end;
    }
}

TEST_F(ShotFile, SaysWhatWasLostFromBeforeItsWindowIntoIt) {
    wire::EventBatch before = rows(1000, 2000);
    lose(before, 2001, 5500, 77);
    append(before);
    append(rows(5600, 9000));
    const ShotFacts facts = write(shot(5000, 6000));
    EXPECT_EQ(facts.events, 5u);
    EXPECT_TRUE(facts.is_whole) << "the program lost them: the retention held all that there was";
    const std::vector<capture::GapRow> lost = gaps();
    ASSERT_EQ(lost.size(), 1u);
    EXPECT_EQ(lost[0].cause, wire::LossCause::kOverrun);
    EXPECT_EQ(lost[0].tick, 5000u);
    EXPECT_EQ(lost[0].until_tick, 5500u);
    EXPECT_EQ(lost[0].lost, 0u) << "nobody knows how many of them lie in the window";
}

TEST_F(ShotFile, HoldsNothingOfLossesThatWereOverBeforeItsWindow) {
    wire::EventBatch before = rows(1000, 2000);
    lose(before, 2001, 2050, 77);
    append(before);
    append(rows(2100, 9000));
    EXPECT_EQ(write(shot(5000, 6000)).events, 11u);
    EXPECT_TRUE(gaps().empty());
    EXPECT_EQ(first_ordinal(), 1u) << "there were rows before";
}

TEST_F(ShotFile, CountsFromTheFirstRowOfAChannelThatBeganInItsWindow) {
    append(rows(5500, 5600));
    write(shot(5000, 6000));
    EXPECT_EQ(first_ordinal(), 0u);
}

TEST_F(ShotFile, OfALossAmongRowsBeforeItsWindowHoldsTheWindowsRowsAlone) {
    wire::EventBatch batch = rows(1000, 2000);
    lose(batch, 2001, 5500, 77);
    for (std::uint64_t tick = 2100; tick <= 6000; tick += 100) batch.add(tick, SLA_CODE_TICK, 0, kThread + 1);
    append(batch);
    EXPECT_EQ(write(shot(5000, 6000)).events, 11u);
    EXPECT_EQ(gaps().size(), 1u);
}

TEST_F(ShotFile, WhoseWindowEndedEarlierThanAnnouncedSaysSo) {
    const wire::Shot announced = shot(5000, 60'000);
    wire::Frame frame;
    *frame.mutable_shot() = announced;
    retention_.announce(wire::encode_frame(frame), retain::Topic::kShot);
    append(rows(1000, 9000));
    write(shot(5000, 6000), announced.end_tick());
    const Result<capture::CaptureIndex> index = capture::CaptureIndex::open(file("shot.sla"));
    ASSERT_TRUE(index);
    std::uint64_t shots = 0;
    std::string reason;
    Result<capture::ChunkReader> chunks = capture::ChunkReader::open(file("shot.sla"));
    ASSERT_TRUE(chunks);
    for (const capture::ChunkPlace& place : index->chunks()) {
        ASSERT_TRUE(chunks->load(place));
        while (const auto message = chunks->next()) {
            ASSERT_TRUE(frame.ParseFromArray(message->data(), static_cast<int>(message->size())));
            if (frame.has_shot()) {
                ++shots;
                EXPECT_EQ(frame.shot().end_tick(), 6000u);
            }
            if (frame.has_end()) reason = frame.end().reason();
        }
    }
    EXPECT_EQ(shots, 1u);
    EXPECT_NE(reason.find("was cut short"), std::string::npos) << reason;
}

}  // namespace
}  // namespace sla::daemon
