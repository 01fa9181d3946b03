// Rows of one channel from a seed, and what summaries have to say of them, for property tests.
#pragma once

#include "proto/base/how_many.h"
#include "proto/capture/summary/lane_summary.h"
#include "proto/wire/event.h"
#include "tests/unit/proto/wire/random_batch.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <random>

namespace sla::capture {

// The same, added row by row and slowly.
class PlainSummarizer {
public:
    LaneSummary of(const wire::EventBatch& rows, std::size_t begin, std::size_t end) {
        LaneSummary out;
        out.first_index = rows.first_index + begin;
        out.first_tick = rows.ticks[begin];
        out.last_tick = rows.ticks[end - 1];
        out.rows = end - begin;
        out.level_before = level_;
        out.depth_before = out.deepest = depth();
        for (std::size_t i = begin; i < end; ++i) {
            if (i > begin) pass(rows.ticks[i] - rows.ticks[i - 1], out);
            take(rows, i, out);
        }
        out.level_after = level_;
        out.depth_after = depth();
        return out;
    }

private:
    [[nodiscard]] std::uint32_t depth() const {
        std::uint32_t depth = 0;
        for (const auto& [thread, open] : open_) depth += open;
        return depth;
    }
    void pass(std::uint64_t ticks, LaneSummary& out) const {
        out.longest_pause = std::max(out.longest_pause, ticks);
        if (level_ == Level::kHigh) out.high_ticks += ticks;
        if (depth() > 0) out.busy_ticks += ticks;
    }
    void take(const wire::EventBatch& rows, std::size_t i, LaneSummary& out) {
        const std::uint8_t code = rows.codes[i];
        const wire::Kind kind = wire::kind_of(code);
        out.kinds |= static_cast<std::uint8_t>(1 << static_cast<int>(kind));
        if (kind == wire::Kind::kBegin) ++open_[rows.threads[i]];
        if (kind == wire::Kind::kEnd && open_[rows.threads[i]] > 0) --open_[rows.threads[i]];
        if (kind == wire::Kind::kLevel) level_ = rows.values[i] != 0 ? Level::kHigh : Level::kLow;
        if (kind == wire::Kind::kGap) {
            ++out.gap_rows;
            add_up(out.lost, rows.values[i]);
            level_ = Level::kUnknown;
            for (auto& [thread, open] : open_) open = rows.threads[i] == 0 || thread == rows.threads[i] ? 0 : open;
        } else {
            take_value(code, rows.values[i], out);
        }
        out.deepest = std::max(out.deepest, depth());
    }
    static void take_value(std::uint8_t code, std::uint64_t bits, LaneSummary& out) {
        double number = static_cast<double>(bits);
        if (wire::value_type_of(code) == wire::ValueType::kNone) return;
        if (wire::value_type_of(code) == wire::ValueType::kSigned)
            number = static_cast<double>(static_cast<std::int64_t>(bits));
        if (wire::value_type_of(code) == wire::ValueType::kFloat) number = wire::as_double(bits);
        if (number != number) return;
        out.min = out.has_value ? std::min(out.min, number) : number;
        out.max = out.has_value ? std::max(out.max, number) : number;
        out.has_value = true;
    }

    std::map<std::uint32_t, std::uint32_t> open_;
    Level level_ = Level::kUnknown;
};

inline void expect_same(const LaneSummary& a, const LaneSummary& b) {
    EXPECT_EQ(a.first_index, b.first_index);
    EXPECT_EQ(a.first_tick, b.first_tick);
    EXPECT_EQ(a.last_tick, b.last_tick);
    EXPECT_EQ(a.rows, b.rows);
    EXPECT_EQ(a.gap_rows, b.gap_rows);
    EXPECT_EQ(a.lost, b.lost);
    EXPECT_EQ(a.longest_pause, b.longest_pause);
    EXPECT_EQ(a.high_ticks, b.high_ticks);
    EXPECT_EQ(a.busy_ticks, b.busy_ticks);
    EXPECT_EQ(a.depth_before, b.depth_before);
    EXPECT_EQ(a.depth_after, b.depth_after);
    EXPECT_EQ(a.deepest, b.deepest);
    EXPECT_EQ(a.kinds, b.kinds);
    EXPECT_EQ(a.level_before, b.level_before);
    EXPECT_EQ(a.level_after, b.level_after);
    EXPECT_EQ(a.has_value, b.has_value);
    EXPECT_EQ(a.opaque, b.opaque);
    EXPECT_EQ(a.min, b.min);
    EXPECT_EQ(a.max, b.max);
}

// Rows of every kind on few threads, with small ticks.
inline wire::EventBatch random_rows(std::mt19937_64& random, std::uint64_t index, std::uint64_t& tick) {
    wire::EventBatch rows;
    rows.first_index = index;
    const std::size_t count = 1 + random() % 1500;
    const unsigned luck = 1 + random() % 6;
    std::uint8_t code = SLA_CODE_TICK;
    for (std::size_t i = 0; i < count; ++i) {
        if (random() % luck == 0) code = wire::kAllCodes[random() % std::size(wire::kAllCodes)];
        std::uint64_t value = wire::has_value(code) ? random() : 0;
        if (code == SLA_CODE_LEVEL) value &= 1;
        rows.add(tick += random() % 50, code, value, static_cast<std::uint32_t>(random() % 3));
    }
    return rows;
}

// Begins and their ends right behind them, some within others, now and then of another thread, far away or with something between;
// none of them, all or some with values.
inline wire::EventBatch random_pairs(std::mt19937_64& random, std::uint64_t index, std::uint64_t& tick) {
    wire::EventBatch rows;
    rows.first_index = index;
    const std::uint64_t every = 2 + random() % 200;
    const auto add = [&](std::uint8_t code, std::uint32_t thread) {
        tick += random() % 50 + (random() % every == 0 ? random() % (1 << 25) : 0);
        rows.add(tick, code, wire::has_value(code) ? random() : 0, thread);
    };
    const std::uint64_t with_values = random() % 3;
    const auto one_of = [&](std::uint8_t plain, std::uint8_t with_value) {
        return (with_values == 2 ? random() % 2 : with_values) == 0 ? plain : with_value;
    };
    for (std::uint64_t pairs = 1 + random() % 700; pairs > 0; --pairs) {
        const auto thread = static_cast<std::uint32_t>(1 + (random() % every == 0 ? random() % 2 : 0));
        add(one_of(SLA_CODE_BEGIN, SLA_CODE_BEGIN_VALUE), thread);
        if (random() % every == 0) add(wire::kAllCodes[random() % std::size(wire::kAllCodes)], 1);
        add(one_of(SLA_CODE_END, SLA_CODE_END_VALUE), random() % every == 0 ? 2 : thread);
    }
    for (std::size_t i = 0; i < rows.size(); ++i)
        rows.values[i] = rows.codes[i] == SLA_CODE_LEVEL ? rows.values[i] & 1 : rows.values[i];
    return rows;
}

}  // namespace sla::capture
