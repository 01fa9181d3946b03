// Counters of a trigger file, where they can grow no more.
#include "proto/common/trigger/engine.h"

#include "proto/common/trigger/parser.h"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

namespace sla::trigger {
namespace {

constexpr std::int64_t kLargest = std::numeric_limits<std::int64_t>::max();

// Whether `counter n >= 3` holds behind a row for each step, which adds the largest number there is, or takes it off.
bool holds_after(const std::vector<int>& steps) {
    Sequencer file =
        *parse_sequencer("level one\n if look and counter n >= 3 trigger\n else if up add n\n else if down add n\n");
    file.levels[0].branches[1].actions[0].amount = kLargest;
    file.levels[0].branches[2].actions[0].amount = -kLargest;
    bool hit = false;
    Engine engine(Trigger(file), 1e9, [&](const Hit&) {
        hit = true;
        return 0;
    });
    constexpr ChannelId kUp{1}, kDown{2}, kLook{3};
    engine.add_channel(kUp, "up");
    engine.add_channel(kDown, "down");
    engine.add_channel(kLook, "look");
    std::uint64_t tick = 0;
    const auto feed = [&](ChannelId channel) {
        wire::EventBatch batch;
        batch.channel = channel;
        batch.add(++tick, SLA_CODE_TICK, 0, 1);
        const std::vector<Rows> rows{Rows::of(batch)};
        engine.feed(rows, tick);
    };
    for (const int step : steps) feed(step > 0 ? kUp : kDown);
    feed(kLook);
    return hit;
}

TEST(TriggerCounters, StayAtTheirLargestNumber) {
    EXPECT_FALSE(holds_after({}));
    EXPECT_TRUE(holds_after({1}));
    EXPECT_TRUE(holds_after({1, 1}));
    EXPECT_TRUE(holds_after({1, 1, 1}));
    EXPECT_FALSE(holds_after({1, 1, -1})) << "and come down from there";
}

TEST(TriggerCounters, StayAtTheirLeastNumber) {
    EXPECT_FALSE(holds_after({-1, -1}));
    EXPECT_FALSE(holds_after({-1, -1, 1})) << "they have not begun anew at 0";
    EXPECT_TRUE(holds_after({-1, -1, 1, 1}));
}

}  // namespace
}  // namespace sla::trigger
