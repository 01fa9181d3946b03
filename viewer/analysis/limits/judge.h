// Judge: a number that is known to lie between two others, held against a bound.
#pragma once

#include "viewer/analysis/limits/limit.h"
#include "viewer/analysis/limits/verdict.h"

#include <cstdint>
#include <limits>

namespace sla::analysis {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

// What a number is known to lie between.
struct Bar {
    double low = 0;
    double high = 0;
};

Verdict judge(Bar bar, Compare compare, double bound);
// How far on the wrong side of the bound: the greatest is the worst.
double badness(double value, Compare compare, double bound);

// The verdict over one number, with what is to be said of it.
Finding judged(Finding finding, Bar bar, const Limit& limit);

}  // namespace sla::analysis
