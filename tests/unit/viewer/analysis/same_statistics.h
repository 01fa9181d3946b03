// Statistics in two ways are the same.
#pragma once

#include "viewer/analysis/intervals/statistics.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>

namespace sla::analysis {

// `off`: who sums in another order may be so many picoseconds off in the deviation.
inline void expect_same_statistics(const Statistics& told, const Statistics& is, std::int64_t off = 0) {
    EXPECT_EQ(told.count, is.count);
    EXPECT_EQ(told.lost, is.lost);
    EXPECT_EQ(told.culled, is.culled);
    EXPECT_EQ(told.unfinished, is.unfinished);
    EXPECT_EQ(told.min_ps, is.min_ps);
    EXPECT_EQ(told.mode_ps, is.mode_ps);
    EXPECT_EQ(told.p50_ps, is.p50_ps);
    EXPECT_EQ(told.mean_ps, is.mean_ps);
    EXPECT_EQ(told.p90_ps, is.p90_ps);
    EXPECT_EQ(told.p99_ps, is.p99_ps);
    EXPECT_EQ(told.p999_ps, is.p999_ps);
    EXPECT_EQ(told.max_ps, is.max_ps);
    EXPECT_LE(std::abs(told.stddev_ps - is.stddev_ps), off);
    EXPECT_EQ(told.overhead_ps, is.overhead_ps);
    EXPECT_EQ(told.subtracted_ps, is.subtracted_ps);
}

}  // namespace sla::analysis
