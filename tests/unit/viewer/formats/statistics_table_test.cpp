#include "viewer/formats/table/statistics_table.h"

#include "tests/support/capture_builder.h"
#include "viewer/formats/table/value_table.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <limits>

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

// What is no number is left out; an infinite one is one.
TEST(ValueTable, SaysWhatInfiniteNumbersHave) {
    constexpr double kInf = std::numeric_limits<double>::infinity();
    support::CaptureBuilder capture(0);
    const auto one = capture.channel("one");
    for (const double number : {1.5, kInf, std::nan("")}) capture.number(one, 10, number);
    const auto both = capture.channel("both");
    for (const double number : {-kInf, 2.0, kInf}) capture.number(both, 10, number);
    store::Session session;
    capture.fill(session);
    const auto rows = analysis::value_statistics(session, *analysis::select(session, {}));
    const auto written = [&](Format format) {
        std::string out;
        Output output = Output::to_string(out);
        EXPECT_TRUE(write_values(session, rows, format, output).ok());
        return out;
    };
    const std::string columns = "channel,count,lost,min,p50,mean,p90,p99,p999,max,stddev,not_numbers,source\n";
    EXPECT_EQ(written(Format::kCsv), columns +
                                         "one,2,0,1.5,1.5,inf,inf,inf,inf,inf,,1,program\n"
                                         "both,3,0,-inf,2.0,,inf,inf,inf,inf,,0,program\n");
    const std::string json = written(Format::kJson);
    EXPECT_NE(json.find(R"("mean":"inf")"), std::string::npos) << json;
    EXPECT_NE(json.find(R"("mean":null)"), std::string::npos) << json;
    EXPECT_EQ(json.find("nan"), std::string::npos) << json;
    EXPECT_TRUE(nlohmann::json::accept(json)) << json;
    const std::string people = people_values(session, rows).text();
    EXPECT_EQ(people.find("nan"), std::string::npos) << people;
    EXPECT_NE(people.find(" - "), std::string::npos) << people;
}

}  // namespace
}  // namespace sla::formats
