// "> 5", "in 1 .. 9" as ranges over each way a value is stored, so that the hot loop compares like with like.
#pragma once

#include "proto/common/trigger/ast.h"
#include "proto/wire/event.h"

#include <cstddef>
#include <cstdint>

namespace sla::trigger {

// Exact for all values: an integer is never rounded to a double. A NaN fulfils != and nothing else.
class NumberTest {
public:
    NumberTest() = default;  // true of no number
    static NumberTest compare(Compare compare, long double number);
    static NumberTest inside(long double low, long double high);

    // Of a code that has a value. Cost: about 1 ns (tests/bench/trigger_bench).
    [[nodiscard]] bool matches(std::uint8_t code, std::uint64_t bits) const {
        switch (wire::value_type_of(code)) {
            case wire::ValueType::kSigned: return signed_.holds(static_cast<std::int64_t>(bits)) != negate_;
            case wire::ValueType::kUnsigned: return unsigned_.holds(bits) != negate_;
            case wire::ValueType::kFloat: return float_.holds(wire::as_double(bits)) != negate_;
            case wire::ValueType::kNone: return false;
        }
        return false;
    }

    // How many rows from the first on are of its code and do not match; may stop short of that by a few, and gives at least
    // 0. Cost: about 0.5 ns a row.
    [[nodiscard]] std::size_t pass_over(const std::uint8_t* codes, const std::uint64_t* bits, std::size_t rows) const;

private:
    // Both ends included; none when low > high.
    template <typename T>
    struct Range {
        T low = 1;
        T high = 0;
        [[nodiscard]] bool holds(T value) const { return value >= low && value <= high; }
    };
    struct Bounds {
        long double low;
        long double high;
        bool low_excluded = false;
        bool high_excluded = false;
    };
    explicit NumberTest(const Bounds& bounds, bool negate = false);
    template <typename T>
    static Range<T> whole_range(const Bounds& bounds);

    Range<std::int64_t> signed_;
    Range<std::uint64_t> unsigned_;
    Range<double> float_;
    bool negate_ = false;
};

// A value of any type as a number, exactly.
inline long double as_number(std::uint8_t code, std::uint64_t bits) {
    switch (wire::value_type_of(code)) {
        case wire::ValueType::kSigned: return static_cast<long double>(static_cast<std::int64_t>(bits));
        case wire::ValueType::kFloat: return static_cast<long double>(wire::as_double(bits));
        default: return static_cast<long double>(bits);
    }
}

}  // namespace sla::trigger
