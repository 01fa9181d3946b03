// Valid batches of every shape from a seed, and what makes a batch valid, for property tests.
#pragma once

#include "proto/wire/batch_codec.h"
#include "proto/wire/event.h"
#include "proto/wire/utf8.h"

#include <cstdint>
#include <random>
#include <string>
#include <tuple>

namespace sla::wire {

inline constexpr std::uint8_t kAllCodes[] = {
    SLA_CODE_TICK,  SLA_CODE_TICK_VALUE,   SLA_CODE_BEGIN,          SLA_CODE_BEGIN_VALUE, SLA_CODE_END,  SLA_CODE_END_VALUE,
    SLA_CODE_LEVEL, SLA_CODE_VALUE_SIGNED, SLA_CODE_VALUE_UNSIGNED, SLA_CODE_VALUE_FLOAT, SLA_CODE_TEXT, SLA_CODE_GAP};

// A text, or of a gap its story; positions rise.
inline void add_random_extra(std::mt19937_64& random, EventBatch& batch, std::uint32_t position) {
    if (batch.codes[position] != SLA_CODE_GAP) {
        const std::size_t longest = random() % 50 == 0 ? 20'000 : 40;
        return batch.texts.add(position, to_utf8(std::string(random() % longest, static_cast<char>(random()))));
    }
    const auto cause = static_cast<LossCause>(1 + random() % static_cast<unsigned>(kLastLossCause));
    batch.extras.push_back({position, cause, random() % 2 == 0 ? batch.ticks[position] | 1 : 0});
}

// Of every event, of those of some codes, or here and there; mostly the same, or wild.
inline void add_random_details(std::mt19937_64& random, EventBatch& batch) {
    const unsigned shape = random() % 8;
    const unsigned luck = shape == 0 ? 1 : 2 + random() % 40;
    const unsigned shift = random() % 64;
    const std::uint64_t usual = random() | 1;
    const std::uint64_t codes = random();
    for (std::size_t position = 0; position < batch.size(); ++position) {
        if (shape < 3 ? random() % luck != 0 : (codes >> batch.codes[position] & 1) == 0) continue;
        const std::uint64_t word = random() % 4 == 0 ? random() >> shift : usual;
        if (shape != 4) batch.set_details(position, {word, 0});
        if (shape != 5) batch.set_details(position, {0, word ^ shift});
    }
}

// Long runs or none, small or wild values and distances, by turns.
inline EventBatch random_batch(std::mt19937_64& random, std::size_t max_events = 400) {
    const std::size_t count = 1 + random() % max_events;
    const unsigned code_luck = 1 + random() % 20;
    const unsigned thread_luck = 1 + random() % 20;
    const unsigned value_shift = random() % 64;
    const unsigned tick_shift = 14 + random() % 50;
    EventBatch batch;
    batch.channel.value = static_cast<std::uint32_t>(random());
    batch.first_index = random() >> (1 + random() % 60);
    std::uint64_t tick = random() >> 1 >> random() % 60;
    std::uint8_t code = SLA_CODE_TICK;
    std::uint32_t thread = 1;
    for (std::size_t i = 0; i < count; ++i) {
        if (random() % code_luck == 0) code = kAllCodes[random() % std::size(kAllCodes)];
        if (random() % thread_luck == 0) thread = static_cast<std::uint32_t>(random() >> random() % 64);
        std::uint64_t value = has_value(code) ? random() >> value_shift : 0;
        if (code == SLA_CODE_LEVEL) value &= 1;
        batch.add(tick, code, value, thread);
        tick += random() >> tick_shift;
    }
    if (random() % 2 == 0) add_random_details(random, batch);
    const unsigned extra_luck = 1 + random() % 30;
    for (std::uint32_t position = 0; position < count; ++position) {
        if (random() % extra_luck == 0) add_random_extra(random, batch, position);
    }
    return batch;
}

inline bool is_valid_extra(const EventBatch& batch, const Extra& extra, std::size_t next_position) {
    if (extra.position < next_position || extra.position >= batch.size()) return false;
    if (batch.codes[extra.position] != SLA_CODE_GAP) return false;
    return extra.cause <= kLastLossCause && (extra.until_tick == 0 || extra.until_tick >= batch.ticks[extra.position]);
}

// Every promise of event.h and batch_codec.h.
inline bool is_valid(const EventBatch& batch) {
    const std::size_t count = batch.size();
    if (count == 0 || count > kMaxBatchEvents) return false;
    if (batch.codes.size() != count || batch.values.size() != count || batch.threads.size() != count) return false;
    for (std::size_t i = 0; i < count; ++i) {
        if (i > 0 && batch.ticks[i] < batch.ticks[i - 1]) return false;
        if (!is_known_code(batch.codes[i])) return false;
        if (!has_value(batch.codes[i]) && batch.values[i] != 0) return false;
        if (batch.codes[i] == SLA_CODE_LEVEL && batch.values[i] > 1) return false;
    }
    if (batch.details[0].size() > count || batch.details[1].size() > count) return false;
    for (std::size_t i = 0; i < batch.texts.size(); ++i) {
        if (batch.texts.position(i) >= count || batch.texts[i].size() > kMaxTextBytes) return false;
        if (i > 0 && batch.texts.position(i) <= batch.texts.position(i - 1)) return false;
    }
    std::size_t next_position = 0;
    for (const Extra& extra : batch.extras) {
        if (!is_valid_extra(batch, extra, next_position)) return false;
        next_position = std::size_t{extra.position} + 1;
    }
    return true;
}

inline bool same(const EventBatch& a, const EventBatch& b) {
    const auto columns = [](const EventBatch& batch) {
        return std::tie(batch.channel, batch.first_index, batch.ticks, batch.codes, batch.values, batch.threads);
    };
    if (columns(a) != columns(b) || !(a.texts == b.texts) || a.extras.size() != b.extras.size()) return false;
    for (std::size_t i = 0; i < a.size(); ++i) {
        if (a.details_of(i) != b.details_of(i)) return false;
    }
    for (std::size_t i = 0; i < a.extras.size(); ++i) {
        const Extra& x = a.extras[i];
        const Extra& y = b.extras[i];
        if (std::tie(x.position, x.cause, x.until_tick) != std::tie(y.position, y.cause, y.until_tick)) return false;
    }
    return true;
}

}  // namespace sla::wire
