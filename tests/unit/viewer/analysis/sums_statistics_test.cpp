// Statistics from the sums that a file keeps say what a walk over its rows says.
#include "proto/capture/capture_index.h"
#include "proto/capture/file_format.h"
#include "tests/unit/viewer/analysis/random_sums.h"
#include "viewer/analysis/intervals/statistics.h"

#include <cstdlib>
#include <fstream>

namespace sla::analysis {
namespace {

using SumsStatistics = RandomSums;

void expect_near(std::int64_t reported, std::int64_t is, bool near, const char* what) {
    const std::int64_t allowed = near ? is / 128 + 1 : 0;  // a tick is no whole number of picoseconds
    EXPECT_LE(std::abs(reported - is), allowed) << what << " " << reported << " " << is;
}

void expect_same(const StatisticsRow& a, const StatisticsRow& b) {
    const Statistics& reported = a.numbers;
    const Statistics& is = b.numbers;
    const bool near = reported.quantile_error_ppm > 0;
    EXPECT_EQ(a.channel, b.channel);
    EXPECT_EQ(a.pair, b.pair);
    EXPECT_EQ(reported.count, is.count);
    EXPECT_EQ(reported.lost, is.lost);
    EXPECT_EQ(reported.unfinished, is.unfinished);
    EXPECT_EQ(reported.min_ps, is.min_ps);
    EXPECT_EQ(reported.max_ps, is.max_ps);
    expect_near(reported.mode_ps, is.mode_ps, near, "mode");
    expect_near(reported.p50_ps, is.p50_ps, near, "p50");
    expect_near(reported.p90_ps, is.p90_ps, near, "p90");
    expect_near(reported.p99_ps, is.p99_ps, near, "p99");
    expect_near(reported.p999_ps, is.p999_ps, near, "p999");
    EXPECT_LE(std::abs(reported.mean_ps - is.mean_ps), 1);
    EXPECT_LE(std::abs(reported.stddev_ps - is.stddev_ps), 1);
    EXPECT_EQ(reported.overhead_ps, is.overhead_ps);
    EXPECT_EQ(is.quantile_error_ppm, 0u);
}

StatisticsOptions from_sums() {
    StatisticsOptions options;
    options.from_sums = true;
    return options;
}

TEST_F(SumsStatistics, AreTheSameOverAnyRangeOfAnyCapture) {
    std::uint64_t binned = 0;
    for (std::uint64_t seed = 1; seed <= 25; ++seed) {
        write(seed, 12 + static_cast<int>(seed), seed % 2 == 0);
        store::Session paged;
        store::Session whole;
        open(paged, whole);
        std::mt19937_64 random(seed);
        for (int round = 0; round < 20; ++round) {
            const bool all = round == 0;
            const std::uint64_t from = all ? 0 : random() % whole.last_tick();
            const std::uint64_t until = all ? store::kNever : from + random() % whole.last_tick();
            const auto a = channel_statistics(paged, range_of(paged, from, until), from_sums());
            const auto b = channel_statistics(whole, range_of(whole, from, until));
            ASSERT_EQ(a.size(), b.size());
            for (std::size_t i = 0; i < a.size(); ++i) {
                expect_same(a[i], b[i]);
                binned += a[i].numbers.quantile_error_ppm > 0 ? 1 : 0;
            }
            ASSERT_FALSE(HasFailure()) << seed << " " << round;
        }
    }
    EXPECT_GT(binned, 1000u);
}

TEST_F(SumsStatistics, ReadOnlyThePagesAtTheEndsOfTheRange) {
    write(3, 200);
    store::Session paged;
    store::Session whole;
    open(paged, whole);
    static_cast<void>(channel_statistics(paged, range_of(paged, 0, store::kNever), from_sums()));
    EXPECT_LE(paged.page_waits(), 1u);  // the last chunk: which of its spans never end is not in the index
    const std::uint64_t end = whole.last_tick();
    static_cast<void>(channel_statistics(paged, range_of(paged, end / 4, end / 2), from_sums()));
    EXPECT_LE(paged.page_waits(), 2 * kChannels);
}

TEST_F(SumsStatistics, AreReadFromTheRowsWhereASummaryIsDamaged) {
    write(5, 60);
    store::Session whole;
    ASSERT_TRUE(ingest::load_file(path_, whole).ok());
    const auto index = capture::CaptureIndex::open(path_);
    ASSERT_TRUE(index.ok());
    std::fstream file(path_, std::ios::in | std::ios::out | std::ios::binary);
    for (std::size_t chunk = 0; chunk < index->chunks().size(); chunk += 3) {
        const capture::ChunkPlace& place = index->chunks()[chunk];
        file.seekp(static_cast<std::streamoff>(place.offset + place.stored_bytes + 2 * capture::kChunkHeaderBytes + 5));
        file.put('?').put('!');
    }
    file.close();
    ingest::FileOptions options;
    options.rows_in_memory = 0;
    store::Session paged;
    ASSERT_TRUE(ingest::load_file(path_, paged, {}, options).ok());
    ASSERT_NE(paged.lanes()[0]->pages(), nullptr);
    const auto a = channel_statistics(paged, range_of(paged, 0, store::kNever), from_sums());
    const auto b = channel_statistics(whole, range_of(whole, 0, store::kNever));
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t i = 0; i < a.size(); ++i) expect_same(a[i], b[i]);
    EXPECT_GE(paged.page_waits(), 20u);
}

TEST_F(SumsStatistics, ReadEveryRowForWhatOnlyRowsSay) {
    write(4, 30);
    store::Session paged;
    store::Session whole;
    open(paged, whole);
    for (const bool cull : {false, true}) {
        StatisticsOptions options = from_sums();
        options.subtract_overhead = !cull;
        options.cull = cull;
        const auto a = channel_statistics(paged, range_of(paged, 0, store::kNever), options);
        const auto b = channel_statistics(whole, range_of(whole, 0, store::kNever), options);
        ASSERT_EQ(a.size(), b.size());
        for (std::size_t i = 0; i < a.size(); ++i) {
            expect_same(a[i], b[i]);
            EXPECT_EQ(a[i].numbers.quantile_error_ppm, 0u);
            EXPECT_EQ(a[i].numbers.culled, b[i].numbers.culled);
        }
    }
}

}  // namespace
}  // namespace sla::analysis
