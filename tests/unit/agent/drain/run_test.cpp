#include "agent/drain/run.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace sla::drain {
namespace {

TEST(Run, GivesEventsOutInPiecesWithTheirExtrasInPlace) {
    drain::Run run(9);
    for (std::uint64_t i = 0; i < 10; i++) {
        run.add(100 + i, SLA_CODE_TICK_VALUE, i);
        if (i % 3 == 0) run.attach_text(1, std::to_string(i));
    }
    wire::EventBatch out;
    out.add(1, SLA_CODE_TICK, 0, 1);
    EXPECT_EQ(run.count_up_to(99), 0u);
    EXPECT_EQ(run.count_up_to(103), 4u);
    run.give(4, out);
    run.give(6, out);
    EXPECT_TRUE(run.empty());
    ASSERT_EQ(out.size(), 11u);
    EXPECT_EQ(out.threads[1], 9u);
    ASSERT_EQ(out.texts.size(), 4u);
    for (std::size_t i = 0; i < 4; i++) EXPECT_EQ(out.texts[i], std::to_string(out.values[out.texts.position(i)]));
}

TEST(Run, SortingKeepsExtrasWithTheirEventsAndEqualTicksInOrder) {
    drain::Run run(1);
    run.add(50, SLA_CODE_TICK_VALUE, 1);
    run.add(30, SLA_CODE_TICK_VALUE, 2);
    run.attach_text(1, "two");
    run.add(50, SLA_CODE_TICK_VALUE, 3);
    run.add(40, SLA_CODE_TICK_VALUE, 4);
    run.sort();
    wire::EventBatch out;
    run.give(4, out);
    EXPECT_EQ(out.values, (std::vector<std::uint64_t>{2, 4, 1, 3}));
    ASSERT_EQ(out.texts.size(), 1u);
    EXPECT_EQ(out.texts.of(0), "two");
}

// Rows with and without them, given out in pieces of any size, while more come: against a list of what should be there.
TEST(Run, DetailsStayWithTheirEventsWhateverIsGivenOutOrSorted) {
    std::mt19937 random(3);
    for (int round = 0; round < 200; round++) {
        drain::Run run(1);
        wire::EventBatch out;
        std::vector<wire::Details> expected;
        std::uint64_t tick = 1;
        for (int step = 0; step < 40; step++) {
            const std::size_t count = random() % 300;
            const bool with_details = random() % 2 == 0;
            const bool columns = random() % 2 == 0;
            const drain::Run::Columns to = columns ? run.grow(count, with_details) : drain::Run::Columns{};
            for (std::size_t i = 0; i < count; i++, tick++) {
                const wire::Details words{with_details ? random() % 3 : 0, with_details ? tick : 0};
                expected.push_back(words);
                if (!columns) {
                    run.add(tick, SLA_CODE_TICK, 0);
                    run.set_details(words);
                    continue;
                }
                to.ticks[i] = tick, to.codes[i] = SLA_CODE_TICK, to.values[i] = 0;
                for (std::size_t word = 0; with_details && word < 2; word++) to.details[word][i] = words[word];
            }
            if (columns && random() % 4 == 0) {
                const std::size_t fewer = random() % (count + 1);
                run.shrink(fewer);
                expected.resize(expected.size() - fewer);
                tick -= fewer;
            }
            if (random() % 4 == 0) {
                run.add(tick + 1, SLA_CODE_TICK, 0);
                run.add(tick, SLA_CODE_TICK, 0);
                run.set_details({9, tick});
                expected.insert(expected.end(), {wire::Details{9, tick}, wire::Details{}});
                tick += 2;
                run.sort();
            }
            run.give(random() % (run.size() + 1), out);
            if (run.empty() && random() % 2 == 0) run.give_back();
        }
        run.give(run.size(), out);
        ASSERT_EQ(out.size(), expected.size());
        for (std::size_t i = 0; i < out.size(); i++) ASSERT_EQ(out.details_of(i), expected[i]) << round << " row " << i;
    }
}

TEST(Run, SortingCostsLittleHoweverManyTextsThereAre) {
    constexpr std::uint64_t kEvents = 300'000;  // looking every text up one by one would take minutes
    drain::Run run(1);
    for (std::uint64_t i = 0; i < kEvents; i++) {
        run.add(i ^ 1, SLA_CODE_TICK_VALUE, i);
        run.attach_text(1, "t");
    }
    run.sort();
    wire::EventBatch out;
    run.give(kEvents, out);
    EXPECT_TRUE(std::is_sorted(out.ticks.begin(), out.ticks.end()));
    EXPECT_EQ(out.texts.size(), kEvents);
}

// Given out in pieces of any size, taken back, sorted, while more come: against a list of what should be there.
TEST(Run, TextsStayWithTheirEventsWhateverIsGivenOut) {
    std::mt19937 random(2);
    for (int round = 0; round < 100; round++) {
        drain::Run run(1);
        wire::EventBatch out;
        std::vector<std::string> texts;
        std::uint64_t tick = 1;
        for (int step = 0; step < 30; step++) {
            const std::size_t count = random() % 200;
            for (std::size_t i = 0; i < count; i++, tick++) {
                texts.emplace_back(random() % 2 == 0 ? 0 : random() % 120, static_cast<char>('a' + random() % 26));
                run.add(tick, SLA_CODE_TEXT, 0);
                run.attach_text(1, texts.back());
            }
            const std::size_t fewer = random() % 4 == 0 ? random() % (count + 1) : 0;
            run.shrink(fewer);
            texts.resize(texts.size() - fewer);
            run.sort();
            run.give(random() % (run.size() + 1), out);
            if (random() % 4 == 0) run.give_back();
        }
        run.give(run.size(), out);
        ASSERT_EQ(out.size(), texts.size());
        for (std::size_t i = 0; i < texts.size(); i++) ASSERT_EQ(out.texts.of(i), texts[i]) << round << " row " << i;
    }
}

TEST(Run, RandomTrafficKeepsEveryEventOnce) {
    std::mt19937 random(1);
    drain::Run run(1);
    wire::EventBatch out;
    std::uint64_t added = 0;
    for (int step = 0; step < 2000; step++) {
        std::size_t more = random() % 200;
        drain::Run::Columns columns = run.grow(more);
        for (std::size_t i = 0; i < more; i++) {
            columns.ticks[i] = added;
            columns.codes[i] = SLA_CODE_TICK_VALUE;
            columns.values[i] = added++;
        }
        run.give(random() % (run.size() + 1), out);
    }
    run.give(run.size(), out);
    ASSERT_EQ(out.size(), added);
    for (std::uint64_t i = 0; i < added; i++) ASSERT_EQ(out.values[i], i);
}

TEST(Run, MemoryForVeryManyEventsIsGivenBackOnceTheyAreOut) {
    constexpr std::size_t kMany = Run::kMostKept + 1;
    drain::Run run(1);
    for (std::size_t i = 0; i < kMany; i++) run.add(i, SLA_CODE_TICK, 0);
    EXPECT_GE(run.bytes(), kMany * 17);
    wire::EventBatch out;
    run.give(kMany, out);
    run.add(kMany, SLA_CODE_TICK, 0);
    run.attach_text(1, "last");
    EXPECT_LT(run.bytes(), 10'000u);
    run.give(1, out);
    ASSERT_EQ(out.size(), kMany + 1);
    ASSERT_EQ(out.texts.size(), 1u);
    EXPECT_EQ(out.texts.of(kMany), "last");
    run.give_back();
    EXPECT_EQ(run.bytes(), 0u);
}

// As each of thousands has while the watermark lags behind.
TEST(Run, OneInWhichSomeRowsAlwaysWaitStaysSmall) {
    constexpr std::size_t kWaiting = 20;
    drain::Run run(1);
    std::uint64_t tick = 0;
    for (; tick < kWaiting; tick++) run.add(tick, SLA_CODE_TICK_VALUE, tick);
    wire::EventBatch out;
    for (int round = 0; round < 500; round++) {
        const drain::Run::Columns to = run.grow(50);
        for (std::size_t i = 0; i < 50; i++, tick++) {
            to.ticks[i] = to.values[i] = tick;
            to.codes[i] = SLA_CODE_TICK_VALUE;
        }
        run.give(50, out);
        ASSERT_LE(run.bytes(), 2 * 17 * (256 + 50 + kWaiting));
    }
    run.give(kWaiting, out);
    ASSERT_EQ(out.size(), tick);
    for (std::uint64_t i = 0; i < tick; i++) ASSERT_EQ(out.values[i], i);
}

TEST(Run, MemoryOfAStormStaysUntilTheStormIsOver) {
    constexpr std::size_t kMany = Run::kWorthKeeping * 2;
    drain::Run run(1);
    std::uint64_t tick = 0;
    const auto round = [&](std::size_t events) {
        for (std::size_t i = 0; i < events; i++) run.add(tick++, SLA_CODE_TICK, 0);
        wire::EventBatch out;
        run.give(events, out);
        ASSERT_EQ(out.size(), events);
        ASSERT_EQ(out.ticks.back(), tick - 1);
    };
    for (std::uint32_t storm = 0; storm < 3; storm++) {
        round(kMany);
        const std::size_t full = run.bytes();
        EXPECT_GE(full, kMany * 17);
        for (std::uint32_t pause = 0; pause < Run::kRoundsKept; pause++) {
            round(1);
            EXPECT_EQ(run.bytes(), full) << "the next blow of it may come yet";
        }
        if (storm == 1) round(1);  // it does not
        EXPECT_EQ(run.bytes() < 10'000, storm == 1);
    }
}

}  // namespace
}  // namespace sla::drain
