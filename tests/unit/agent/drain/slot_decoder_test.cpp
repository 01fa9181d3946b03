#include "agent/drain/slot_decoder.h"

#include <gtest/gtest.h>

#include <vector>

namespace sla::drain {
namespace {

constexpr std::uint64_t kFirstTick = 1000;

struct Slots {
    // Of one code, stamped one after the other.
    explicit Slots(std::size_t count, std::uint64_t code = SLA_CODE_VALUE_UNSIGNED) {
        for (std::size_t i = 0; i < count; i++) {
            words.push_back(code << SLA_TICK_BITS | (kFirstTick + i));
            words.push_back(~std::uint64_t{0} - i);
        }
    }
    std::uint64_t decode(std::uint64_t not_before = kFirstTick) {
        const std::size_t count = words.size() / 2;
        ticks.assign(count, 7);
        codes.assign(count, 7);
        values.assign(count, 7);
        return decode_contiguous({words.data(), count, count}, not_before, {ticks.data(), codes.data(), values.data(), {}});
    }
    std::vector<std::uint64_t> words;
    std::vector<std::uint64_t> ticks;
    std::vector<std::uint8_t> codes;
    std::vector<std::uint64_t> values;
};

TEST(SlotDecoder, EverySlotOfOneCodeBecomesARowHoweverManyThereAre) {
    for (std::size_t count = 1; count < 20; count++) {
        Slots slots(count);
        ASSERT_EQ(slots.decode(), kFirstTick + count - 1) << count;
        for (std::size_t i = 0; i < count; i++) {
            ASSERT_EQ(slots.ticks[i], kFirstTick + i) << count;
            ASSERT_EQ(slots.codes[i], SLA_CODE_VALUE_UNSIGNED) << count;
            ASSERT_EQ(slots.values[i], ~std::uint64_t{0} - i) << count;
        }
        Slots plain(count, SLA_CODE_TICK);
        ASSERT_EQ(plain.decode(), kFirstTick + count - 1) << count;
        ASSERT_EQ(plain.values, std::vector<std::uint64_t>(count, 0)) << "a tick has no value";
    }
}

TEST(SlotDecoder, ATickThatGoesBackIsFoundWhereverItStands) {
    for (std::size_t count = 1; count < 20; count++) {
        for (std::size_t at = 0; at < count; at++) {
            Slots slots(count);
            slots.words[2 * at] -= 2;
            ASSERT_EQ(slots.decode(), 0U) << at << " of " << count;
        }
        EXPECT_EQ(Slots(count).decode(kFirstTick + 1), 0U) << count;
    }
}

TEST(SlotDecoder, AnotherCodeIsTakenWhereverItStandsAndNoSlotIsNot) {
    for (std::size_t count = 1; count < 20; count++) {
        for (std::size_t at = 0; at < count; at++) {
            Slots slots(count);
            slots.words[2 * at] = std::uint64_t{SLA_CODE_VALUE_SIGNED} << SLA_TICK_BITS | (kFirstTick + at);
            ASSERT_EQ(slots.decode(), kFirstTick + count - 1) << at << " of " << count;
            for (std::size_t i = 0; i < count; i++) {
                ASSERT_EQ(slots.codes[i], i == at ? SLA_CODE_VALUE_SIGNED : SLA_CODE_VALUE_UNSIGNED)
                    << at << " of " << count;
                ASSERT_EQ(slots.values[i], ~std::uint64_t{0} - i) << at << " of " << count;
            }
            for (const std::uint64_t code : {std::uint64_t{SLA_CODE_GAP}, std::uint64_t{SLA_CODE_TEXT}, std::uint64_t{15}}) {
                slots.words[2 * at] = code << SLA_TICK_BITS | (kFirstTick + at);
                ASSERT_EQ(slots.decode(), 0U) << code << " at " << at << " of " << count;
            }
        }
    }
}

struct WideSlots {
    explicit WideSlots(std::size_t count) {
        for (std::size_t i = 0; i < count; i++) {
            words.push_back(std::uint64_t{i % 2 == 0 ? SLA_CODE_BEGIN_VALUE : SLA_CODE_END} << SLA_TICK_BITS |
                            (kFirstTick + i));
            for (const std::uint64_t word : {i + 1, i << 40, ~std::uint64_t{0} - i}) words.push_back(word);
        }
    }
    std::uint64_t decode(std::uint64_t not_before = kFirstTick) {
        const std::size_t count = words.size() / 4;
        for (auto* column : {&ticks, &values, &first, &second}) column->assign(count, 7);
        codes.assign(count, 7);
        return decode_wide({words.data(), count, count}, not_before,
                           {ticks.data(), codes.data(), values.data(), {first.data(), second.data()}}, used);
    }
    std::vector<std::uint64_t> words, ticks, values, first, second;
    std::vector<std::uint8_t> codes;
    std::array<bool, 2> used{};
};

TEST(SlotDecoder, AWideSlotBecomesARowWithItsDetails) {
    for (std::size_t count = 1; count < 20; count++) {
        WideSlots slots(count);
        ASSERT_EQ(slots.decode(), kFirstTick + count - 1) << count;
        for (std::size_t i = 0; i < count; i++) {
            ASSERT_EQ(slots.ticks[i], kFirstTick + i);
            ASSERT_EQ(slots.codes[i], i % 2 == 0 ? SLA_CODE_BEGIN_VALUE : SLA_CODE_END);
            ASSERT_EQ(slots.values[i], i % 2 == 0 ? i + 1 : 0) << "an end has no value";
            ASSERT_EQ(slots.first[i], i << 40);
            ASSERT_EQ(slots.second[i], ~std::uint64_t{0} - i);
        }
        EXPECT_EQ(slots.used, (std::array<bool, 2>{count > 1, true})) << "the first one's is 0";
        EXPECT_EQ(slots.decode(kFirstTick + 1), 0U);
        for (std::size_t at = 0; at < count; at++) {
            WideSlots back(count);
            back.words[4 * at] -= 2;
            ASSERT_EQ(back.decode(), 0U) << at << " of " << count;
            WideSlots gap(count);
            gap.words[4 * at] |= std::uint64_t{SLA_CODE_GAP} << SLA_TICK_BITS;
            ASSERT_EQ(gap.decode(), 0U) << at << " of " << count;
        }
    }
}

}  // namespace
}  // namespace sla::drain
