#include "tests/unit/viewer/store/random_lane.h"

#include <gtest/gtest.h>

namespace sla::store {
namespace {

Summary slow_summary(const Lane& lane, std::uint64_t from, std::uint64_t until) {
    Summary sum;
    while (sum.first < lane.size() && lane.tick(sum.first) < from) ++sum.first;
    sum.last = sum.first;
    while (sum.last < lane.size() && lane.tick(sum.last) < until) ++sum.last;
    for (std::uint64_t i = sum.first; i < sum.last; ++i) {
        const Event event = lane[i];
        if (event.code == SLA_CODE_GAP) {
            ++sum.gaps;
            sum.lost += event.value;
            continue;
        }
        ++sum.events;
        if (!wire::has_value(event.code)) continue;
        sum.min = sum.has_value ? std::min(sum.min, event.number()) : event.number();
        sum.max = sum.has_value ? std::max(sum.max, event.number()) : event.number();
        sum.has_value = true;
    }
    return sum;
}

TEST(Lane, AnswersEveryIntervalLikeACountByHand) {
    for (const std::size_t events : {0, 1, 63, 64, 65, 4095, 4096, 4097, 20000}) {
        Lane lane({});
        fill_random(lane, events, events);
        std::mt19937_64 random(events);
        for (int round = 0; round < 60; ++round) {
            const std::uint64_t from = random() % (lane.last_tick() + 100);
            const std::uint64_t until =
                random() % 3 == 0 ? from + random() % 200 : from + random() % (lane.last_tick() + 200);
            const Summary fast = lane.summarize(from, until);
            const Summary slow = slow_summary(lane, from, until);
            ASSERT_EQ(fast.first, slow.first);
            ASSERT_EQ(fast.last, slow.last);
            ASSERT_EQ(fast.events, slow.events);
            ASSERT_EQ(fast.gaps, slow.gaps);
            ASSERT_EQ(fast.lost, slow.lost);
            ASSERT_EQ(fast.has_value, slow.has_value);
            ASSERT_EQ(fast.min, slow.min);
            ASSERT_EQ(fast.max, slow.max);
        }
    }
}

TEST(Lane, FindsTheFirstEventAtOrAfterATickFromAnywhereBeforeIt) {
    Lane lane({});
    fill_random(lane, 5, 13000);
    std::mt19937_64 random(5);
    for (int round = 0; round < 3000; ++round) {
        const std::uint64_t wanted = random() % (lane.last_tick() + 50);
        const std::uint64_t found = lane.lower_bound(wanted);
        ASSERT_TRUE(found == lane.size() || lane.tick(found) >= wanted);
        ASSERT_TRUE(found == 0 || lane.tick(found - 1) < wanted);
        const std::uint64_t hint = found == 0 ? 0 : random() % (found + 1);
        ASSERT_EQ(lane.lower_bound(wanted, hint), found);
    }
    EXPECT_EQ(lane.lower_bound(kNever), lane.size());
    EXPECT_EQ(lane.upper_bound(kNever), lane.size());
}

TEST(Lane, EventsComeBackAsTheyWentIn) {
    std::mt19937_64 random(3);
    std::uint64_t tick = 0;
    const wire::EventBatch batch = random_batch(random, 9000, tick);
    Lane lane({});
    lane.append(batch);
    ASSERT_EQ(lane.size(), 9000u);
    for (std::size_t i = 0; i < batch.size(); ++i) {
        const Event event = lane[i];
        ASSERT_EQ(event.tick, batch.ticks[i]);
        ASSERT_EQ(event.code, batch.codes[i]);
        ASSERT_EQ(event.value, batch.values[i]);
        ASSERT_EQ(event.thread, batch.threads[i]);
    }
    EXPECT_EQ(lane.ticks_from(4000).size(), 96u);
    EXPECT_EQ(lane.ticks_from(4096).front(), batch.ticks[4096]);
    EXPECT_TRUE(lane.ticks_from(9000).empty());
}

TEST(Lane, TheFrontOfABatchCanBeSkippedWithItsExtras) {
    wire::EventBatch batch;
    batch.add(10, SLA_CODE_TEXT, 0, 1);
    batch.add(20, SLA_CODE_TEXT, 0, 1);
    batch.texts.add(0, "known");
    batch.texts.add(1, "new");
    Lane lane({});
    lane.append(batch, 1);
    ASSERT_EQ(lane.size(), 1u);
    EXPECT_EQ(lane.text(0), "new");
}

TEST(Lane, TextIsItsOwnOrMadeFromDetailsOrTheCauseOfAGap) {
    Channel channel;
    channel.format = "x86.port";
    Lane lane(channel);
    wire::EventBatch batch;
    batch.add(1, SLA_CODE_VALUE_UNSIGNED, 0x34, 1);
    batch.add(2, SLA_CODE_GAP, 7, 1);
    batch.add(3, SLA_CODE_TEXT, 0, 1);
    batch.add(4, SLA_CODE_VALUE_UNSIGNED, 0x34, 1);
    batch.set_details(0, {0x40080, 0});
    batch.texts.add(2, "a text");
    batch.extras.push_back({1, wire::LossCause::kTorn, 9});
    lane.append(batch);
    EXPECT_EQ(lane.text(0), "out 80h");
    EXPECT_EQ(lane.text(1), "torn");
    EXPECT_EQ(lane.text(2), "a text");
    ASSERT_NE(lane.gap_at(1), nullptr);
    EXPECT_EQ(lane.gap_at(1)->until_tick, 9u);
    EXPECT_EQ(lane.gap_at(0), nullptr);
    EXPECT_EQ(lane.details(0)[0], 0x40080u);
    EXPECT_EQ(lane.lost(wire::LossCause::kTorn), 7u);
    EXPECT_EQ(lane.events(), 3u);
}

TEST(Lane, FindsGapsThatReachIntoAnInterval) {
    Lane lane({});
    lane.append_gap(10, 500, 1, 0, wire::LossCause::kOverrun);
    lane.append_gap(20, 25, 2, 0, wire::LossCause::kOverrun);
    lane.append_gap(600, 0, 3, 0, wire::LossCause::kLate);
    EXPECT_EQ(lane.first_gap_touching(0), 0u);
    EXPECT_EQ(lane.first_gap_touching(400), 0u);
    EXPECT_EQ(lane.first_gap_touching(501), 2u);
    EXPECT_EQ(lane.first_gap_touching(601), 3u);
    EXPECT_EQ(lane.gaps()[2].until_tick, 600u);
    EXPECT_EQ(lane.lost(), 6u);
}

}  // namespace
}  // namespace sla::store
