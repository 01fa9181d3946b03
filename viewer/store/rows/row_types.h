// What single rows and intervals of a lane are, as plain values.
#pragma once

#include "proto/wire/event.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace sla::store {

// No tick, no index.
inline constexpr std::uint64_t kNever = ~std::uint64_t{0};

struct Event {
    std::uint64_t tick = 0;
    std::uint64_t value = 0;  // bits; see wire::value_type_of(code). Gap: number lost
    std::uint32_t thread = 0;
    std::uint8_t code = 0;

    [[nodiscard]] wire::Kind kind() const { return wire::kind_of(code); }
    // The value as a number for drawing (64-bit integers round to double); 0 when there is none.
    [[nodiscard]] double number() const {
        switch (wire::value_type_of(code)) {
            case wire::ValueType::kSigned: return static_cast<double>(static_cast<std::int64_t>(value));
            case wire::ValueType::kUnsigned: return static_cast<double>(value);
            case wire::ValueType::kFloat: return wire::as_double(value);
            case wire::ValueType::kNone: return 0;
        }
        return 0;
    }
};

// A level is unknown before its first event and after a gap, until the next level event.
enum class Level : std::uint8_t { kUnknown, kLow, kHigh };

// The level behind an event of that code.
constexpr Level level_after(Level before, std::uint8_t code, std::uint64_t value) {
    if (code == SLA_CODE_LEVEL) return value != 0 ? Level::kHigh : Level::kLow;
    return code == SLA_CODE_GAP ? Level::kUnknown : before;
}

// What lies in an interval.
struct Summary {
    std::uint64_t first = 0;  // index range of its events [first, last), gap rows included
    std::uint64_t last = 0;
    std::uint64_t events = 0;  // without gap rows
    std::uint64_t gaps = 0;
    std::uint64_t lost = 0;  // and not kept
    bool has_value = false;  // min and max are over events with a finite value, gaps aside
    double min = 0;
    double max = 0;
    bool has_above = false;  // of its events with a value some are +infinity; -infinity
    bool has_below = false;
};

struct LevelInterval {
    Level at_start = Level::kUnknown;  // after every event at or before `from`
    std::uint64_t high_ticks = 0;      // within [from, until)
};

// Level and ticks spent high at an instant, after every event at or before it.
struct LevelState {
    Level level = Level::kUnknown;
    std::uint64_t high = 0;
};

// Of numbers, infinite ones among them; what is no number is passed by.
struct ValueRange {
    double min = 0;
    double max = 0;
    bool any = false;

    [[nodiscard]] bool is_finite() const { return std::isfinite(min) && std::isfinite(max); }
    [[nodiscard]] bool has_above() const { return std::isinf(max) && max > 0; }
    [[nodiscard]] bool has_below() const { return std::isinf(min) && min < 0; }

    void absorb(const ValueRange& other) {
        if (!other.any) return;
        min = any ? std::min(min, other.min) : other.min;
        max = any ? std::max(max, other.max) : other.max;
        any = true;
    }
};

// Bit of a kind in a set of kinds.
constexpr std::uint8_t kind_bit(wire::Kind kind) {
    return static_cast<std::uint8_t>(1U << static_cast<unsigned>(kind));
}

}  // namespace sla::store
