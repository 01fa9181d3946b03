// What `sla export --format parquet` writes, read by DuckDB and hyparquet: the same counts, sums and percentiles as ours.
#include "tests/integration/lake/lake_fixture.h"

#include <gmock/gmock.h>

namespace sla {
namespace {

using testing::IsSupersetOf;
using testing::SizeIs;

class ParquetReaders : public Lake {
protected:
    void SetUp() override {
        if (!missing_readers().empty()) GTEST_SKIP() << missing_readers();
    }
    void expect_same(support::CaptureBuilder& capture) {
        capture.write(file("c.sla"));
        sla({"export", file("c.sla"), "--format", "parquet", "-o", file("c.parquet")});
        const auto reported = reported_by_sla(file("c.sla"));
        ASSERT_GE(reported.size(), 2u);
        EXPECT_THAT(asked("duckdb", file("c.parquet")), IsSupersetOf(reported));
        EXPECT_THAT(asked("hyparquet", file("c.parquet")), IsSupersetOf(reported));
    }
};

TEST_F(ParquetReaders, FindWhatWeFindInEveryKindOfEvent) {
    support::CaptureBuilder capture(1'000'000, 2.7e9, 70);
    support::add_bench_scene(capture);
    expect_same(capture);
}

TEST_F(ParquetReaders, FindWhatWeFindInSeveralRowGroups) {
    support::CaptureBuilder capture(1'000'000, 1e9, 70);
    const auto numbers = capture.channel("numbers");
    const auto ticks = capture.channel("ticks");
    std::uint64_t tick = 1'000'000;
    for (std::int64_t i = 0; i < 200'000; ++i) {
        tick += 100 + static_cast<std::uint64_t>(i * i % 977);
        if (i % 5 == 0) {
            capture.tick(ticks, tick);
        } else {
            capture.value(numbers, tick, (i % 2 == 0 ? -1 : 1) * (i << 40));
        }
    }
    expect_same(capture);
}

TEST_F(ParquetReaders, SeeALossAsARowThatSaysHowManyAndWhy) {
    support::CaptureBuilder capture(0, 1e9, 70);
    const auto rx = capture.channel("rx");
    capture.tick(rx, 100);
    capture.gap(rx, 200, 412, wire::LossCause::kOverrun, 300);
    capture.tick(rx, 400);
    capture.write(file("c.sla"));
    sla({"export", file("c.sla"), "-o", file("c.parquet")});
    EXPECT_THAT(asked("duckdb", file("c.parquet")), SizeIs(1));
    EXPECT_EQ(asked("duckdb", file("c.parquet")).front().substr(0, 9), "rx,3,412,");
    EXPECT_EQ(asked("duckdb", file("c.parquet")), asked("hyparquet", file("c.parquet")));
}

}  // namespace
}  // namespace sla
