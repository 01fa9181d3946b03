#include "agent/publish/recording.h"

#include "proto/wire/missing_rows.h"
#include "tests/unit/agent/publish/spooled.h"

#include <filesystem>
#include <fstream>

namespace sla::publish {
namespace {

class RecordingInto : public Spooled {
protected:
    void append(retain::Retention& retention, std::uint32_t count) {
        const retain::Delivery delivery = rows(count);
        retention.append(delivery.facts, *delivery.frame);
        retention.publish();
    }
    void announce(retain::Retention& retention) { retention.announce_channel({1}, "c1", *named(1).frame); }
    // By what an earlier agent left.
    void fill_spool(std::uint64_t bytes) {
        std::filesystem::create_directories(folder() + "/earlier");
        std::ofstream(spool_->path_of("earlier", 1)) << "rows";
        spool_->hold("earlier", 1, {0, bytes});
    }
    void begin_in_full_spool() {
        open_spool(std::uint64_t{1} << 20);
        begin("c");
        fill_spool(std::uint64_t{1} << 20);
    }
    static std::string end() {
        wire::Frame frame;
        frame.mutable_end()->set_reason("done");
        return wire::encode_frame(frame);
    }
    Recording::Calls calls() {
        return {[this](const std::string& text) { said_.push_back(text); }, [] {}, [] { return std::uint64_t{0}; }};
    }
    // Of 5,000 rows of capture c, while the disk is full at first.
    void expect_all_once_there_is_space(Recording& recording, std::unique_ptr<FullDisk>& full) {
        recording.start();
        ASSERT_TRUE(support::eventually([&] { return !recording.state().problem.empty(); }));
        full.reset();
        recording.join(std::chrono::seconds(20));
        EXPECT_EQ(recording.state().events, 5000u);
        EXPECT_EQ(recording.state().dropped, 0u);
        EXPECT_EQ(rows_in_all("c"), 5000u);
    }
    std::vector<std::string> said_;  // read once the thread has ended
};

TEST_F(RecordingInto, ASpoolWithSpaceTakesEverything) {
    open_spool();
    begin("c");
    retain::Retention retention({});
    announce(retention);
    Recording recording(*spool_, "c", retention, calls());
    recording.start();
    for (int i = 0; i < 20; ++i) append(retention, 500);
    retention.finish(end());
    recording.join();
    const Recording::State state = recording.state();
    EXPECT_TRUE(state.has_ended);
    EXPECT_EQ(state.events, 10'000u);
    EXPECT_EQ(state.dropped, 0u);
    EXPECT_EQ(rows_in_all("c"), 10'000u);
    EXPECT_TRUE(said_.empty());
}

TEST_F(RecordingInto, AFullSpoolLosesExactlyWhatItSays) {
    begin_in_full_spool();
    retain::Retention retention({});
    announce(retention);
    Recording recording(*spool_, "c", retention, calls());
    recording.start();
    for (int i = 0; i < 20; ++i) append(retention, 500);
    retention.finish(end());
    recording.join(std::chrono::milliseconds(0));
    const Recording::State state = recording.state();
    EXPECT_EQ(state.events, 0u);
    EXPECT_EQ(state.dropped, 10'000u);
    EXPECT_EQ(state.problem, "the spool is full");
    ASSERT_EQ(said_.size(), 1u);
    EXPECT_NE(said_.front().find("--spool"), std::string::npos);
    const Result<capture::CaptureIndex> index = capture::CaptureIndex::open(spool_->path_of("c", 1));
    ASSERT_TRUE(index);
    ASSERT_EQ(index->lane(ChannelId{1})->gaps.size(), 1u);
    EXPECT_EQ(index->lane(ChannelId{1})->gaps.front().lost, 10'000u);
}

TEST_F(RecordingInto, WhatAFullSpoolDroppedIsMissingAsLongAsALossInItLasts) {
    constexpr std::uint64_t kLost = 2'000'000;
    constexpr std::uint64_t kUntil = 5'000'000;
    begin_in_full_spool();
    retain::Retention retention({});
    announce(retention);
    append(retention, 10);
    wire::EventBatch loss = wire::gap_row({1}, wire::LossCause::kOverrun, 7, kLost, kUntil);
    loss.first_index = next_index_;
    wire::Frame frame;
    wire::encode_batch(loss, *frame.mutable_batch());
    retention.append({{1}, next_index_, kLost, kLost, 1, 7, kUntil}, wire::encode_frame(frame));
    retention.finish(end());
    Recording recording(*spool_, "c", retention, calls());
    recording.start();
    recording.join(std::chrono::milliseconds(0));
    EXPECT_EQ(recording.state().dropped, 17u);
    const Result<capture::CaptureIndex> index = capture::CaptureIndex::open(spool_->path_of("c", 1));
    ASSERT_TRUE(index);
    ASSERT_EQ(index->lane(ChannelId{1})->gaps.size(), 1u);
    EXPECT_EQ(index->lane(ChannelId{1})->gaps.front().until_tick, kUntil);
}

TEST_F(RecordingInto, ASpoolThatHoversAtItsLimitIsSaidToBeFullOnce) {
    constexpr std::uint64_t kLittle = 200'000;
    begin_in_full_spool();
    retain::Retention retention({});
    announce(retention);
    Recording recording(*spool_, "c", retention, calls());
    recording.start();
    const auto is_full = [&](bool full) {
        return support::eventually([&] { return recording.state().problem.empty() != full; });
    };
    ASSERT_TRUE(is_full(true));
    for (int i = 0; i < 3; ++i) {
        fill_spool((std::uint64_t{1} << 20) - kLittle);
        ASSERT_TRUE(is_full(false));
        fill_spool(std::uint64_t{1} << 20);
        ASSERT_TRUE(is_full(true));
    }
    recording.join(std::chrono::milliseconds(0));
    EXPECT_EQ(said_.size(), 1u);
}

TEST_F(RecordingInto, ASpoolInWhichSomebodyMadeRoomIsNotFull) {
    open_spool(std::uint64_t{1} << 20);
    begin("earlier");
    std::ofstream(spool_->path_of("earlier", 1)) << std::string(1'000'000, 'x');
    spool_.reset();
    open_spool(std::uint64_t{1} << 20);
    begin("c");
    EXPECT_EQ(spool_->bytes(), 1'000'000u);
    retain::Retention retention({});
    announce(retention);
    Recording recording(*spool_, "c", retention, calls());
    recording.start();
    append(retention, 500);
    ASSERT_TRUE(support::eventually([&] { return recording.state().problem == "the spool is full"; }));
    std::filesystem::remove_all(folder() + "/earlier");
    EXPECT_TRUE(support::eventually([&] { return recording.state().events == 500; }));
    retention.finish(end());
    recording.join();
    EXPECT_EQ(recording.state().dropped, 0u);
    EXPECT_LT(spool_->bytes(), 100'000u);
}

TEST_F(RecordingInto, WhatNoFileTookWhenTheDiskWasFullToTheEndIsCountedAsDropped) {
    open_spool();
    begin("c");
    retain::Retention retention({});
    announce(retention);
    Recording recording(*spool_, "c", retention, calls());
    for (int i = 0; i < 10; ++i) append(retention, 500);
    retention.finish(end());
    {
        const FullDisk full(40);
        recording.start();
        recording.join(std::chrono::milliseconds(0));
    }
    const Recording::State state = recording.state();
    EXPECT_TRUE(state.has_ended);
    EXPECT_EQ(state.events, 0u);
    EXPECT_EQ(state.dropped, 5000u);
    EXPECT_EQ(state.lost_at_end, 5000u);
    ASSERT_FALSE(said_.empty());
    EXPECT_NE(said_.back().find("5000 events are not in it"), std::string::npos) << said_.back();
}

TEST_F(RecordingInto, WhatASpoolWithoutSpaceDroppedAtTheEndIsSaidWhereItsGapsFoundNoPlaceEither) {
    for (const bool is_disk_full : {true, false}) {
        open_spool();
        begin(is_disk_full ? "c" : "d");
        retain::Retention retention({});
        announce(retention);
        Recording recording(*spool_, is_disk_full ? "c" : "d", retention, calls());
        fill_spool(kLimit);
        for (int i = 0; i < 10; ++i) append(retention, 500);
        retention.finish(end());
        {
            const std::unique_ptr<FullDisk> full = is_disk_full ? std::make_unique<FullDisk>(40) : nullptr;
            recording.start();
            recording.join(std::chrono::milliseconds(0));
        }
        EXPECT_EQ(recording.state().dropped, 5000u);
        EXPECT_EQ(recording.state().lost_at_end, is_disk_full ? 5000u : 0u);
        ASSERT_FALSE(said_.empty());
        EXPECT_EQ(said_.back().find("5000 events are not in it") != std::string::npos, is_disk_full) << said_.back();
        spool_.reset();
    }
}

TEST_F(RecordingInto, WhatTheRetentionGaveUpBeforeTheEndIsNotCountedTwice) {
    open_spool();
    begin("c");
    retain::Retention retention({});
    announce(retention);
    retention.limit_channel({1}, {.bytes = 2000, .ticks = 0});
    Recording recording(*spool_, "c", retention, calls());
    fill_spool(kLimit);
    for (int i = 0; i < 10; ++i) append(retention, 500);
    ASSERT_GT(retention.held({1}).given_up.rows, 0u);
    retention.finish(end());
    recording.start();
    recording.join(std::chrono::milliseconds(0));
    EXPECT_EQ(recording.state().dropped, 5000u);
}

TEST_F(RecordingInto, ADiskThatTakesSomethingAgainBeforeTheEndHasEverything) {
    open_spool();
    begin("c");
    retain::Retention retention({});
    announce(retention);
    Recording recording(*spool_, "c", retention, calls());
    for (int i = 0; i < 10; ++i) append(retention, 500);
    retention.finish(end());
    auto full = std::make_unique<FullDisk>(40);
    ASSERT_NO_FATAL_FAILURE(expect_all_once_there_is_space(recording, full));
}

TEST_F(RecordingInto, AnAgentThatStartsOnAFullDiskBeginsItsCaptureOnceThatTakesSomething) {
    open_spool();
    auto full = std::make_unique<FullDisk>(0);
    begin("c");
    retain::Retention retention({});
    announce(retention);
    Recording recording(*spool_, "c", retention, calls());
    for (int i = 0; i < 10; ++i) append(retention, 500);
    retention.finish(end());
    ASSERT_NO_FATAL_FAILURE(expect_all_once_there_is_space(recording, full));
    std::vector<std::string> odd;
    ASSERT_EQ(spool_->left(odd).size(), 1u);
    EXPECT_EQ(spool_->left(odd).front().host, "h");
}

TEST_F(RecordingInto, ASpoolThatSomebodyRemovesIsMadeAgainAndLocked) {
    open_spool();
    begin("c");
    retain::Retention retention({});
    announce(retention);
    Recording recording(*spool_, "c", retention, calls());
    recording.start();
    append(retention, 500);
    ASSERT_TRUE(support::eventually([&] { return recording.state().events == 500; }));
    std::filesystem::remove_all(folder());
    // Within a flush it is noticed; what comes then goes into the next piece.
    ASSERT_TRUE(support::eventually([&] {
        append(retention, 1);
        return recording.state().pieces > 1;
    }));
    const std::uint64_t lost = spool_->noted("c", 1).events;
    EXPECT_GE(lost, 500u);
    append(retention, 500);
    retention.finish(end());
    recording.join();
    EXPECT_EQ(recording.state().events, next_index_);
    EXPECT_EQ(rows_in_all("c"), next_index_ - lost);
    std::vector<std::string> odd;
    ASSERT_EQ(spool_->left(odd).size(), 1u);
    EXPECT_EQ(spool_->left(odd).front().host, "h");
    EXPECT_FALSE(Spool::open(folder(), kLimit)) << "two agents would share it";
    ASSERT_EQ(said_.size(), 1u);
    EXPECT_NE(said_.front().find("was removed while this agent uses it, and is made again"), std::string::npos);
}

// An agent that cannot start, for want of a port or a right, ends before its retention does.
TEST_F(RecordingInto, ARetentionThatIsNeverFinishedHoldsNobodyUp) {
    open_spool();
    begin("c");
    retain::Retention retention({});
    announce(retention);
    append(retention, 500);
    Recording recording(*spool_, "c", retention, calls());
    recording.start();
    recording.join(std::chrono::hours(1));
    EXPECT_TRUE(recording.state().has_ended);
    EXPECT_EQ(recording.state().events, 500u);
}

TEST_F(RecordingInto, ARetentionThatIsNeverFinishedHoldsNobodyUpWhereTheSpoolIsFull) {
    begin_in_full_spool();
    retain::Retention retention({});
    announce(retention);
    append(retention, 500);
    Recording recording(*spool_, "c", retention, calls());
    recording.start();
    recording.join(std::chrono::milliseconds(0));
    EXPECT_EQ(recording.state().dropped, 500u);
}

TEST_F(RecordingInto, ASpoolOfAnAgentInWhichNothingHappensIsGivenBackPieceByPiece) {
    open_spool(std::uint64_t{1} << 20);
    begin("c");
    retain::Retention retention({});
    announce(retention);
    Recording recording(*spool_, "c", retention, calls());
    recording.start();
    std::uint64_t removed = 0;
    // More than the spool has space for; all but the newest piece is acknowledged, and goes.
    ASSERT_TRUE(support::eventually([&] {
        retention.set_status(*notice(1 << 17).frame);
        retention.publish();
        const std::uint64_t newest = recording.state().pieces;
        for (const std::uint64_t piece : spool_->pieces_of("c")) {
            if (piece >= newest) continue;
            spool_->remove("c", piece);
            ++removed;
        }
        return removed >= 9;
    }));
    append(retention, 500);
    retention.finish(end());
    recording.join();
    EXPECT_EQ(recording.state().events, 500u);
    EXPECT_EQ(recording.state().dropped, 0u);
}

}  // namespace
}  // namespace sla::publish
