#include "proto/trigger/number_test.h"

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
