#include "viewer/store/merged_rows.h"

#include "tests/unit/viewer/store/random_lane.h"
#include "viewer/store/session.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <tuple>

namespace sla::store {
namespace {

// Tick, channel, index, value bits, thread, code.
using RowKey = std::tuple<std::uint64_t, std::uint32_t, std::uint64_t, std::uint64_t, std::uint32_t, std::uint8_t>;

class MergedRowsTest : public ::testing::Test {
protected:
    Lane& add(std::uint32_t id) {
        Channel channel;
        channel.id = ChannelId{id};
        return session_.add_channel(channel);
    }
    std::vector<RowKey> expected(std::uint64_t from, std::uint64_t until) const {
        std::vector<RowKey> keys;
        for (const Lane* lane : session_.lanes()) {
            for (std::uint64_t i = 0; i < lane->size(); ++i) {
                const Event event = (*lane)[i];
                if (event.tick < from || event.tick > until) continue;
                keys.emplace_back(event.tick, lane->channel().id.value, i, event.value, event.thread, event.code);
            }
        }
        std::sort(keys.begin(), keys.end());
        return keys;
    }
    std::vector<const Lane*> lanes() const { return {session_.lanes().begin(), session_.lanes().end()}; }
    static std::vector<RowKey> walked(MergedRows& rows) {
        std::vector<RowKey> keys;
        while (const MergedRows::Row* row = rows.next()) {
            keys.emplace_back(row->tick, rows.lanes()[row->lane]->channel().id.value, row->index, row->value, row->thread,
                              static_cast<std::uint8_t>(row->code));
        }
        EXPECT_EQ(rows.next(), nullptr);
        return keys;
    }
    void expect_all(std::uint64_t from = 0, std::uint64_t until = kNever) const {
        MergedRows rows(lanes(), from, until);
        const auto got = walked(rows);
        EXPECT_TRUE(got == expected(from, until)) << got.size() << " rows";
    }
    Session session_;
};

// Many of them end where rows that lie together in memory do; that is no reason to look further.
TEST_F(MergedRowsTest, IntervalsOfManyLanesOfOneRateStaySmall) {
    std::mt19937_64 random(7);
    for (std::uint32_t id = 1; id <= 64; ++id) fill_random(add(id), random(), 20'000);
    MergedRows rows(lanes(), 0, kNever);
    std::size_t most = 0;
    while (rows.look_on()) {
        std::size_t ready = 0;
        while (rows.next_ready() != nullptr) ++ready;
        most = std::max(most, ready);
    }
    EXPECT_LE(most, 4u * 8192);
}

TEST_F(MergedRowsTest, GivesEveryRowInOrderForAnyNumberOfLanesOfAnyRates) {
    std::mt19937_64 random(3);
    std::uint32_t id = 1;
    for (const std::size_t count : {1, 2, 7, 64}) {
        for (std::size_t i = 0; i < count; ++i) fill_random(add(id++), random(), random() % 3 == 0 ? 9000 : random() % 700);
        expect_all();
    }
}

TEST_F(MergedRowsTest, BeginsAndEndsAtTicksInTheMiddle) {
    for (std::uint32_t id = 1; id <= 5; ++id) fill_random(add(id), id, 3000);
    const std::uint64_t last = session_.last_tick();
    for (const auto& [from, until] : {std::pair{last / 3, last / 2},
                                      {std::uint64_t{0}, last / 4},
                                      {last / 2, kNever},
                                      {last / 2, last / 2},
                                      {last + 1, kNever},
                                      {last / 2, last / 3}})
        expect_all(from, until);
}

// Looking at each of very many lanes for every row, a table of them would take hours.
TEST_F(MergedRowsTest, OfVeryManyLanesAnIntervalHoldsManyRows) {
    constexpr std::uint32_t kLanes = 12'000;
    std::mt19937_64 random(5);
    for (std::uint32_t id = 1; id <= kLanes; ++id) {
        wire::EventBatch batch;
        std::uint64_t tick = random() % 100'000;
        for (int i = 0; i < 10; ++i) batch.add(tick += 1 + random() % 100'000, SLA_CODE_TICK_VALUE, id, 1);
        add(id).append(batch);
    }
    expect_all();
    MergedRows rows(lanes(), 0, kNever);
    std::uint64_t intervals = 0;
    std::uint64_t given = 0;
    for (bool goes_on = true; goes_on; goes_on = rows.look_on(), ++intervals) {
        while (rows.next_ready() != nullptr) ++given;
    }
    EXPECT_EQ(given, 10 * kLanes);
    EXPECT_LT(intervals, 200U);
}

// Many more rows of one tick than an interval holds, on several lanes, between rows of other ticks.
TEST_F(MergedRowsTest, KeepsTheOrderOfChannelsAmongManyRowsOfOneTick) {
    for (std::uint32_t id = 1; id <= 3; ++id) {
        Lane& lane = add(id);
        wire::EventBatch batch;
        for (std::uint64_t i = 0; i < 5; ++i) batch.add(10 + i, SLA_CODE_TICK_VALUE, i, id);
        for (std::uint64_t i = 0; i < 12'000; ++i) batch.add(1000, SLA_CODE_TICK_VALUE, i, id);
        for (std::uint64_t i = 0; i < 5; ++i) batch.add(1000 + i, SLA_CODE_TICK_VALUE, i, id);
        lane.append(batch);
    }
    expect_all();
}

// One busy lane makes the walk look far ahead; then 300 lanes have more rows at once than an interval has places for.
TEST_F(MergedRowsTest, StaysInOrderWhenABusyLaneFallsSilentAndManyOthersBegin) {
    constexpr std::uint64_t kBusyRows = 60'000;
    Lane& busy = add(1);
    wire::EventBatch of_busy;
    for (std::uint64_t i = 0; i < kBusyRows; ++i) of_busy.add(i, SLA_CODE_TICK, 0, 1);
    busy.append(of_busy);
    for (std::uint32_t id = 2; id <= 301; ++id) {
        wire::EventBatch batch;
        for (std::uint64_t i = 0; i < 4096; ++i) batch.add(kBusyRows + i * 613 + id * 7919 % 613, SLA_CODE_TICK, 0, 1);
        add(id).append(batch);
    }
    expect_all();
}

TEST_F(MergedRowsTest, OrdersRowsThatAreVeryFarApart) {
    for (std::uint32_t id = 1; id <= 4; ++id) {
        wire::EventBatch batch;
        for (std::uint64_t i = 0; i < 50; ++i) batch.add((i << 53) + (7 * id + i) % 5, SLA_CODE_TICK, 0, 1);
        add(id).append(batch);
    }
    expect_all();
}

TEST_F(MergedRowsTest, LeavesOutWhatDoesNotCount) {
    for (std::uint32_t id = 1; id <= 6; ++id) fill_random(add(id), id, 5000);
    MergedRows rows(lanes(), 0, kNever);
    const auto counts = [](std::size_t lane, std::uint64_t index) { return lane != 2 && (index + lane) % 97 == 0; };
    const auto skip = [&](std::size_t lane, std::uint64_t from, std::uint64_t until) {
        while (from < until && !counts(lane, from)) ++from;
        return from;
    };
    // Nothing of lane 2 is ever looked at, and of lane 4 only what lies behind a glance's jump.
    std::set<std::size_t> looked_at;
    MergedRows::Chosen chosen;
    chosen.skip = [&](std::size_t lane, std::uint64_t from, std::uint64_t until) {
        looked_at.insert(lane);
        return skip(lane, from, until);
    };
    chosen.glance = [&](std::size_t lane, std::uint64_t from, std::uint64_t until) -> MergedRows::Chosen::Candidate {
        if (lane == 2) return {until};
        return {lane == 4 ? skip(lane, from, until) : from};
    };
    rows.choose(chosen);
    std::vector<RowKey> wanted = expected(0, kNever);
    std::erase_if(wanted, [&](const RowKey& key) { return !counts(std::get<1>(key) - 1, std::get<2>(key)); });
    ASSERT_FALSE(wanted.empty());
    EXPECT_TRUE(walked(rows) == wanted);
    EXPECT_EQ(looked_at, (std::set<std::size_t>{0, 1, 3, 4, 5}));
}

TEST_F(MergedRowsTest, OfNothingThereIsNothing) {
    expect_all();
    add(1);
    expect_all();
}

}  // namespace
}  // namespace sla::store
