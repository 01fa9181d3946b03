// Lanes of random events, and the same answers the slow way.
#pragma once

#include "viewer/store/lane.h"

#include <random>

namespace sla::store {

inline wire::EventBatch random_batch(std::mt19937_64& random, std::size_t events, std::uint64_t& tick) {
    static constexpr std::uint8_t kCodes[] = {SLA_CODE_TICK,  SLA_CODE_TICK_VALUE,   SLA_CODE_BEGIN,       SLA_CODE_END,
                                              SLA_CODE_LEVEL, SLA_CODE_VALUE_SIGNED, SLA_CODE_VALUE_FLOAT, SLA_CODE_GAP};
    wire::EventBatch batch;
    for (std::size_t i = 0; i < events; ++i) {
        tick += random() % 4 == 0 ? 0 : random() % 50;
        std::uint8_t code = kCodes[random() % 8];
        if (code == SLA_CODE_GAP && random() % 8 != 0) code = SLA_CODE_TICK;
        std::uint64_t value = 0;
        if (code == SLA_CODE_LEVEL) {
            value = random() % 2;
        } else if (code == SLA_CODE_VALUE_FLOAT) {
            value = wire::as_bits(static_cast<double>(random() % 1000) - 500.5);
        } else if (wire::has_value(code)) {
            value = code == SLA_CODE_GAP ? random() % 100
                                         : static_cast<std::uint64_t>(static_cast<std::int64_t>(random() % 2000) - 1000);
        }
        if (code == SLA_CODE_GAP) {
            wire::Extra extra;
            extra.position = static_cast<std::uint32_t>(i);
            extra.cause = wire::LossCause::kOverrun;
            extra.until_tick = tick + random() % 100;
            batch.extras.push_back(extra);
        }
        batch.add(tick, code, value, 1 + static_cast<std::uint32_t>(random() % 3));
    }
    return batch;
}

inline void fill_random(Lane& lane, std::uint64_t seed, std::size_t events) {
    std::mt19937_64 random(seed);
    std::uint64_t tick = random() % 100;
    while (events > 0) {
        const std::size_t count = std::min<std::size_t>(events, 1 + random() % 700);
        lane.append(random_batch(random, count, tick));
        events -= count;
    }
}

}  // namespace sla::store
