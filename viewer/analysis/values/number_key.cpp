#include "viewer/analysis/values/number_key.h"

#include <cmath>

namespace sla::analysis {

Number number_of(NumberKey key) {
    const NumberKey value = key >> 1;
    const bool is_negative = value < number_key::kZero;
    const NumberKey magnitude = is_negative ? number_key::kZero - 1 - value : value - number_key::kZero;
    const auto mantissa = static_cast<std::uint64_t>(magnitude);
    const int exponent = static_cast<int>(magnitude >> 64) - number_key::kBias;  // of the mantissa's first bit
    if (is_whole(key)) {
        const std::uint64_t absolute = magnitude == 0 ? 0 : mantissa >> (63 - exponent);
        if (is_negative) return {SLA_CODE_VALUE_SIGNED, std::uint64_t{0} - absolute};
        return {SLA_CODE_VALUE_UNSIGNED, absolute};
    }
    double real = 0;
    if (magnitude != 0) {
        real = exponent > 1023 ? std::numeric_limits<double>::infinity()
                               : static_cast<double>(std::ldexp(static_cast<long double>(mantissa), exponent - 63));
    }
    return {SLA_CODE_VALUE_FLOAT, wire::as_bits(is_negative ? -real : real)};
}

}  // namespace sla::analysis
