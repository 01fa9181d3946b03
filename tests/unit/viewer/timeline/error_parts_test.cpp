#include "viewer/timeline/error_parts.h"

#include <gtest/gtest.h>

#include <random>

namespace sla::timeline {
namespace {

time::ClockMap clock_of(double hertz, std::uint32_t stamp_ticks, std::int64_t last_is_off_ns) {
    std::vector<time::ClockSnapshot> snapshots;
    for (int i = 0; i < 5; ++i) {
        time::ClockSnapshot one;
        one.tick = 1'000'000 + static_cast<std::uint64_t>(hertz * i);
        one.monotonic_raw_ns = 1'000'000'000LL * (i + 1) + (i == 4 ? last_is_off_ns : 0);
        one.error_ticks = 40;
        one.stamp_ticks = stamp_ticks;
        snapshots.push_back(one);
    }
    return time::ClockMap::fit(snapshots, 1'000'000);
}

TEST(ErrorParts, AddUpToTheErrorWhateverTheClock) {
    std::mt19937_64 random(3);
    for (int round = 0; round < 500; ++round) {
        const double hertz = 1e9 + static_cast<double>(random() % 3'000'000'000);
        time::ClockMap clock = clock_of(hertz, static_cast<std::uint32_t>(random() % 100),
                                        static_cast<std::int64_t>(random() % 3 * 300'000'000));
        clock.set_skew({random() % 500, random() % 2 == 0});
        const std::uint64_t from = 1'000'000 + random() % 10'000'000'000;
        const std::uint64_t to = 1'000'000 + random() % 10'000'000'000;
        for (const time::Stamps stamps : {time::Stamps::kOneThread, time::Stamps::kTwoThreads}) {
            const ErrorParts parts = error_parts(clock, from, to, stamps);
            EXPECT_EQ(parts.sum(), clock.error_between(from, to, stamps));
            for (const std::int64_t part : {parts.granularity, parts.rate, parts.residual, parts.breaks, parts.skew})
                EXPECT_GE(part, 0);
            EXPECT_GE(parts.stamp, -1);  // sums are rounded once, parts each
        }
    }
}

TEST(ErrorParts, SayWhatThereIsAndNothingElse) {
    time::ClockMap clock = clock_of(2e9, 30, 0);
    const std::string alone = words_of(error_parts(clock, 1'000'000, 1'000'000, time::Stamps::kTwoThreads));
    EXPECT_NE(alone.find("1.0 ns  one tick at each end"), std::string::npos) << alone;
    EXPECT_NE(alone.find("15.0 ns  taking a stamp"), std::string::npos) << alone;
    EXPECT_EQ(alone.find("cores"), std::string::npos) << alone;
    EXPECT_NE(alone.find("in all"), std::string::npos) << alone;
    clock.set_skew({200, true});
    const std::string skewed = words_of(error_parts(clock, 1'000'000, 1'000'000, time::Stamps::kTwoThreads));
    EXPECT_NE(skewed.find("counters of two cores"), std::string::npos) << skewed;
    const std::string one = words_of(error_parts(clock, 1'000'000, 1'000'000, time::Stamps::kOneThread));
    EXPECT_EQ(one, alone);
}

}  // namespace
}  // namespace sla::timeline
