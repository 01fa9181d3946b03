// Sources that end and are forgotten: what is held of them goes, and every reader's account stays exact.
#include "agent/retain/retention.h"

#include "proto/wire/batch_codec.h"
#include "proto/wire/capture.pb.h"
#include "proto/wire/frame_codec.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace sla::retain {
namespace {

constexpr std::uint64_t kLongAfter = Retention::kLingerTicks + 1'000'000;

std::string name_frame(std::uint32_t channel, std::uint32_t source) {
    wire::Frame frame;
    frame.mutable_channel()->set_id(channel);
    frame.mutable_channel()->set_source(source);
    return wire::encode_frame(frame);
}

class RetireTest : public testing::Test {
protected:
    // A source with so many channels, each with a batch of ten rows at this tick.
    void add_source(std::uint32_t source, std::uint32_t channels, std::uint64_t tick) {
        wire::Frame frame;
        frame.mutable_source()->set_id(source);
        retention_.announce_of({source}, wire::encode_frame(frame));
        for (std::uint32_t i = 0; i < channels; i++) {
            const std::uint32_t id = source * 100 + i;
            retention_.announce_channel({id}, "c" + std::to_string(id), name_frame(id, source), {source});
            append(id, tick);
        }
    }
    void append(std::uint32_t channel, std::uint64_t tick) {
        wire::EventBatch batch;
        batch.channel = {channel};
        batch.first_index = next_[channel];
        for (std::uint32_t i = 0; i < 10; i++) batch.add(tick + i, SLA_CODE_TICK_VALUE, i, 1);
        wire::Frame frame;
        wire::encode_batch(batch, *frame.mutable_batch());
        retention_.append({{channel}, batch.first_index, tick, tick + 9, 10, 10}, wire::encode_frame(frame));
        next_[channel] += 10;
        offered_ += 10;
    }
    struct Reader {
        Cursor cursor;
        std::uint64_t rows = 0;
        std::uint64_t lost = 0;
        std::uint64_t gaps = 0;
        std::set<std::uint32_t> channels;
        std::set<std::uint32_t> retired;
        std::string notices;
    };
    void read(Reader& reader, std::size_t bytes = 1 << 30) {
        std::vector<Delivery> out;
        retention_.read(reader.cursor, bytes, out);
        for (const Delivery& delivery : out) {
            wire::Frame frame;
            ASSERT_TRUE(frame.ParseFromString(delivery.frame->substr(wire::kFrameHeaderBytes)));
            if (frame.has_channel()) {
                EXPECT_TRUE(reader.channels.insert(frame.channel().id()).second) << "told twice";
            }
            if (frame.has_notice()) reader.notices += frame.notice().text() + "\n";
            if (frame.has_retired())
                reader.retired.insert(frame.retired().channels().begin(), frame.retired().channels().end());
            if (!frame.has_batch()) continue;
            EXPECT_TRUE(reader.channels.contains(frame.batch().channel())) << "a batch of a channel it never heard of";
            wire::EventBatch batch;
            ASSERT_TRUE(wire::decode_batch(frame.batch(), batch).ok());
            reader.gaps += static_cast<std::uint64_t>(std::ranges::count(batch.codes, SLA_CODE_GAP));
            for (std::size_t i = 0; i < batch.size(); i++)
                (batch.codes[i] == SLA_CODE_GAP ? reader.lost : reader.rows) +=
                    batch.codes[i] == SLA_CODE_GAP ? batch.values[i] : 1;
        }
    }

    Retention retention_{{std::uint64_t{64} << 20, 100'000}};
    std::map<std::uint32_t, std::uint64_t> next_;
    std::uint64_t offered_ = 0;
};

TEST_F(RetireTest, MemoryIsBoundedHoweverManySourcesComeAndGo) {
    std::uint64_t most = 0;
    std::size_t retired = 0;
    for (std::uint32_t source = 1; source <= 2000; source++) {
        add_source(source, 3, source * 1000);
        retention_.end_source({source}, source * 1000 + 10);
        retired += retention_.take_retired().size();
        most = std::max(most, retention_.counted_bytes());
    }
    EXPECT_LE(most, 100'000u + 6000u) << "a batch is counted before another one goes";
    EXPECT_GT(retired, 1900u);
    Reader late;
    read(late);
    EXPECT_LT(late.channels.size(), 100u) << "who joins later never hears of those that are gone";
    EXPECT_EQ(late.rows, late.channels.size() * 10);
    EXPECT_EQ(late.lost, 0u);
}

TEST_F(RetireTest, TheNewestBatchOfALivingSourceStaysHoweverManyOthersComeAndGo) {
    add_source(1, 1, 5);
    for (std::uint32_t source = 2; source <= 500; source++) {
        add_source(source, 3, source * 1000);
        retention_.end_source({source}, source * 1000 + 10);
    }
    EXPECT_EQ(retention_.held({100}).rows, 10u);
}

TEST_F(RetireTest, AReaderThatKeepsUpMissesNothingAndLearnsWhatWasForgotten) {
    Reader reader;
    read(reader);
    for (std::uint32_t source = 1; source <= 500; source++) {
        add_source(source, 3, source * 1000);
        read(reader);
        retention_.end_source({source}, source * 1000 + 10);
    }
    read(reader);
    EXPECT_EQ(reader.rows, offered_);
    EXPECT_EQ(reader.lost, 0u);
    EXPECT_EQ(reader.channels.size(), 1500u);
    EXPECT_GT(reader.retired.size(), 1300u);
    EXPECT_LT(reader.cursor.places.size(), 100u) << "what is gone costs the reader nothing either";
}

TEST_F(RetireTest, WhoJoinsWhenSomeChannelsOfASourceAreEmptyLearnsHowMuchTheyHad) {
    add_source(1, 40, 1000);
    for (std::uint32_t i = 0; i < 40; i++) append(100 + i, 2000);
    retention_.end_source({1}, 3000);
    retention_.limit_total(retention_.counted_bytes() - 10'000);
    ASSERT_TRUE(retention_.take_retired().empty());
    Reader late;
    read(late, 500);
    for (int i = 0; i < 200; i++) read(late, 500);
    EXPECT_EQ(late.rows + late.lost, offered_);
    EXPECT_EQ(late.lost, late.cursor.not_kept) << "from before it joined";
    EXPECT_GT(late.lost, 400u) << "some have nothing left";
}

TEST_F(RetireTest, OfChannelsThatAReaderNeverSawItReceivesTheSum) {
    Reader reader;
    add_source(1, 2, 1000);
    read(reader);
    append(100, 2000);
    retention_.end_source({1}, 2010);
    for (std::uint32_t source = 2; source <= 300; source++) {
        add_source(source, 3, source * 10'000);
        retention_.end_source({source}, source * 10'000);
    }
    read(reader);
    EXPECT_EQ(reader.lost, 10u) << "on the channel that it knew";
    EXPECT_EQ(reader.rows + reader.cursor.lagged, offered_);
    const std::string sum = std::to_string(reader.cursor.lagged - 10) + " events of ";
    EXPECT_EQ(reader.notices.substr(0, sum.size()), sum);
}

TEST_F(RetireTest, AReaderThatStoodStillForTensOfThousandsOfChannelsHasAnExactSumToo) {
    Reader reader;
    add_source(1, 2, 1000);
    read(reader);
    append(100, 2000);
    retention_.end_source({1}, 2010);
    for (std::uint32_t source = 2; source <= 10'000; source++) {
        add_source(source, 3, source * 10'000);
        retention_.end_source({source}, source * 10'000);
    }
    read(reader);
    EXPECT_EQ(reader.rows + reader.cursor.lagged, offered_);
    EXPECT_TRUE(reader.retired.contains(100) && reader.retired.contains(101)) << "of what it knew it hears the end";
}

TEST_F(RetireTest, WhatIsTooOldGoesWithItsSourceEvenTheNewestBatch) {
    add_source(1, 2, 1000);
    retention_.limit_channel({100}, {1 << 20, 5000});
    retention_.limit_channel({101}, {1 << 20, 5000});
    retention_.expire(1'000'000);
    EXPECT_EQ(retention_.held({100}).rows, 10u) << "its source lives";
    retention_.end_source({1}, 1'000'000);
    retention_.expire(2'000'000);
    EXPECT_EQ(retention_.held({100}).rows, 0u);
    EXPECT_TRUE(retention_.take_retired().empty()) << "readers have a moment to hear of it";
    retention_.expire(1'000'000 + kLongAfter);
    EXPECT_EQ(retention_.take_retired(), (std::vector<SourceId>{{1}}));
    EXPECT_EQ(retention_.counted_bytes(), 0u);
}

TEST_F(RetireTest, ASourceWithoutAnyEventIsForgottenToo) {
    add_source(1, 0, 0);
    retention_.end_source({1}, 1000);
    retention_.expire(1000 + kLongAfter);
    EXPECT_EQ(retention_.take_retired().size(), 1u);
    EXPECT_EQ(retention_.counted_bytes(), 0u);
}

TEST_F(RetireTest, ASourceThatComesAgainIsNotForgotten) {
    add_source(1, 1, 1000);
    retention_.end_source({1}, 1010);
    ASSERT_TRUE(retention_.begin_source({1}));
    append(100, 5000);
    for (std::uint32_t source = 2; source <= 300; source++) {
        add_source(source, 3, source * 10'000);
        retention_.end_source({source}, source * 10'000);
    }
    EXPECT_GE(retention_.held({100}).rows, 10u);
    retention_.end_source({1}, 9'000'000);
    retention_.limit_total(0);
    EXPECT_EQ(retention_.counted_bytes(), 0u);
}

// All that the ended source's channel had went, while another of its channels is still held: that is one gap, also when the
// source comes again.
TEST_F(RetireTest, WhatAReaderMissedBeforeASourceCameAgainIsOneGap) {
    add_source(1, 2, 1000);
    Reader reader;
    read(reader);
    append(100, 2000);
    for (std::uint64_t i = 0; i < 40; i++) append(101, 2000 + 10 * i);
    retention_.end_source({1}, 3000);
    for (std::uint32_t source = 2; source <= 400 && retention_.held({100}).rows > 0; source++) {
        add_source(source, 3, source * 10'000);
        retention_.end_source({source}, source * 10'000);
    }
    ASSERT_EQ(retention_.held({100}).rows, 0u);
    read(reader);
    const std::uint64_t gaps = reader.gaps;
    ASSERT_GT(retention_.held({101}).rows, 0u);
    ASSERT_TRUE(retention_.begin_source({1}));
    append(100, 9'000'000);
    read(reader);
    EXPECT_EQ(reader.gaps, gaps);
}

TEST(Announcements, OfClocksTheFirstAndTheNewestOnesStay) {
    Announcements announcements;
    for (int i = 0; i < 3000; i++)
        announcements.add(std::make_shared<const std::string>("clock " + std::to_string(i)), Topic::kClock);
    std::vector<std::string> there;
    announcements.each_from(0, [&](std::uint64_t, const SharedFrame& frame) {
        there.push_back(*frame);
        return true;
    });
    ASSERT_EQ(there.size(), Announcements::kClocks);
    EXPECT_EQ(there.front(), "clock 0");
    EXPECT_EQ(there[1], "clock " + std::to_string(3001 - Announcements::kClocks));
    EXPECT_EQ(there.back(), "clock 2999");
}

}  // namespace
}  // namespace sla::retain
