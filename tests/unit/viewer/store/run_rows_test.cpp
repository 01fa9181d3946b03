// The rows of a run in columns: where a tick is found, and what few of them carry beside the columns.
#include "viewer/store/rows/run_rows.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

namespace sla::store {
namespace {

// Of rows whose ticks go on by `step`, from random ones on.
template <typename Step>
void expect_to_find_first_rows(Step step) {
    std::mt19937_64 random(7);
    RunRows rows(100, 0);
    std::vector<std::uint64_t> ticks;
    for (std::uint64_t tick = 0; ticks.size() < 13000; ticks.push_back(tick)) {
        tick += step(random);
        rows.append({tick, 0, 0, SLA_CODE_TICK});
    }
    for (int round = 0; round < 20000; ++round) {
        const std::uint64_t wanted = ticks[random() % ticks.size()] + random() % 3;
        const auto first = std::lower_bound(ticks.begin(), ticks.end(), wanted);
        const auto found = static_cast<std::uint64_t>(first - ticks.begin());
        ASSERT_EQ(rows.lower_bound(wanted, 100 + random() % (found + 1)), 100 + found);
    }
    EXPECT_EQ(rows.lower_bound(ticks.back() + 1, 100), rows.end_index());
}

TEST(RunRows, FindTheFirstRowNotBeforeATickInBurstsAndBehindLongPauses) {
    expect_to_find_first_rows([](std::mt19937_64& random) {
        const std::uint64_t kind = random() % 1000;
        return kind == 0 ? random() % (std::uint64_t{1} << 50) : kind > 600 ? random() % 4 : 0;
    });
}

TEST(RunRows, FindTheFirstRowNotBeforeATickWhereTheyComeEvenly) {
    expect_to_find_first_rows([](std::mt19937_64& random) { return 1000 + random() % 7; });
    expect_to_find_first_rows([](std::mt19937_64& /*random*/) { return std::uint64_t{3}; });
}

TEST(RunRows, FindTheFirstRowNotBeforeATickWhereTheyComeEverFaster) {
    expect_to_find_first_rows([left = std::uint64_t{13000}](std::mt19937_64& /*random*/) mutable { return left--; });
}

// Of rows [begin, end) where every third has a first word, every fifth a second, every seventh a text.
wire::EventBatch rows_with_extras(std::uint64_t begin, std::uint64_t end) {
    wire::EventBatch batch;
    for (std::uint64_t i = begin; i < end; ++i) {
        wire::RowExtra extra;
        extra.detail = {i % 3 == 0 ? i + 1 : 0, i % 5 == 0 ? ~i : 0};
        if (i % 7 == 0) extra.text = std::string(1 + i % 50, static_cast<char>('a' + i % 26));
        batch.add(i, i % 7 == 0 ? SLA_CODE_TEXT : SLA_CODE_TICK, 0, 1);
        batch.attach(extra);
    }
    return batch;
}

void expect_extras(const RunRows& rows, const wire::EventBatch& wanted) {
    ASSERT_EQ(rows.size(), wanted.size());
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        ASSERT_EQ(rows.details(i), wanted.details_of(i)) << i;
        ASSERT_EQ(rows.text(i), wanted.texts.of(i)) << i;
    }
}

TEST(RunRows, KeepDetailsAndTextsOfEveryRowHoweverTheyCome) {
    constexpr std::uint64_t kRows = 10000;
    const wire::EventBatch whole = rows_with_extras(0, kRows);
    for (const std::uint64_t step : {1U, 100U, 5000U, 10000U}) {
        RunRows rows(0, 0);
        for (std::uint64_t at = 0; at < kRows; at += step) rows.append(rows_with_extras(at, std::min(at + step, kRows)), 0);
        expect_extras(rows, whole);
        wire::EventBatch copy;
        rows.copy_to(copy, 4000, 3000);
        for (std::size_t i = 0; i < copy.size(); ++i) {
            ASSERT_EQ(copy.details_of(i), whole.details_of(4000 + i));
            ASSERT_EQ(copy.texts.of(i), whole.texts.of(4000 + i));
        }
    }
    RunRows rows(0, 0);
    rows.append(whole, 9990);
    EXPECT_EQ(rows.details(0), whole.details_of(9990)) << "from a row of a batch on";
    EXPECT_EQ(rows.text(6), whole.texts.of(9996));
}

TEST(RunRows, ThatAreSharedStayAsTheyWereWhileOthersGetTheirFirstDetails) {
    wire::EventBatch plain;
    for (std::uint64_t i = 0; i < 100; ++i) plain.add(i, SLA_CODE_TICK, 0, 1);
    RunRows rows(0, 0);
    rows.append(plain, 0);
    const std::uint64_t bytes = rows.memory_bytes();
    const RunRows before = rows.shared();
    rows.append(rows_with_extras(100, 5000), 0);
    EXPECT_EQ(before.size(), 100U);
    EXPECT_EQ(before.details(99), (wire::Details{0, 0}));
    EXPECT_EQ(before.memory_bytes(), bytes);
    EXPECT_EQ(rows.details(99), (wire::Details{0, 0}));
    EXPECT_EQ(rows.details(102), (wire::Details{103, 0}));
    EXPECT_GT(rows.memory_bytes(), 5000 * (RunRows::kRowBytes + 16)) << "both columns";
}

TEST(RunRows, OfLossesHaveNoDetailsWhateverCame) {
    wire::EventBatch batch;
    for (const std::uint8_t code : {SLA_CODE_TICK, SLA_CODE_GAP, SLA_CODE_TICK}) batch.add(batch.size(), code, 1, 1);
    for (std::size_t i = 0; i < 3; ++i) batch.set_details(i, {7, 8});
    RunRows rows(0, 0);
    rows.append(batch, 0);
    EXPECT_EQ(rows.details(0), (wire::Details{7, 8}));
    EXPECT_EQ(rows.details(1), (wire::Details{0, 0}));
    EXPECT_EQ(rows.details(2), (wire::Details{7, 8}));
}

TEST(TextTable, KeepsShortOnesAndSomeThatAreLongerThanABlock) {
    TextTable table;
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < 300; ++i)
        texts.emplace_back(i % 100 == 99 ? 100'000 : 1 + i % 30, static_cast<char>('a' + i % 26));
    for (std::size_t i = 0; i < 200; ++i) table.add(10 + 2 * i, texts[i]);
    const TextTable before = table.shared();
    for (std::size_t i = 200; i < 300; ++i) table.add(10 + 2 * i, texts[i]);
    for (std::size_t i = 0; i < 300; ++i) {
        ASSERT_EQ(table.of(10 + 2 * i, 10, 600), texts[i]);
        ASSERT_EQ(table.of(11 + 2 * i, 10, 600), "");
    }
    EXPECT_EQ(before.size(), 200U);
    EXPECT_EQ(before.of(10 + 2 * 199, 10, 600), texts[199]);
    EXPECT_EQ(before.of(10 + 2 * 200, 10, 600), "");
    EXPECT_EQ(table.from(13), 2U);
}

}  // namespace
}  // namespace sla::store
