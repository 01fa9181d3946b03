// Windows of shots are not given up with the history around them.
#include "tests/unit/agent/retain/filling.h"

#include <algorithm>

namespace sla::retain {
namespace {

using wire::LossCause;

class ShotRetention : public Filling {
protected:
    // Batches of ten events at 100, 200 ... up to `until`.
    void fill(Retention& retention, std::uint64_t from, std::uint64_t until) {
        for (std::uint64_t tick = from; tick <= until; tick += 100) append(retention, 1, tick);
    }
    static Limits limits(std::uint64_t shot_bytes = 1 << 20) {
        return {.channel_bytes = kThreeBatches, .total_bytes = 1 << 20, .shot_bytes = shot_bytes};
    }
    static std::uint64_t events_between(const Got& got, std::uint64_t from, std::uint64_t until) {
        return static_cast<std::uint64_t>(
            std::count_if(got.ticks.begin(), got.ticks.end(), [&](std::uint64_t t) { return t >= from && t <= until; }));
    }
    static constexpr std::uint64_t kThreeBatches = 800;
};

TEST_F(ShotRetention, AWindowStaysWithTheStateItBeginsInWhateverGoesAroundIt) {
    Retention retention(limits());
    announce(retention, 1);
    fill(retention, 100, 500);  // 300, 400 and 500 are held
    retention.pin_shot(7, {450, 650});
    fill(retention, 600, 2000);
    Cursor late;
    const Got got = read(retention, late);
    EXPECT_EQ(events_between(got, 450, 650), 20u);
    EXPECT_EQ(events_between(got, 400, 449), 10u) << "the newest before the window: what held when it began";
    EXPECT_EQ(got.ticks.size(), 30u + 30u) << "and no more than that and the newest";
    EXPECT_EQ(got.gaps, (std::vector<GapRow>{{LossCause::kNotKept, 100, 309, 30}, {LossCause::kNotKept, 700, 1709, 110}}));
    EXPECT_EQ(late.not_kept, 140u);
    EXPECT_EQ(retention.shots_lacking(7), 0u);
    EXPECT_GT(retention.shot_bytes(), 0u);
    EXPECT_LE(retention.held({1}).bytes, kThreeBatches) << "beside the history's own limit";
}

TEST_F(ShotRetention, ABatchStaysThatHasRowsOfTheFirstMomentOfAWindowAlthoughTheNextBeginsThere) {
    Retention retention(limits());
    announce(retention, 1);
    append(retention, 1, 100);  // up to 109
    append(retention, 1, 109);
    retention.pin_shot(7, {109, 650});
    fill(retention, 200, 2000);
    Cursor late;
    EXPECT_EQ(events_between(read(retention, late), 109, 109), 2u);
    EXPECT_EQ(retention.shots_lacking(7), 0u);
}

// The loss alone says that the window's begin was not silent.
TEST_F(ShotRetention, ALossThatLastsIntoAWindowStaysWithIt) {
    Retention retention(limits());
    announce(retention, 1);
    append(retention, 1, 100);
    lose(retention, 1, 200, 460, 7);
    append(retention, 1, 300);
    retention.pin_shot(7, {450, 650});
    fill(retention, 400, 2000);
    Cursor late;
    const Got got = read(retention, late);
    ASSERT_EQ(got.gaps.size(), 4u);
    EXPECT_EQ(got.gaps[0], (GapRow{LossCause::kNotKept, 100, 109, 10}));
    EXPECT_EQ(got.gaps[1], (GapRow{LossCause::kOverrun, 200, 460, 7}));
    EXPECT_EQ(got.gaps[2], (GapRow{LossCause::kNotKept, 300, 309, 10}));
    EXPECT_EQ(retention.shots_lacking(7), 0u);
}

TEST_F(ShotRetention, AWindowIsNotHeldWholeWhereALossThatLastsIntoItWasGivenUp) {
    Retention retention(limits());
    announce(retention, 1);
    append(retention, 1, 100);
    lose(retention, 1, 200, 1960, 7);
    fill(retention, 300, 2000);
    EXPECT_FALSE(retention.holds({1950, 2100}));
    EXPECT_TRUE(retention.holds({1961, 2100}));
    Cursor late;
    const Got got = read(retention, late);
    ASSERT_EQ(got.gaps.size(), 1u);
    EXPECT_EQ(got.gaps[0].until_tick, 1960u) << "what is not kept may lie as late as that";
}

TEST_F(ShotRetention, WhetherAWindowIsHeldCanBeAsked) {
    Retention retention(limits());
    announce(retention, 1);
    fill(retention, 100, 500);  // 300, 400 and 500 are held
    EXPECT_TRUE(retention.holds({350, 650}));
    EXPECT_FALSE(retention.holds({150, 650}));
    retention.pin_shot(7, {350, 650});
    fill(retention, 600, 2000);
    EXPECT_TRUE(retention.holds({350, 650})) << "pinned, whatever goes around it";
    EXPECT_FALSE(retention.holds({350, 850}));
}

TEST_F(ShotRetention, OfReadingsOfOtherHostsClocksTheNewestAreKept) {
    Retention retention({});
    for (std::size_t i = 0; i < Announcements::kPeers + 10; i++) {
        wire::Frame frame;
        frame.mutable_peer_clock()->set_tick(i);
        retention.announce(wire::encode_frame(frame), Topic::kPeer);
    }
    Cursor cursor;
    std::vector<Delivery> all;
    retention.read(cursor, 1 << 30, all);
    ASSERT_EQ(all.size(), Announcements::kPeers);
    wire::Frame first;
    ASSERT_TRUE(wire::parse_message(all.front().message(), first));
    EXPECT_EQ(first.peer_clock().tick(), 10u);
}

TEST_F(ShotRetention, ATimeLimitLeavesItToo) {
    Retention retention({});
    announce(retention, 1);
    retention.limit_channel({1}, {1 << 20, 300});
    fill(retention, 100, 500);
    retention.pin_shot(7, {100, 250});
    fill(retention, 600, 2000);
    retention.expire(2000);
    Cursor late;
    const Got got = read(retention, late);
    EXPECT_EQ(events_between(got, 100, 250), 20u);
    EXPECT_EQ(got.gaps, (std::vector<GapRow>{{LossCause::kNotKept, 300, 1609, 140}}));
}

TEST_F(ShotRetention, AWindowWhoseBeginningWasGoneAlreadyIsNotWhole) {
    Retention retention(limits());
    announce(retention, 1);
    fill(retention, 100, 1000);  // 800, 900 and 1000 are held
    retention.pin_shot(7, {650, 850});
    EXPECT_EQ(retention.shots_lacking(7), 1u);
    retention.pin_shot(7, {750, 950});
    EXPECT_EQ(retention.shots_lacking(7), 1u) << "nothing had been between 709 and 800";
}

TEST_F(ShotRetention, AWindowThatIsCutMakesNoOlderShotGo) {
    Retention retention(limits(2000));
    announce(retention, 1);
    fill(retention, 100, 500);
    retention.pin_shot(7, {300, 550});
    retention.pin_shot(8, {500, 1'000'000});
    fill(retention, 600, 1000);
    retention.cut_shot(8, {500, 1'000'000}, 650);
    const std::uint64_t needed = retention.shot_bytes();
    EXPECT_EQ(retention.shots_lacking(8), 0u);
    fill(retention, 1100, 20'000);
    EXPECT_EQ(retention.shots_lacking(7), 0u);
    EXPECT_EQ(retention.shots_lacking(8), 0u);
    EXPECT_LE(retention.shot_bytes(), needed + kThreeBatches);
    Cursor late;
    const Got got = read(retention, late);
    EXPECT_EQ(events_between(got, 300, 609), 40u);
    EXPECT_EQ(events_between(got, 700, 19'000), 0u);
}

TEST_F(ShotRetention, OfMoreShotsThanThereIsMemoryForTheOldestGo) {
    Retention retention(limits(2000));
    announce(retention, 1);
    for (std::uint64_t shot = 0; shot < 20; shot++) {
        const std::uint64_t begin = 1000 + shot * 1000;
        fill(retention, begin, begin + 900);
        retention.pin_shot(7, {begin + 700, begin + 909});
    }
    fill(retention, 21'000, 22'000);
    EXPECT_LE(retention.shot_bytes(), 2000u);
    EXPECT_GT(retention.shot_bytes(), 1000u);
    const std::uint64_t lacking = retention.shots_lacking(7);
    EXPECT_GT(lacking, 10u);
    EXPECT_LT(lacking, 20u);
    Cursor late;
    const Got got = read(retention, late);
    for (std::uint64_t shot = 0; shot < 20; shot++) {
        const std::uint64_t begin = 1000 + shot * 1000;
        EXPECT_EQ(events_between(got, begin + 700, begin + 909), shot < lacking ? 0u : 30u) << shot;
    }
    const GapRow& first = got.gaps.front();
    EXPECT_EQ(first.tick, 1000u) << "one gap from the beginning to the first shot left";
    EXPECT_EQ(first.until_tick, 1000 + lacking * 1000 + 609);
    std::uint64_t gone = 0;
    for (const GapRow& gap : got.gaps) gone += gap.events;
    EXPECT_EQ(gone + got.ticks.size(), 20 * 100u + 11 * 10u) << "given up and held make all";
    EXPECT_EQ(retention.held({1}).given_up.rows, gone);
}

// Readers and the status wait for as long as one call takes.
TEST_F(ShotRetention, OfVeryManyShotsThatNeedTheSameSomeGoInEachCall) {
    Retention retention(limits(1500));
    announce(retention, 1);
    append(retention, 1, 100);
    for (std::uint64_t i = 0; i < 4000; i++) retention.pin_shot(7, {100, 8000 + i});
    fill(retention, 200, 6000);
    std::uint64_t calls = 0;
    for (std::uint64_t last = 0; retention.shot_bytes() > 1500; calls++) {
        ASSERT_LT(calls, 100u);
        ASSERT_LE(last, retention.shots_lacking(7) + 64) << "so many in one call";
        last = retention.shots_lacking(7);
        retention.expire(6000);
    }
    EXPECT_GT(calls, 0u) << "it is not all done by whoever appends";
    EXPECT_LE(retention.shot_bytes(), 1500u);
}

TEST_F(ShotRetention, OfAWindowLargerThanItsMemoryTheEndIsHeld) {
    Retention retention(limits(1500));
    announce(retention, 1);
    append(retention, 1, 100);
    retention.pin_shot(7, {100, 4000});
    fill(retention, 200, 6000);
    EXPECT_LE(retention.shot_bytes(), 1500u);
    EXPECT_EQ(retention.shots_lacking(7), 1u);
    Cursor late;
    const Got got = read(retention, late);
    EXPECT_GT(events_between(got, 100, 4000), 0u);
    EXPECT_EQ(events_between(got, 100, 2000), 0u);
}

TEST_F(ShotRetention, AReaderInTheMiddleOfAWindowGetsTheRestOfIt) {
    Retention retention(limits());
    announce(retention, 1);
    fill(retention, 100, 300);
    retention.pin_shot(7, {100, 609});
    Cursor cursor;
    EXPECT_EQ(read(retention, cursor).ticks.size(), 30u);
    fill(retention, 400, 2000);
    const Got got = read(retention, cursor);
    EXPECT_EQ(events_between(got, 400, 609), 30u);
    EXPECT_EQ(got.gaps, (std::vector<GapRow>{{LossCause::kLagged, 700, 1709, 110}}));
    Cursor behind;
    retention.skip_before(behind, 450);
    EXPECT_EQ(read(retention, behind).ticks.front(), 500u);
}

}  // namespace
}  // namespace sla::retain
