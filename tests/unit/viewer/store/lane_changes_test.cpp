// What a session says of all its lanes together is what one finds who looks at each of them.
#include "viewer/store/lane_changes.h"

#include "tests/unit/viewer/store/random_lane.h"
#include "viewer/store/session.h"

#include <gtest/gtest.h>

#include <set>

namespace sla::store {
namespace {

class NoPages final : public PageSource {
public:
    std::shared_ptr<const Run> load(ChannelId /*channel*/, const PageTable& /*table*/, std::size_t /*page*/) override {
        return nullptr;
    }
    std::shared_ptr<const Run> find(ChannelId /*channel*/, const PageTable& /*table*/, std::size_t /*page*/) override {
        return nullptr;
    }
    void let_go(std::shared_ptr<const Run> /*page*/) override {}
    [[nodiscard]] std::uint64_t waits() const override { return 0; }
};

void expect_same(const Session& session) {
    LaneTotals sum;
    std::uint64_t first = kNever;
    std::uint64_t last = 0;
    for (const Lane* lane : session.lanes()) {
        sum.events += lane->events();
        sum.gaps += lane->gaps().size();
        sum.lost += lane->lost();
        sum.not_kept += lane->not_kept();
        sum.uncounted += lane->uncounted_losses();
        sum.lost_in_rings += lane->lost(wire::LossCause::kOverrun) + lane->lost(wire::LossCause::kNoRing);
        sum.lost_by_reader += lane->lost(wire::LossCause::kLagged);
        sum.lossy_lanes += lane->lost() > 0 || lane->uncounted_losses() > 0 ? 1 : 0;
        if (!lane->empty()) first = std::min(first, lane->first_tick());
        last = std::max(last, lane->last_tick());
    }
    const LaneTotals& totals = session.changes().totals();
    EXPECT_EQ(totals.events, sum.events);
    EXPECT_EQ(totals.gaps, sum.gaps);
    EXPECT_EQ(totals.lost, sum.lost);
    EXPECT_EQ(totals.not_kept, sum.not_kept);
    EXPECT_EQ(totals.uncounted, sum.uncounted);
    EXPECT_EQ(totals.lost_in_rings, sum.lost_in_rings);
    EXPECT_EQ(totals.lost_by_reader, sum.lost_by_reader);
    EXPECT_EQ(totals.lossy_lanes, sum.lossy_lanes);
    EXPECT_EQ(session.first_tick(), first == kNever ? 0 : first);
    EXPECT_EQ(session.last_tick(), last);
    EXPECT_EQ(session.is_empty(), first == kNever);
    for (std::size_t i = 0; i < session.lanes().size(); ++i) EXPECT_EQ(session.lanes()[i]->place(), i);
}

TEST(LaneChanges, TotalsAreThoseOfAllLanesWhateverHappensToThem) {
    NoPages source;
    Session session;
    std::mt19937_64 random(1);
    std::vector<std::uint64_t> ticks;
    expect_same(session);
    for (int round = 0; round < 600; ++round) {
        if (ticks.empty() || random() % 20 == 0) {
            session.add_channel({ChannelId{static_cast<std::uint32_t>(random() % 1000)}, {}, "lane", "", false});
            ticks.resize(session.lanes().size());
        }
        Lane& lane = *session.lanes()[random() % session.lanes().size()];
        std::uint64_t tick = lane.last_tick();
        switch (random() % 8) {
            case 0: lane.append_gap(tick, tick + 9, random() % 3, 0, static_cast<wire::LossCause>(1 + random() % 6)); break;
            case 1:
                if (!lane.tail().empty()) static_cast<void>(lane.seal(source, static_cast<std::uint32_t>(round)));
                break;
            case 2:
                if (lane.pages_in_memory() > 0) lane.forget_page();
                break;
            case 3: lane.forget_gaps(tick / 2); break;
            case 4: lane.set_begins_late(); break;
            default: lane.append(random_batch(random, 1 + random() % 30, tick));
        }
        expect_same(session);
    }
    EXPECT_GT(session.events(), 1000u);
    EXPECT_GT(session.lost(), 0u);
}

TEST(LaneChanges, OnlyWhatChangedSinceIsVisitedEachLaneOnce) {
    Session session;
    for (const std::uint32_t id : {3, 1, 2}) session.add_channel({ChannelId{id}, {}, "lane", "", false});
    const auto visited = [&](std::uint64_t since) {
        std::vector<std::uint32_t> ids;
        session.changes().visit_since(since, [&](const Lane& lane) { ids.push_back(lane.channel().id.value); });
        return ids;
    };
    EXPECT_EQ(visited(0), (std::vector<std::uint32_t>{2, 1, 3}));
    const std::uint64_t before = session.changes().newest();
    EXPECT_TRUE(visited(before).empty());
    for (int i = 0; i < 3; ++i) session.lane(ChannelId{3})->append_gap(10, 10, 1, 0, wire::LossCause::kLate);
    session.lane(ChannelId{1})->append_gap(10, 10, 1, 0, wire::LossCause::kLate);
    EXPECT_EQ(visited(before), (std::vector<std::uint32_t>{1, 3}));
    EXPECT_EQ(visited(0), (std::vector<std::uint32_t>{1, 3, 2}));
}

TEST(LaneChanges, TheShapeChangesWithWhatMakesALaneHigherAndNotWithMoreOfTheSame) {
    Session session;
    Lane& lane = session.add_channel({ChannelId{1}, {}, "lane", "", false});
    std::uint64_t tick = 0;
    const auto changes_by = [&](std::uint8_t code) {
        const std::uint64_t before = session.changes().shapes();
        wire::EventBatch batch;
        batch.add(++tick, code, 1, 1);
        lane.append(batch);
        return session.changes().shapes() != before;
    };
    EXPECT_FALSE(changes_by(SLA_CODE_TICK));
    EXPECT_EQ(session.changes().lanes_with_rows(), 1u);
    EXPECT_TRUE(changes_by(SLA_CODE_VALUE_SIGNED));
    EXPECT_FALSE(changes_by(SLA_CODE_VALUE_SIGNED));
    EXPECT_TRUE(changes_by(SLA_CODE_BEGIN));
    EXPECT_TRUE(changes_by(SLA_CODE_BEGIN)) << "two side by side";
    EXPECT_FALSE(changes_by(SLA_CODE_END));
    EXPECT_FALSE(changes_by(SLA_CODE_BEGIN));
    EXPECT_EQ(session.changes().lanes_with_rows(), 1u);
    const std::uint64_t before = session.changes().shapes();
    session.add_channel({ChannelId{2}, {}, "lane", "", false});
    EXPECT_NE(session.changes().shapes(), before);
    EXPECT_EQ(session.changes().lanes_with_rows(), 1u);
    const std::uint64_t of_lanes = session.changes().shapes();
    Source source;
    source.id = SourceId{1};
    session.add_source(source);
    EXPECT_NE(session.changes().shapes(), of_lanes);
}

// Of a reader's session nobody asks for lanes' heights: an index is not made for them.
TEST(LaneChanges, AViewOfASessionHasItsTotalsAndNoIndexIsMade) {
    Session session;
    for (std::uint32_t id = 1; id < 6; ++id)
        fill_random(session.add_channel({ChannelId{id}, {}, "lane", "", false}), id, id * 50);
    Session reader;
    session.view().open(reader, 0);
    expect_same(reader);
    EXPECT_EQ(reader.events(), session.events());
    for (const Lane* lane : reader.lanes()) EXPECT_FALSE(lane->tail().has_index());
    fill_random(session.add_channel({ChannelId{9}, {}, "lane", "", false}), 9, 70);
    session.view().open(reader, 0);
    expect_same(reader);
    EXPECT_EQ(reader.events(), session.events());
}

TEST(LaneChanges, AViewOfSomeChannelsHasThoseAlone) {
    Session session;
    for (std::uint32_t id = 1; id < 6; ++id)
        fill_random(session.add_channel({ChannelId{id}, {}, "lane", "", false}), id, id * 50);
    Session other;
    Lane& beside = other.add_channel({ChannelId{77}, {}, "beside", "", false});
    fill_random(beside, 77, 10);
    const std::vector<ChannelId> wanted{ChannelId{2}, ChannelId{5}, ChannelId{6}, ChannelId{77}};
    Session reader;
    session.view_of(wanted, {&beside}).open(reader, 0);
    ASSERT_EQ(reader.lanes().size(), 3u) << "there is no 6";
    EXPECT_EQ(reader.lane(ChannelId{5})->size(), session.lane(ChannelId{5})->size());
    EXPECT_EQ(reader.lane(ChannelId{77})->size(), beside.size());
}

// Ledgers are as many as lanes, and shared with views.
TEST(LaneChanges, AViewKeepsTheLedgersItWasMadeWith) {
    Session session;
    Ledger ledger;
    ledger.events = 1;
    session.set_ledger(ChannelId{1}, ledger);
    const SessionView view = session.view();
    ledger.events = 2;
    session.set_ledger(ChannelId{1}, ledger);
    session.set_ledger(ChannelId{2}, ledger);
    Session reader;
    view.open(reader, 0);
    EXPECT_EQ(reader.ledger(ChannelId{1})->events, 1u);
    EXPECT_EQ(reader.ledger(ChannelId{2}), nullptr);
    EXPECT_EQ(session.ledger(ChannelId{1})->events, 2u);
    reader.set_ledger(ChannelId{1}, ledger);
    Session second;
    view.open(second, 0);
    EXPECT_EQ(second.ledger(ChannelId{1})->events, 1u);
}

class Gatherings : public ::testing::Test {
protected:
    Gatherings() {
        for (std::uint32_t id = 1; id <= 40; ++id) session_.add_channel({ChannelId{id}, {}, "lane", "", false});
    }
    // A row of each lane.
    void grow(std::uint64_t tick) {
        for (Lane* lane : session_.lanes()) {
            wire::EventBatch batch;
            batch.add(tick, SLA_CODE_TICK, 0, 1);
            lane->append(batch);
        }
    }
    Session session_;
};

TEST_F(Gatherings, WhatWasFinalAtTheBeginIsThereWholeThoughLanesGrowMeanwhile) {
    grow(10);
    session_.set_watermark(10);
    SessionView::Gathering gathering(session_);
    for (std::uint64_t tick = 20; !gathering.step(7); tick += 10) {
        grow(tick);
        session_.set_watermark(tick);
    }
    Session reader;
    gathering.take().open(reader, 0);
    EXPECT_EQ(reader.watermark(), 10u);
    ASSERT_EQ(reader.lanes().size(), 40u);
    for (const Lane* lane : reader.lanes()) EXPECT_EQ(lane->upper_bound(reader.final_tick()), 1u);
}

TEST_F(Gatherings, OfASessionThatEndsMeanwhileAllIsThere) {
    grow(10);
    SessionView::Gathering gathering(session_);
    EXPECT_FALSE(gathering.step(7));
    grow(20);
    session_.set_ended(20, "");
    EXPECT_TRUE(gathering.step(7));
    Session reader;
    gathering.take().open(reader, 0);
    EXPECT_TRUE(reader.ended());
    for (const Lane* lane : reader.lanes()) EXPECT_EQ(lane->size(), 2u);
}

TEST_F(Gatherings, OfASessionThatGoesOnNothingIsTakenForFinalThatIsNot) {
    grow(10);
    session_.set_ended(10, "");
    SessionView::Gathering gathering(session_);
    session_.reopen();
    EXPECT_FALSE(gathering.step(7));
    grow(20);
    while (!gathering.step(7)) grow(session_.last_tick() + 10);
    Session reader;
    gathering.take().open(reader, 0);
    EXPECT_EQ(reader.final_tick(), 10u);
}

}  // namespace
}  // namespace sla::store
