#include "viewer/formats/table/statistics_table.h"

#include "tests/support/capture_builder.h"

#include <gtest/gtest.h>

namespace sla::formats {
namespace {

TEST(StatisticsTable, CsvIsExactlyThis) {
    support::CaptureBuilder capture(0, 1e9, 12);
    const auto a = capture.channel("a");
    for (const std::uint64_t tick : {0, 10, 30, 40}) capture.tick(a, tick);
    capture.gap(a, 50, 6);
    const auto b = capture.channel("b,c");
    capture.tick(b, 13);
    store::Session session;
    capture.fill(session);
    auto rows = analysis::channel_statistics(session, *analysis::select(session, {}));
    const auto pairs = analysis::pair_statistics(session, "a:b,c", {});
    rows.insert(rows.end(), pairs->begin(), pairs->end());
    std::string out;
    Output output = Output::to_string(out);
    ASSERT_TRUE(write_statistics(session, rows, Format::kCsv, output).ok());
    EXPECT_EQ(
        out,
        "channel,pair,count,lost,min_ns,mode_ns,p50_ns,mean_ns,p90_ns,p99_ns,p999_ns,max_ns,stddev_ns,overhead_ns,culled,"
        "subtracted_ns,unfinished,quantile_error_ppm,source\n"
        "a,,3,6,10.000,10.000,10.000,13.333,20.000,20.000,20.000,20.000,4.714,12.000,0,0.000,0,0,program\n"
        "\"b,c\",,0,0,,,,,,,,,,12.000,0,0.000,0,0,program\n"
        "a,\"a:b,c\",1,1,3.000,3.000,3.000,3.000,3.000,3.000,3.000,3.000,0.000,12.000,0,0.000,2,0,program\n");
}

}  // namespace
}  // namespace sla::formats
