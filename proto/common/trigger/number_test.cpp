#include "proto/common/trigger/number_test.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sla::trigger {
namespace {

constexpr long double kInfinity = std::numeric_limits<long double>::infinity();

double float_low(long double low, bool excluded) {
    auto bound = static_cast<double>(low);
    const auto reached = [&] {
        return excluded ? static_cast<long double>(bound) > low : static_cast<long double>(bound) >= low;
    };
    while (!reached() && bound < std::numeric_limits<double>::infinity()) {
        bound = std::nextafter(bound, std::numeric_limits<double>::infinity());
    }
    return bound;
}

}  // namespace

namespace {

// Blocks of rows without a branch inside; `matches` gives whether a row's number does.
template <typename Matches>
std::size_t pass_blocks(const std::uint8_t* codes, const std::uint64_t* bits, std::size_t rows, Matches matches) {
    constexpr std::size_t kBlock = 16;
    const std::uint8_t code = codes[0];
    std::size_t at = 0;
    for (; at + kBlock <= rows; at += kBlock) {
        unsigned stop = 0;
        for (std::size_t i = at; i < at + kBlock; ++i) {
            stop |= static_cast<unsigned>(codes[i] != code) | static_cast<unsigned>(matches(bits[i]));
        }
        if (stop != 0) break;
    }
    while (at < rows && codes[at] == code && !matches(bits[at])) ++at;
    return at;
}

}  // namespace

std::size_t NumberTest::pass_over(const std::uint8_t* codes, const std::uint64_t* bits, std::size_t rows) const {
    if (rows == 0) return 0;
    const bool negate = negate_;
    const auto in_range = [negate](std::uint64_t low, std::uint64_t high) {  // also of signed numbers: both wrap alike
        return [low, width = high - low, negate](std::uint64_t value) { return (value - low <= width) != negate; };
    };
    switch (wire::value_type_of(codes[0])) {
        case wire::ValueType::kSigned:
            if (signed_.low > signed_.high) break;
            return pass_blocks(codes, bits, rows,
                               in_range(static_cast<std::uint64_t>(signed_.low), static_cast<std::uint64_t>(signed_.high)));
        case wire::ValueType::kUnsigned:
            if (unsigned_.low > unsigned_.high) break;
            return pass_blocks(codes, bits, rows, in_range(unsigned_.low, unsigned_.high));
        case wire::ValueType::kFloat:
            return pass_blocks(codes, bits, rows, [this, negate](std::uint64_t value) {
                return float_.holds(wire::as_double(value)) != negate;
            });
        case wire::ValueType::kNone: return pass_blocks(codes, bits, rows, [](std::uint64_t) { return false; });
    }
    return pass_blocks(codes, bits, rows, [negate](std::uint64_t) { return negate; });  // of an empty range
}

template <typename T>
NumberTest::Range<T> NumberTest::whole_range(const Bounds& bounds) {
    const auto least = static_cast<long double>(std::numeric_limits<T>::min());
    const auto most = static_cast<long double>(std::numeric_limits<T>::max());
    long double low = std::ceil(bounds.low);
    long double high = std::floor(bounds.high);
    if (bounds.low_excluded && low == bounds.low) low += 1;
    if (bounds.high_excluded && high == bounds.high) high -= 1;
    if (low > most || high < least || low > high) return {};
    return {static_cast<T>(std::max(low, least)), static_cast<T>(std::min(high, most))};
}

NumberTest::NumberTest(const Bounds& bounds, bool negate)
    : signed_(whole_range<std::int64_t>(bounds)), unsigned_(whole_range<std::uint64_t>(bounds)), negate_(negate) {
    float_.low = float_low(bounds.low, bounds.low_excluded);
    float_.high = -float_low(-bounds.high, bounds.high_excluded);
}

NumberTest NumberTest::compare(Compare compare, long double number) {
    switch (compare) {
        case Compare::kLess: return NumberTest({-kInfinity, number, false, true});
        case Compare::kLessEqual: return NumberTest({-kInfinity, number});
        case Compare::kGreater: return NumberTest({number, kInfinity, true, false});
        case Compare::kGreaterEqual: return NumberTest({number, kInfinity});
        case Compare::kEqual: return NumberTest({number, number});
        case Compare::kNotEqual: return NumberTest({number, number}, true);
    }
    return {};
}

NumberTest NumberTest::inside(long double low, long double high) {
    return NumberTest({low, high});
}

}  // namespace sla::trigger
