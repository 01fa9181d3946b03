#include "viewer/analysis/values/exact_sums.h"

#include <bit>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>

namespace sla::analysis {

namespace {

using Pieces = std::vector<std::int64_t>;
using Digits = std::vector<std::uint32_t>;  // of a whole number >= 0, the least first

constexpr int kUnit = 1074;                     // sums count in 2^-1074, squares in 2^-2148
constexpr std::size_t kSumPieces = 72;          // 2098 bits of a double, 64 of their number, and a sign
constexpr std::size_t kSquarePieces = 136;      // 4196 and 64
constexpr std::uint64_t kCarryEvery = 1 << 28;  // a run adds less than 2^34 to a piece

// Adds mantissa * 2^bit.
void add_at(Pieces& pieces, std::uint64_t mantissa, std::size_t bit, bool is_negative) {
    const std::size_t at = bit / 32;
    const unsigned __int128 wide = static_cast<unsigned __int128>(mantissa) << (bit % 32);
    const std::int64_t sign = is_negative ? -1 : 1;
    pieces[at] += sign * static_cast<std::int64_t>(static_cast<std::uint32_t>(wide));
    pieces[at + 1] += sign * static_cast<std::int64_t>(static_cast<std::uint32_t>(wide >> 32));
    pieces[at + 2] += sign * static_cast<std::int64_t>(wide >> 64);
}

// Adds number * 2^bit.
void add_wide(Pieces& pieces, __int128 number, std::size_t bit) {
    const bool is_negative = number < 0;
    const unsigned __int128 absolute = is_negative ? -static_cast<unsigned __int128>(number) : number;
    add_at(pieces, static_cast<std::uint64_t>(absolute), bit, is_negative);
    add_at(pieces, static_cast<std::uint64_t>(absolute >> 64), bit + 64, is_negative);
}

void carry_over(Pieces& pieces) {
    std::int64_t carry = 0;
    for (std::size_t i = 0; i + 1 < pieces.size(); ++i) {
        const std::int64_t all = pieces[i] + carry;
        pieces[i] = static_cast<std::int64_t>(static_cast<std::uint32_t>(all));
        carry = all >> 32;
    }
    pieces.back() += carry;  // which has the sign
}

// Without the sign.
Digits digits_of(Pieces pieces) {
    carry_over(pieces);
    if (pieces.back() < 0) {
        for (std::int64_t& piece : pieces) piece = -piece;
        carry_over(pieces);
    }
    return Digits(pieces.begin(), pieces.end());
}

Digits product(const Digits& a, const Digits& b) {
    Digits out(a.size() + b.size());
    for (std::size_t i = 0; i < a.size(); ++i) {
        std::uint64_t carry = 0;
        for (std::size_t j = 0; j < b.size(); ++j) {
            carry += std::uint64_t{a[i]} * b[j] + out[i + j];
            out[i + j] = static_cast<std::uint32_t>(carry);
            carry >>= 32;
        }
        out[i + b.size()] = static_cast<std::uint32_t>(carry);
    }
    return out;
}

// a - b, which is not less than 0.
Digits difference(Digits a, const Digits& b) {
    std::int64_t borrow = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        borrow += static_cast<std::int64_t>(a[i]) - (i < b.size() ? static_cast<std::int64_t>(b[i]) : 0);
        a[i] = static_cast<std::uint32_t>(borrow);
        borrow >>= 32;
    }
    return a;
}

// Of digits * 2^-unit the first 64 bits.
long double first_bits(const Digits& digits, std::size_t unit) {
    std::size_t top = digits.size();
    while (top > 0 && digits[top - 1] == 0) --top;
    if (top == 0) return 0;
    const auto digit = [&](std::size_t below) { return top > below ? std::uint64_t{digits[top - 1 - below]} : 0; };
    const int zeros = std::countl_zero(digits[top - 1]);
    const unsigned __int128 wide = static_cast<unsigned __int128>(digit(0) << 32 | digit(1)) << 64 | digit(2) << 32;
    const auto first = static_cast<std::uint64_t>(wide << zeros >> 64);
    return std::ldexp(static_cast<long double>(first), 32 * static_cast<int>(top) - 64 - zeros - static_cast<int>(unit));
}

}  // namespace

void ExactSums::add_wholes(bool is_negative, std::uint64_t absolute, std::uint64_t count) {
    count_ += count;
    const unsigned __int128 all = static_cast<unsigned __int128>(absolute) * count;
    sum_ += is_negative ? -static_cast<__int128>(all) : static_cast<__int128>(all);
    const unsigned __int128 low = static_cast<unsigned __int128>(static_cast<std::uint64_t>(all)) * absolute;
    const unsigned __int128 high = (all >> 64) * absolute;
    squares_ += low;
    squares_high_ += squares_ < low ? 1 : 0;
    squares_ += high << 64;
    squares_high_ += squares_ < high << 64 ? 1 : 0;
    squares_high_ += static_cast<std::uint64_t>(high >> 64);
}

void ExactSums::add_real(double number) {
    ++count_;
    if (std::isinf(number)) {
        ++(number > 0 ? infinite_ : minus_infinite_);
        return;
    }
    const std::uint64_t bits = std::bit_cast<std::uint64_t>(number);
    const auto exponent = static_cast<std::size_t>(bits >> 52 & 0x7ff);
    const std::uint64_t fraction = bits & ((std::uint64_t{1} << 52) - 1);
    const std::uint64_t mantissa = exponent == 0 ? fraction : fraction | std::uint64_t{1} << 52;
    const std::size_t bit = exponent == 0 ? 0 : exponent - 1;
    if (bit != run_bit_ || left_of_run_ == 0) {
        end_run();
        run_bit_ = bit;
    }
    --left_of_run_;
    run_sum_ += (bits >> 63) != 0 ? -static_cast<std::int64_t>(mantissa) : static_cast<std::int64_t>(mantissa);
    run_squares_ += static_cast<unsigned __int128>(mantissa) * mantissa;
}

void ExactSums::end_run() {
    if (until_carry_-- == 0) {
        real_.sum.resize(kSumPieces);
        real_.squares.resize(kSquarePieces);
        carry_over(real_.sum);
        carry_over(real_.squares);
        until_carry_ = kCarryEvery - 1;
    }
    add_wide(real_.sum, run_sum_, run_bit_);
    add_wide(real_.squares, static_cast<__int128>(run_squares_), 2 * run_bit_);
    left_of_run_ = kMostOfRun;
    run_sum_ = 0;
    run_squares_ = 0;
}

ExactSums::Totals ExactSums::totals() const {
    Totals all = real_;
    all.sum.resize(kSumPieces);
    all.squares.resize(kSquarePieces);
    add_wide(all.sum, run_sum_, run_bit_);
    add_wide(all.squares, static_cast<__int128>(run_squares_), 2 * run_bit_);
    add_wide(all.sum, sum_, kUnit);
    add_at(all.squares, static_cast<std::uint64_t>(squares_), 2 * kUnit, false);
    add_at(all.squares, static_cast<std::uint64_t>(squares_ >> 64), 2 * kUnit + 64, false);
    add_at(all.squares, squares_high_, 2 * kUnit + 128, false);
    return all;
}

long double ExactSums::mean() const {
    if (infinite_ > 0 || minus_infinite_ > 0) {
        constexpr long double kEndless = std::numeric_limits<long double>::infinity();
        return (infinite_ > 0 ? kEndless : 0) - (minus_infinite_ > 0 ? kEndless : 0);
    }
    Pieces sum = totals().sum;
    carry_over(sum);
    const bool is_negative = sum.back() < 0;
    const long double mean = first_bits(digits_of(std::move(sum)), kUnit) / static_cast<long double>(count_);
    return is_negative ? -mean : mean;
}

// n^2 times the variance is n times the squares less the square of the sum.
long double ExactSums::deviation() const {
    if (infinite_ > 0 || minus_infinite_ > 0) return std::numeric_limits<long double>::quiet_NaN();
    Totals all = totals();
    const Digits sum = digits_of(std::move(all.sum));
    const Digits count = {static_cast<std::uint32_t>(count_), static_cast<std::uint32_t>(count_ >> 32)};
    const Digits squares = product(digits_of(std::move(all.squares)), count);
    return std::sqrt(first_bits(difference(squares, product(sum, sum)), 2 * kUnit)) / static_cast<long double>(count_);
}

}  // namespace sla::analysis
