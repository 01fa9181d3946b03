#include "viewer/workspace/source/lane_rates.h"

#include "viewer/store/rows/page_table.h"

#include <gtest/gtest.h>

namespace sla::workspace {
namespace {

constexpr std::uint64_t kSecond = 1'000'000'000;

// Pages that nobody may wait for.
class FarPages final : public store::PageSource {
public:
    std::shared_ptr<const store::Run> load(ChannelId /*channel*/, const store::PageTable& /*table*/,
                                           std::size_t /*page*/) override {
        ADD_FAILURE() << "a frame waits for a file";
        return std::make_shared<const store::Run>();
    }
    std::shared_ptr<const store::Run> find(ChannelId /*channel*/, const store::PageTable& /*table*/,
                                           std::size_t /*page*/) override {
        return nullptr;
    }
    void let_go(std::shared_ptr<const store::Run> /*page*/) override {}
    [[nodiscard]] std::uint64_t waits() const override { return 0; }
};

class Rates : public ::testing::Test {
protected:
    store::Lane& lane(std::uint32_t id) { return session_.add_channel({ChannelId{id}, {}, "lane", "", false}); }
    void add(store::Lane& to, std::uint64_t from, std::uint64_t until, std::uint64_t step) {
        wire::EventBatch batch;
        for (std::uint64_t tick = from; tick < until; tick += step) batch.add(tick, SLA_CODE_TICK, 0, 1);
        to.append(batch);
        session_.touch();
    }
    FarPages pages_;
    store::Session session_;  // a tick is a nanosecond
    LaneRates rates_;
};

TEST_F(Rates, LiveTheyAreOverTheLastSecond) {
    store::Lane& busy = lane(1);
    store::Lane& idle = lane(2);
    add(busy, 0, 3 * kSecond, kSecond / 100);
    add(idle, 0, 1, 1);
    session_.set_watermark(3 * kSecond);
    rates_.refresh(session_, 1);
    EXPECT_NEAR(rates_.total(), 100, 1);
    EXPECT_EQ(rates_.of(busy).with_unit, "100 /s");
    EXPECT_EQ(rates_.of(idle).number, "0");
    EXPECT_EQ(rates_.of(idle).with_unit, "");
}

TEST_F(Rates, OfWhatHasEndedTheyAreOverAllOfIt) {
    store::Lane& busy = lane(1);
    add(busy, 0, 4 * kSecond, kSecond / 100);
    session_.set_ended(4 * kSecond, "");
    rates_.refresh(session_, 1);
    EXPECT_NEAR(rates_.total(), 100, 1);
}

// As `sla channels` and the statistics say it.
TEST_F(Rates, OfWhatHasEndedThatOfALaneIsOverTheTimeInWhichItIsRecorded) {
    store::Lane& whole = lane(1);
    store::Lane& late = lane(2);
    add(whole, 0, 4 * kSecond, kSecond / 100);
    add(late, 3 * kSecond, 3 * kSecond + kSecond / 2, kSecond / 100);
    session_.set_ended(4 * kSecond, "");
    rates_.refresh(session_, 1);
    EXPECT_EQ(rates_.of(whole).with_unit, "100 /s");
    EXPECT_EQ(rates_.of(late).with_unit, "100 /s");
    EXPECT_NEAR(rates_.total(), 112, 1) << "of the capture's time";
}

TEST_F(Rates, ALaneOfAnotherSessionHasNone) {
    rates_.refresh(session_, 1);
    store::Session other;
    EXPECT_EQ(rates_.of(other.add_channel({ChannelId{1}, {}, "lane", "", false})).number, "0");
}

TEST_F(Rates, OfVeryManyLanesTheTotalIsThatOfAllAfterSomeFrames) {
    constexpr std::uint32_t kLanes = 5000;
    for (std::uint32_t id = 0; id < kLanes; ++id) add(lane(id), 0, 2 * kSecond, kSecond / 10);
    session_.set_watermark(2 * kSecond);
    rates_.refresh(session_, 1.0 / 60);
    EXPECT_EQ(rates_.total(), 0) << "of some lanes it is not said";
    for (int frame = 0; frame < 10; ++frame) rates_.refresh(session_, 1.0 / 60);
    EXPECT_NEAR(rates_.total(), 10.0 * kLanes, kLanes);
}

// The last second begins in the middle of a page that left memory: what is known exactly is counted, over its own time.
TEST_F(Rates, NoFrameWaitsForAPage) {
    store::Lane& one = lane(1);
    add(one, 0, kSecond, kSecond / 10);
    static_cast<void>(one.seal(pages_, 0));
    one.forget_page();
    add(one, kSecond, 3 * kSecond / 2, kSecond / 20);
    session_.set_watermark(3 * kSecond / 2);
    rates_.refresh(session_, 1);
    EXPECT_NEAR(rates_.total(), 20 / 1.5, 0.5);
}

}  // namespace
}  // namespace sla::workspace
