#include "viewer/workspace/table/table_rows.h"

#include "tests/support/capture_builder.h"
#include "viewer/ingest/frame_applier.h"
#include "viewer/store/session.h"

#include <gtest/gtest.h>

#include <chrono>
#include <map>

namespace sla::workspace {
namespace {

using std::chrono::microseconds;

class RowsOfATable : public ::testing::Test {
protected:
    RowsOfATable() {
        const auto poll = capture_.channel("poll");
        const auto other = capture_.channel("other");
        for (std::uint64_t i = 0; i < 50; ++i) capture_.tick(poll, 1000 + i * 100, 3);
        capture_.tick(other, 6050, 9);
        for (std::uint64_t i = 50; i < 80; ++i) capture_.tick(poll, 1100 + i * 100, i < 60 ? 3 : 4);
        capture_.gap(poll, 20'000, 5);
        capture_.gap(poll, 21'000, 5);
        capture_.fill(session_);
    }
    static void finish(TableRows& rows) {
        for (int i = 0; i < 1000 && (i == 0 || rows.busy()); ++i) rows.step(microseconds(1000));
        rows.step(microseconds(1000));
        ASSERT_FALSE(rows.busy());
    }
    support::CaptureBuilder capture_{1000};
    store::Session session_;
};

TEST_F(RowsOfATable, RepeatsAreCountedAndNothingIsLeftOut) {
    TableRows rows(session_);
    rows.step(microseconds(1000));
    EXPECT_FALSE(rows.listed());
    EXPECT_EQ(rows.size(), 83u);
    rows.set_collapsed(true);
    finish(rows);
    // 3 x 50, the other, 3 x 10, 4 x 20, and every loss by itself.
    ASSERT_EQ(rows.size(), 6u);
    EXPECT_EQ(rows.repeats(0), 49u);
    EXPECT_EQ(rows.repeats(1), 0u);
    EXPECT_EQ(rows.repeats(2), 9u);
    EXPECT_EQ(rows.repeats(3), 19u);
    std::uint64_t all = 0;
    for (std::uint64_t row = 0; row < rows.size(); ++row) all += 1 + rows.repeats(row);
    EXPECT_EQ(all, rows.all());
    rows.set_filter("poll");
    finish(rows);
    ASSERT_EQ(rows.size(), 4u);  // the other one parts them no more
    EXPECT_EQ(rows.repeats(0), 59u);
    rows.set_collapsed(false);
    finish(rows);
    EXPECT_EQ(rows.size(), 82u);
}

TEST(OrderedRows, WithAnEmptyCellStandLastBothWays) {
    support::CaptureBuilder capture{1000};
    const auto mixed = capture.channel("mixed");
    capture.begin(mixed, 1000);
    capture.value(mixed, 2000, 7);
    capture.text(mixed, 3000, "b");
    capture.value(mixed, 4000, -3);
    capture.text(mixed, 5000, "a");
    store::Session session;
    capture.fill(session);
    TableRows rows(session);
    const auto ticks = [&] {
        for (int i = 0; i < 1000; ++i) rows.step(microseconds(1000));
        std::vector<std::uint64_t> out;
        for (std::uint64_t row = 0; row < rows.size(); ++row) out.push_back(rows.place(row)->tick);
        return out;
    };
    using Ticks = std::vector<std::uint64_t>;
    rows.turn_order(TableColumn::kValue);
    EXPECT_EQ(ticks(), (Ticks{4000, 2000, 1000, 3000, 5000}));
    rows.turn_order(TableColumn::kValue);
    EXPECT_EQ(ticks(), (Ticks{2000, 4000, 1000, 3000, 5000}));
    rows.turn_order(TableColumn::kValue);
    rows.turn_order(TableColumn::kText);
    EXPECT_EQ(ticks(), (Ticks{5000, 3000, 1000, 2000, 4000}));
    rows.turn_order(TableColumn::kText);
    EXPECT_EQ(ticks(), (Ticks{3000, 5000, 1000, 2000, 4000}));
}

TEST_F(RowsOfATable, StandInTheOrderOfAColumnAndBack) {
    TableRows rows(session_);
    rows.step(microseconds(1000));
    rows.turn_order(TableColumn::kValue);
    finish(rows);
    ASSERT_EQ(rows.size(), 83u);
    const auto value = [&](std::uint64_t row) {
        const auto place = rows.place(row);
        return (*place->lane)[place->index].number();
    };
    for (std::uint64_t row = 1; row < rows.size(); ++row) EXPECT_LE(value(row - 1), value(row));
    for (std::uint64_t row = 0; row < rows.size(); ++row) {
        const auto place = rows.place(row);
        EXPECT_EQ(rows.row_of(*place->lane, place->index), row);
    }
    rows.turn_order(TableColumn::kValue);
    finish(rows);
    for (std::uint64_t row = 1; row < rows.size(); ++row) EXPECT_GE(value(row - 1), value(row));
    rows.turn_order(TableColumn::kValue);
    finish(rows);
    EXPECT_TRUE(rows.by_time());
    EXPECT_FALSE(rows.listed());
    rows.turn_order(TableColumn::kDeltaAny);  // the longest first
    finish(rows);
    ASSERT_TRUE(rows.before(0));
    EXPECT_EQ(rows.place(0)->tick - rows.before(0)->tick, 20'000u - (1100 + 79 * 100));
}

TEST_F(RowsOfATable, DifferencesAreCountedAmongTheRowsThatAreShown) {
    TableRows rows(session_);
    rows.set_filter("value == 4 or value == 9 or kind == gap");
    finish(rows);
    std::map<const store::Lane*, store::RowRef> last;
    for (std::uint64_t row = 0; row < rows.size(); ++row) {
        const store::RowRef place = *rows.place(row);
        const auto own = rows.before_in_lane(row);
        const auto known = last.find(place.lane);
        ASSERT_EQ(own.has_value(), known != last.end());
        if (own) {
            EXPECT_EQ(own->tick, known->second.tick);
            EXPECT_EQ(own->index, known->second.index);
        }
        last[place.lane] = place;
    }
    EXPECT_EQ(last.size(), 2u);
    rows.set_filter("");
    finish(rows);
    EXPECT_FALSE(rows.before_in_lane(0));
    EXPECT_EQ(rows.before_in_lane(7)->tick, rows.place(6)->tick);
}

TEST(OrderedRows, TellNumbersOfSixtyFourBitsApart) {
    support::CaptureBuilder capture{1000};
    const auto address = capture.channel("address");
    constexpr std::uint64_t kKernel = 0xffff'ffff'8100'0000;
    const std::uint64_t last_digits[] = {7, 2, 9, 1, 8};
    for (std::uint64_t i = 0; i < std::size(last_digits); ++i)
        capture.event(address, 1000 + i, SLA_CODE_VALUE_UNSIGNED, kKernel + last_digits[i]);
    store::Session session;
    capture.fill(session);
    TableRows rows(session);
    rows.turn_order(TableColumn::kValue);
    for (int i = 0; i < 1000; ++i) rows.step(microseconds(1000));
    ASSERT_EQ(rows.size(), std::size(last_digits));
    std::vector<std::uint64_t> shown;
    for (std::uint64_t row = 0; row < rows.size(); ++row) {
        const store::RowRef place = *rows.place(row);
        shown.push_back((*place.lane)[place.index].value - kKernel);
    }
    EXPECT_EQ(shown, (std::vector<std::uint64_t>{1, 2, 7, 8, 9}));
}

TEST_F(RowsOfATable, OneThatAFilterTakesAwayHasNoRow) {
    TableRows rows(session_);
    rows.set_filter("value == 4 or value == 9");
    finish(rows);
    const store::Lane& poll = *session_.lane_named("poll");
    EXPECT_EQ(rows.row_of(poll, 3), rows.size()) << "a 3, before all that are shown";
    EXPECT_EQ(rows.row_of(poll, 55), rows.size()) << "a 3, between two";
    EXPECT_EQ(rows.row_of(*session_.lane_named("other"), 0), 0u);
    EXPECT_EQ(rows.row_of(poll, 60), 1u);
}

TEST_F(RowsOfATable, AWrongFilterShowsEverythingAndSaysWhy) {
    TableRows rows(session_);
    rows.set_filter("value >");
    rows.step(microseconds(1000));
    EXPECT_TRUE(rows.wrong());
    EXPECT_FALSE(rows.words().empty());
    EXPECT_EQ(rows.size(), 83u);
    rows.turn_order(TableColumn::kText);
    rows.step(microseconds(1000));
    EXPECT_TRUE(rows.wrong());
}

// Of more rows than a list holds the first of all in that order are shown, not of those that were there when it was chosen.
TEST(TableRowGrowth, PutInOrderWhileItWasSmallHasTheGreatestOfAllInTheEnd) {
    support::CaptureBuilder capture(1000);
    const auto one = capture.channel("one");
    for (std::uint64_t i = 0; i < 1'200'000; ++i) capture.tick(one, 1000 + i * 10, static_cast<std::int64_t>(i));
    store::Session session;
    ingest::FrameApplier applier(session);
    TableRows rows(session);
    std::uint64_t frames = 0;
    for (const std::string& message : capture.frames(5000)) {
        applier.apply(std::string_view(message));
        if (++frames == 6) rows.set_order({static_cast<std::size_t>(TableColumn::kValue), true});
        if (frames % 16 == 0) rows.step(microseconds(2000));
    }
    const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    do rows.step(microseconds(2000));
    while ((rows.busy() || !rows.is_abreast()) && std::chrono::steady_clock::now() < until);
    ASSERT_FALSE(rows.busy());
    ASSERT_GT(rows.size(), 0u);
    const auto first = rows.place(0);
    ASSERT_TRUE(first);
    EXPECT_EQ((*first->lane)[first->index].number(), 1'199'999.0);
}

// Listed while frames come in: as if all had been there.
TEST(TableRowGrowth, EndsWithWhatWasListedAtOnce) {
    support::CaptureBuilder capture(1000);
    const auto one = capture.channel("one");
    const auto two = capture.channel("two");
    for (std::uint64_t i = 0; i < 500; ++i) capture.tick(i % 90 < 40 ? one : two, 1000 + i * 10, i % 7 == 0 ? 2 : 1);
    store::Session session;
    ingest::FrameApplier applier(session);
    TableRows rows(session);
    rows.set_collapsed(true);
    for (const std::string& message : capture.frames(20)) {
        applier.apply(std::string_view(message));
        rows.step(microseconds(2000));
    }
    for (int i = 0; i < 1000 && (rows.busy() || !rows.is_abreast()); ++i) rows.step(microseconds(2000));
    store::Session whole;
    capture.fill(whole);
    TableRows expected(whole);
    expected.set_collapsed(true);
    do expected.step(microseconds(2000));
    while (expected.busy());
    ASSERT_EQ(rows.size(), expected.size());
    ASSERT_GT(rows.size(), 50u);
    for (std::uint64_t row = 0; row < rows.size(); ++row) {
        EXPECT_EQ(rows.place(row)->tick, expected.place(row)->tick);
        EXPECT_EQ(rows.repeats(row), expected.repeats(row));
    }
}

}  // namespace
}  // namespace sla::workspace
