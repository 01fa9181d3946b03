// A page's run, whose index is made when somebody asks, answers like one that grew with its index.
#include "viewer/store/rows/run.h"

#include "tests/unit/viewer/store/random_lane.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <random>
#include <thread>
#include <vector>

namespace sla::store {
namespace {

// The same rows both ways, after some that were there before.
class LateRun : public ::testing::Test {
protected:
    void fill(std::uint64_t seed, std::uint64_t events) {
        std::mt19937_64 random(seed);
        std::uint64_t tick = 1000;
        RunStart start;
        start.index = 77;
        start.span_id = 5;
        start.level = Level::kHigh;
        NumberedSpan open{4, {}};
        open.span.begin_tick = 3;
        open.span.thread = 1;
        start.open.push_back(open);
        grown_ = std::make_unique<store::Run>(start);
        start.rows = events;
        late_ = std::make_unique<store::Run>(start);
        for (std::uint64_t left = events; left > 0;) {
            const std::size_t count = std::min<std::uint64_t>(left, 1 + random() % 700);
            const wire::EventBatch batch = random_batch(random, count, tick);
            grown_->append(batch, 0, nullptr);
            late_->append(batch, 0, nullptr);
            left -= count;
        }
    }

    std::unique_ptr<store::Run> grown_;
    std::unique_ptr<store::Run> late_;
};

void expect_same_spans(const SpanTable& is, const SpanTable& wanted) {
    ASSERT_EQ(is.first_id(), wanted.first_id());
    ASSERT_EQ(is.end_id(), wanted.end_id());
    EXPECT_EQ(is.unmatched_ends(), wanted.unmatched_ends());
    EXPECT_EQ(is.deepest(), wanted.deepest());
    for (std::uint64_t id = is.first_id(); id < is.end_id(); ++id) {
        ASSERT_EQ(is[id].end_tick, wanted[id].end_tick) << id;
        ASSERT_EQ(is[id].row, wanted[id].row) << id;
    }
    std::vector<std::uint64_t> seen;
    std::vector<std::uint64_t> wanted_seen;
    const auto into = [](std::vector<std::uint64_t>& ids) {
        return [&ids](std::uint64_t id) {
            ids.push_back(id);
            return true;
        };
    };
    is.visit_overlapping(2000, 20000, 40, into(seen));
    wanted.visit_overlapping(2000, 20000, 40, into(wanted_seen));
    EXPECT_EQ(seen, wanted_seen);
}

TEST_F(LateRun, AnswersLikeOneThatGrew) {
    for (const std::uint64_t events : {1, 63, 64, 65, 4095, 4096, 4097, 12000}) {
        fill(events, events);
        ASSERT_TRUE(grown_->has_index());
        ASSERT_FALSE(late_->has_index());
        std::mt19937_64 random(events);
        for (int round = 0; round < 200; ++round) {
            const std::uint64_t first = 77 + random() % events;
            const std::uint64_t last = first + random() % (77 + events - first + 1);
            const ValueRange is = late_->range_of(first, last);
            const ValueRange wanted = grown_->range_of(first, last);
            ASSERT_EQ(is.any, wanted.any);
            ASSERT_EQ(is.min, wanted.min);
            ASSERT_EQ(is.max, wanted.max);
            const std::uint64_t tick = random() % (grown_->last_tick() + 100);
            ASSERT_EQ(late_->level_at(tick).level, grown_->level_at(tick).level);
            ASSERT_EQ(late_->level_at(tick).high, grown_->level_at(tick).high);
        }
        EXPECT_TRUE(late_->has_index());
        EXPECT_EQ(late_->kinds(), grown_->kinds());
        EXPECT_EQ(late_->has_values(), grown_->has_values());
        EXPECT_EQ(late_->longest_pause(), grown_->longest_pause());
        expect_same_spans(late_->spans(), grown_->spans());
    }
}

// In some stretches only, so that some blocks have infinite numbers, and the first of them comes late.
TEST_F(LateRun, KnowsTheFiniteNumbersBesideInfiniteOnes) {
    constexpr std::uint64_t kRows = 9000;
    std::mt19937_64 random(6);
    wire::EventBatch batch;
    std::vector<double> numbers;
    for (std::uint64_t i = 0; i < kRows; ++i) {
        constexpr double kInfinity = std::numeric_limits<double>::infinity();
        const double odd[] = {kInfinity, -kInfinity, std::numeric_limits<double>::quiet_NaN()};
        const bool is_odd = i / 700 % 3 == 1 && random() % 3 == 0;
        numbers.push_back(is_odd ? odd[random() % 3] : static_cast<double>(random() % 1000) - 400);
        batch.add(i, SLA_CODE_VALUE_FLOAT, wire::as_bits(numbers.back()), 1);
    }
    RunStart start;
    store::Run grown(start);
    grown.append(batch, 0, nullptr);
    start.rows = kRows;
    store::Run late(start);
    late.append(batch, 0, nullptr);
    for (int round = 0; round < 400; ++round) {
        const std::uint64_t first = random() % kRows;
        const std::uint64_t last =
            first + 1 + random() % std::min<std::uint64_t>(kRows - first, round % 2 == 0 ? 100 : kRows);
        ValueRange all;
        ValueRange finite;
        for (std::uint64_t i = first; i < last; ++i) {
            const ValueRange one{numbers[i], numbers[i], true};
            if (!std::isnan(numbers[i])) all.absorb(one);
            if (std::isfinite(numbers[i])) finite.absorb(one);
        }
        for (const store::Run* run : {&grown, &late}) {
            const ValueRange is = run->finite_range_of(first, last);
            ASSERT_EQ(is.any, finite.any);
            ASSERT_EQ(is.min, finite.min);
            ASSERT_EQ(is.max, finite.max);
            ASSERT_EQ(run->range_of(first, last).min, all.min);
            ASSERT_EQ(run->range_of(first, last).max, all.max);
        }
    }
}

TEST_F(LateRun, GivesItsRowsWithoutAnIndex) {
    fill(3, 9000);
    for (std::uint64_t index = 77; index < 77 + 9000; ++index) {
        const Event is = (*late_)[index];
        const Event wanted = (*grown_)[index];
        ASSERT_EQ(is.tick, wanted.tick);
        ASSERT_EQ(is.value, wanted.value);
        ASSERT_EQ(is.thread, wanted.thread);
        ASSERT_EQ(is.code, wanted.code);
    }
    EXPECT_EQ(late_->lower_bound(5000, 77), grown_->lower_bound(5000, 77));
    EXPECT_FALSE(late_->has_index());
}

TEST_F(LateRun, TakesAsMuchMemoryAsItSays) {
    fill(4, 20000);
    const std::uint64_t before = late_->memory_bytes();
    late_->make_index();
    EXPECT_EQ(late_->memory_bytes(), before);
    EXPECT_GT(before, 20000u * 21);
}

TEST_F(LateRun, ManyMayBeTheFirstToAsk) {
    fill(5, 9000);
    const ValueRange wanted = grown_->range_of(77, 77 + 9000);
    std::vector<ValueRange> answers(4);
    std::vector<std::thread> askers;
    for (ValueRange& one : answers) askers.emplace_back([&] { one = late_->range_of(77, 77 + 9000); });
    for (std::thread& asker : askers) asker.join();
    for (const ValueRange& one : answers) {
        EXPECT_EQ(one.min, wanted.min);
        EXPECT_EQ(one.max, wanted.max);
    }
}

}  // namespace
}  // namespace sla::store
