// ExactSums: the sums of any number of numbers and of their squares without any rounding, so that mean and deviation do not
// depend on the order of the numbers, and one pass is enough for both.
//
//   whole numbers   128 and 192 bits
//   real ones       those of one exponent one after the other as whole numbers (the run), which then go to
//                   fixed point over all of a double's range, in pieces of 32 bits that carry when they must:
//                   sum from 2^-1074 on, squares from 2^-2148 on; 1.6 KiB, from the first run's end on
//
// Cost: 1 to 2 ns a whole number, 2 to 8 ns a real one. Value type.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace sla::analysis {

class ExactSums {
public:
    void add_whole(bool is_negative, std::uint64_t absolute) {
        ++count_;
        sum_ += is_negative ? -static_cast<__int128>(absolute) : static_cast<__int128>(absolute);
        const unsigned __int128 square = static_cast<unsigned __int128>(absolute) * absolute;
        squares_ += square;
        squares_high_ += squares_ < square ? 1 : 0;
    }
    // The same number so many times.
    void add_wholes(bool is_negative, std::uint64_t absolute, std::uint64_t count);
    // Not NaN.
    void add_real(double number);

    [[nodiscard]] std::uint64_t count() const { return count_; }
    // Not when empty. NaN where infinite ones leave none.
    [[nodiscard]] long double mean() const;
    [[nodiscard]] long double deviation() const;

private:
    using Pieces = std::vector<std::int64_t>;  // the least first; empty: 0
    struct Totals {
        Pieces sum;
        Pieces squares;
    };
    // Up to so many numbers of a run fit into its sums.
    static constexpr int kMostOfRun = 1000;
    void end_run();
    [[nodiscard]] Totals totals() const;

    std::uint64_t count_ = 0;
    __int128 sum_ = 0;
    unsigned __int128 squares_ = 0;
    std::uint64_t squares_high_ = 0;
    std::size_t run_bit_ = 0;  // of the mantissas' last bit, in units of 2^-1074
    int left_of_run_ = kMostOfRun;
    std::int64_t run_sum_ = 0;
    unsigned __int128 run_squares_ = 0;
    Totals real_;
    std::uint64_t until_carry_ = 0;  // so many more runs fit into the pieces
    std::uint64_t infinite_ = 0;
    std::uint64_t minus_infinite_ = 0;
};

}  // namespace sla::analysis
