// The event table in the order of a column: against sorting every row by hand, in memory and from a file.
#include "tests/support/capture_builder.h"
#include "tests/support/temporary_path.h"
#include "tests/unit/viewer/ingest/random_capture.h"
#include "viewer/ingest/file_source.h"
#include "viewer/workspace/table/table_rows.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <iterator>
#include <limits>
#include <random>
#include <thread>
#include <unordered_map>

namespace sla::workspace {
namespace {

using std::chrono::microseconds;

TEST(FirstRows, AreTheFirstOfAStableSort) {
    std::mt19937 random(3);
    for (const std::size_t count : {0U, 5U, 10U, 19U, 20U, 21U, 1000U, 5000U}) {
        for (const unsigned range : {1U, 3U, 1000U}) {
            const auto less = [](int a, int b) { return a < b; };
            FirstRows<int, std::size_t, decltype(less)> first(10, less);
            std::vector<std::pair<int, std::size_t>> all;
            for (std::size_t i = 0; i < count; ++i) {
                all.emplace_back(static_cast<int>(random() % range), i);
                first.add(all.back().first, i);
            }
            std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
            all.resize(std::min<std::size_t>(all.size(), 10));
            std::vector<std::size_t> expected;
            for (const auto& [key, row] : all) expected.push_back(row);
            EXPECT_EQ(first.in_order(), expected) << count << " of " << range;
            EXPECT_EQ(first.added(), count);
        }
    }
}

// Strictly weak, and what is no number behind all numbers that rise.
TEST(RowBefore, HasAPlaceForEveryNumber) {
    constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
    constexpr double kBeyond = std::numeric_limits<double>::infinity();
    const double numbers[] = {kNone, -kNone, kBeyond, -kBeyond, 0, -0.0, 1, -1, 1e300, 5};
    const RowBefore up{false};
    const RowBefore down{true};
    std::mt19937 random(7);
    for (int round = 0; round < 2'000; ++round) {
        std::vector<RowKey> keys;
        for (std::uint32_t i = 2 + random() % 60; i > 0; --i)
            keys.push_back({numbers[random() % std::size(numbers)], random() % 4 == 0 ? "w" : "", random() % 9 == 0});
        const auto pick = [&]() -> const RowKey& { return keys[random() % keys.size()]; };
        for (const RowBefore& before : {up, down}) {
            const RowKey& a = pick();
            const RowKey& b = pick();
            const RowKey& c = pick();
            const auto alike = [&](const RowKey& x, const RowKey& y) { return !before(x, y) && !before(y, x); };
            ASSERT_FALSE(before(a, a));
            ASSERT_FALSE(before(a, b) && before(b, a));
            ASSERT_TRUE(before(a, c) || !before(a, b) || !before(b, c));
            ASSERT_TRUE(alike(a, c) || !alike(a, b) || !alike(b, c));
            std::sort(keys.begin(), keys.end(), before);
            ASSERT_TRUE(std::is_sorted(keys.begin(), keys.end(), before));
        }
    }
    EXPECT_TRUE(up({kBeyond, {}}, {kNone, {}}));
    EXPECT_FALSE(up({kNone, {}}, {kBeyond, {}}));
    EXPECT_TRUE(down({kNone, {}}, {kBeyond, {}}));
    EXPECT_TRUE(down({kNone, {}}, {kNone, {}, true})) << "an empty cell is last, whichever way round";
}

class OrderOfAll : public ::testing::Test {
protected:
    // Every row of a session in time order, with what its differences are counted from.
    static std::vector<RowToOrder> all_rows(const store::Session& session) {
        store::MergedIndex index(session);
        index.refresh();
        store::MergedCursor cursor = index.cursor(0);
        std::vector<RowToOrder> rows;
        std::unordered_map<const store::Lane*, std::uint64_t> last;
        while (const auto place = cursor.next()) {
            RowToOrder row{*place, rows.size(), std::nullopt, std::nullopt};
            if (!rows.empty()) row.before_tick = rows.back().place.tick;
            if (const auto known = last.find(place->lane); known != last.end()) row.before_in_lane_tick = known->second;
            last[place->lane] = place->tick;
            rows.push_back(row);
        }
        return rows;
    }
    static void finish(TableRows& rows) {
        const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
        rows.step(microseconds(2000));
        while ((rows.busy() || rows.size() == 0) && std::chrono::steady_clock::now() < end) {
            std::this_thread::sleep_for(microseconds(200));
            rows.step(microseconds(2000));
        }
        ASSERT_FALSE(rows.busy());
    }
    // Both ways by every column, of `whole` by hand and of `session` as the table does it.
    static void compare(const store::Session& whole, const store::Session& session) {
        const std::vector<RowToOrder> all = all_rows(whole);
        ASSERT_GT(all.size(), TableRows::kMaxSorted);
        TableRows rows(session);
        rows.step(microseconds(1000));
        for (const TableColumn column : {TableColumn::kValue, TableColumn::kDeltaAny, TableColumn::kDeltaLane,
                                         TableColumn::kChannel, TableColumn::kKind, TableColumn::kText}) {
            for (int turn = 0; turn < 2; ++turn) {
                rows.turn_order(column);
                SCOPED_TRACE(testing::Message() << "column " << static_cast<int>(column)
                                                << (rows.order().descending ? " descending" : " ascending"));
                finish(rows);
                ASSERT_EQ(rows.size(), SearchWalk::kMaxOrdered);
                EXPECT_FALSE(rows.is_in_time_order());
                EXPECT_NE(rows.words().find("the first 20"), std::string::npos) << rows.words();
                check(all, rows);
            }
            rows.turn_order(column);
            EXPECT_TRUE(rows.by_time());
            EXPECT_EQ(rows.size(), all.size());
        }
    }
    static void check(const std::vector<RowToOrder>& all, const TableRows& rows) {
        std::vector<RowKey> keys;
        keys.reserve(all.size());
        for (const RowToOrder& row : all) keys.push_back(key_of(rows.order().column, row));
        std::vector<std::uint32_t> order(all.size());
        for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
        const RowBefore before{rows.order().descending};
        std::stable_sort(order.begin(), order.end(),
                         [&](std::uint32_t a, std::uint32_t b) { return before(keys[a], keys[b]); });
        for (std::uint64_t i = 0; i < rows.size(); ++i) {
            const RowToOrder& expected = all[order[i]];
            const auto place = rows.place(i);
            ASSERT_TRUE(place);
            ASSERT_EQ(place->lane->channel().id, expected.place.lane->channel().id) << i;
            ASSERT_EQ(place->index, expected.place.index) << i;
            const auto above = rows.before(i);
            ASSERT_EQ(above.has_value(), expected.before_tick.has_value());
            if (above) {
                ASSERT_EQ(above->tick, *expected.before_tick);
            }
            const auto in_lane = rows.before_in_lane(i);
            ASSERT_EQ(in_lane.has_value(), expected.before_in_lane_tick.has_value());
            if (in_lane) {
                ASSERT_EQ(in_lane->tick, *expected.before_in_lane_tick);
            }
            if (i % 997 == 0) {
                ASSERT_EQ(rows.row_of(*place->lane, place->index), i);
            }
        }
        const RowToOrder& behind = all[order[rows.size()]];
        const store::Lane* lane =
            rows.place(0)->lane->channel().id == behind.place.lane->channel().id ? rows.place(0)->lane : nullptr;
        if (lane == nullptr) return;
        EXPECT_EQ(rows.row_of(*lane, behind.place.index), rows.size()) << "it is not shown";
    }
};

TEST_F(OrderOfAll, IsThatOfSortingEveryRowInMemory) {
    support::CaptureBuilder capture(1000);
    std::mt19937_64 random(11);
    const std::uint32_t channels[] = {capture.channel("b"), capture.channel("a"), capture.channel("c")};
    std::uint64_t tick = 1000;
    for (std::uint64_t i = 0; i < TableRows::kMaxSorted + 30'000; ++i) {
        tick += random() % 400;
        const std::uint32_t channel = channels[random() % 3];
        if (random() % 50 == 0) {
            capture.text(channel, tick, "t" + std::to_string(random() % 5000));
        } else if (random() % 1000 == 0) {
            capture.gap(channel, tick, random() % 9 + 1);
        } else {
            capture.tick(channel, tick, static_cast<std::int64_t>(random() % 100'000) - 50'000);
        }
    }
    store::Session session;
    capture.fill(session);
    compare(session, session);
}

TEST_F(OrderOfAll, IsTheSameWhereTheRowsStayInAFile) {
    const support::TemporaryPath temporary{"row_order.sla"};
    ingest::write_random_capture(temporary.path, 11, 400);
    store::Session whole;
    ASSERT_TRUE(ingest::load_file(temporary.path, whole).ok());
    const auto fill = [&](store::Session& session) {
        ingest::FileOptions options;
        options.rows_in_memory = 0;
        EXPECT_TRUE(ingest::load_file(temporary.path, session, {}, options).ok());
    };
    store::Session paged;
    fill(paged);
    compare(whole, paged);
}

TEST_F(OrderOfAll, OfAFilterWithManyHitsGivesTheFirstOfThem) {
    support::CaptureBuilder capture(1000);
    const auto channel = capture.channel("c");
    const auto other = capture.channel("d");
    const std::uint64_t count = TableRows::kMaxSorted + 5000;
    for (std::uint64_t i = 0; i < count; ++i) {
        capture.tick(channel, 1000 + i * 2, static_cast<std::int64_t>(i * 7919 % count));
        if (i % 100 == 0) capture.tick(other, 1001 + i * 2, 1);
    }
    store::Session session;
    capture.fill(session);
    TableRows rows(session);
    rows.step(microseconds(1000));
    rows.set_filter("channel == c");
    finish(rows);
    EXPECT_EQ(rows.size(), count);
    rows.turn_order(TableColumn::kValue);
    for (int i = 0; i < 60'000 && rows.is_in_time_order(); ++i) rows.step(microseconds(2000));
    ASSERT_EQ(rows.size(), SearchWalk::kMaxOrdered);
    EXPECT_NE(rows.words().find("the first 20"), std::string::npos) << rows.words();
    for (std::uint64_t i = 0; i < rows.size(); i += 13) {
        const auto place = rows.place(i);
        ASSERT_EQ((*place->lane)[place->index].value, i);
    }
}

}  // namespace
}  // namespace sla::workspace
