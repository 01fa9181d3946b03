// What recorders need to know of a batch is summed up once, when it comes, and only for them.
#include "agent/retain/fresh_summaries.h"

#include "tests/unit/agent/retain/filling.h"

#include <atomic>
#include <chrono>
#include <memory>
#include <optional>
#include <thread>

namespace sla::retain {
namespace {

class FreshSummariesOf : public Filling {
protected:
    static constexpr std::uint64_t kTotal = std::uint64_t{32} << 20;

    void SetUp() override { announce(retention_, 1); }
    static std::vector<Delivery> batches_for(Retention& retention, Cursor& cursor) {
        std::vector<Delivery> deliveries;
        retention.read(cursor, std::size_t{1} << 30, deliveries);
        std::erase_if(deliveries, [](const Delivery& one) { return one.facts.rows == 0; });
        return deliveries;
    }

    Retention retention_{{kTotal, kTotal, 0}};
};

TEST_F(FreshSummariesOf, ARecorderGetsThemOfWhatComesWhileItIsThere) {
    append(retention_, 1, 1000, 100);
    std::optional<Cursor> recorder(std::in_place);
    recorder->is_recorder = true;
    const auto before = batches_for(retention_, *recorder);
    ASSERT_EQ(before.size(), 1u);
    EXPECT_EQ(before[0].summary, nullptr) << "nobody wanted it";
    append(retention_, 1, 2000, 100);
    append(retention_, 1, 3000, 10);
    const auto while_there = batches_for(retention_, *recorder);
    ASSERT_EQ(while_there.size(), 2u);
    ASSERT_NE(while_there[0].summary, nullptr);
    EXPECT_EQ(while_there[0].frame_facts().summary, while_there[0].summary.get());
    ASSERT_EQ(while_there[0].summary->cells.size(), 1u);
    EXPECT_EQ(while_there[0].summary->cells[0].first_tick, 2000u);
    EXPECT_EQ(while_there[0].summary->cells[0].first_index, 100u);
    EXPECT_EQ(while_there[0].summary->cells[0].rows, 100u);
    EXPECT_EQ(while_there[1].summary, nullptr) << "a few rows are read faster";
}

TEST_F(FreshSummariesOf, TwoRecordersGetTheSameOneAndAViewerNone) {
    Cursor recorders[2];
    Cursor viewer;
    for (Cursor& one : recorders) {
        one.is_recorder = true;
        batches_for(retention_, one);
    }
    append(retention_, 1, 1000, 100);
    const auto first = batches_for(retention_, recorders[0]);
    const auto second = batches_for(retention_, recorders[1]);
    ASSERT_NE(first.at(0).summary, nullptr);
    EXPECT_EQ(first[0].summary, second.at(0).summary);
    EXPECT_EQ(batches_for(retention_, viewer).at(0).summary, nullptr);
}

TEST_F(FreshSummariesOf, AreCountedWithTheRecordersAndNoMoreThanASixteenthOfTheTotal) {
    std::optional<Cursor> recorder(std::in_place);
    recorder->is_recorder = true;
    batches_for(retention_, *recorder);
    const std::uint64_t without = retention_.usage().recorders;
    append(retention_, 1, 1000, 8192);
    EXPECT_GT(retention_.usage().recorders, without + 16 * sizeof(capture::LaneSummary));
    for (std::uint64_t tick = 10'000; tick < 5'000'000; tick += 1000) append(retention_, 1, tick, 512);
    EXPECT_GT(retention_.usage().recorders, kTotal / 16 / 2);
    EXPECT_LE(retention_.usage().recorders, kTotal / 16 + 4096);
    const auto deliveries = batches_for(retention_, *recorder);
    EXPECT_EQ(deliveries.front().summary, nullptr) << "the oldest go first";
    EXPECT_NE(deliveries.back().summary, nullptr);
    recorder.reset();
    append(retention_, 1, 6'000'000, 100);
    EXPECT_EQ(retention_.usage().recorders, 0u);
}

TEST_F(FreshSummariesOf, WhoWaitsForMuchIsWokenByManyRowsAndByTheEnd) {
    constexpr std::chrono::hours kUntilWoken(24);  // longer than ctest lets a test run: only a wake ends it
    Cursor recorder;
    recorder.is_recorder = true;
    retention_.limit_channel({1}, {std::uint64_t{64} << 10, 0});
    batches_for(retention_, recorder);
    std::atomic<bool> is_awake{false};
    std::thread reader([&] {
        retention_.wait_for_much(kUntilWoken);
        is_awake = true;
    });
    std::uint64_t tick = 1000;
    for (; !is_awake; tick += 100) append(retention_, 1, tick, 10);
    reader.join();
    is_awake = false;
    std::thread last([&] {
        retention_.wait_for_much(kUntilWoken);
        is_awake = true;
    });
    while (!is_awake) retention_.finish("end");
    last.join();
}

}  // namespace
}  // namespace sla::retain
