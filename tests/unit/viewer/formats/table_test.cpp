#include "viewer/formats/table/table.h"

#include "tests/support/capture_builder.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <sstream>

namespace sla::formats {
namespace {

std::string table(const store::Session& session, Format format, const std::vector<std::string>& globs = {},
                  const analysis::TimeRange& range = {}) {
    std::string out;
    Output output = Output::to_string(out);
    EXPECT_TRUE(write_table(session, *analysis::select(session, globs, range), format, output).ok());
    return out;
}

// Every kind, a loss, two threads, two sources, on a clock of 2 GHz.
void fill_small(store::Session& session) {
    support::CaptureBuilder capture(1000, 2e9);
    const auto pc = capture.source("emulated PC", support::BuilderSource::kPc);
    const auto worker = capture.thread("worker", 77);
    const auto rx = capture.channel("net.rx");
    const auto port = capture.channel("port.dbg", pc, "x86.port");
    capture.tick(rx, 1000);
    capture.tick(rx, 1003, -5, worker);
    capture.detail(port, 1003, SLA_CODE_VALUE_UNSIGNED, 0xff, 0x40080, 0);
    capture.begin(rx, 1100);
    capture.end(rx, 1200);
    capture.level(rx, 1300, true);
    capture.number(rx, 1400, 0.25);
    capture.text(rx, 1500, "say \"hi\", ok");
    capture.gap(rx, 1600, 412, wire::LossCause::kOverrun, 1700);
    capture.fill(session);
}

constexpr const char* kGolden =
    "index,tick,time_ns,source,thread,channel,kind,value,text,delta_any_ns,delta_channel_ns,error_ns\n"
    "0,1000,0.000,program,main/4242,net.rx,tick,,,,,\n"
    "1,1003,1.500,program,worker/77,net.rx,tick,-5,,1.500,1.500,1.001\n"
    "2,1003,1.500,emulated PC,main/4242,port.dbg,value,255,out 80h,0.000,,1.000\n"
    "3,1100,50.000,program,main/4242,net.rx,begin,,,48.500,48.500,1.001\n"
    "4,1200,100.000,program,main/4242,net.rx,end,,,50.000,50.000,1.001\n"
    "5,1300,150.000,program,main/4242,net.rx,level,1,,50.000,50.000,1.001\n"
    "6,1400,200.000,program,main/4242,net.rx,value,0.25,,50.000,50.000,1.001\n"
    "7,1500,250.000,program,main/4242,net.rx,text,,\"say \"\"hi\"\", ok\",50.000,50.000,1.001\n"
    "8,1600,300.000,program,main/4242,net.rx,gap,412,overrun until tick 1700,50.000,50.000,1.001\n";

TEST(Table, CsvIsExactlyThis) {
    store::Session session;
    fill_small(session);
    EXPECT_EQ(table(session, Format::kCsv), kGolden);
}

TEST(Table, TsvHasTheSameFields) {
    store::Session session;
    fill_small(session);
    const std::string out = table(session, Format::kTsv);
    EXPECT_NE(out.find("7\t1500\t250.000\tprogram\tmain/4242\tnet.rx\ttext\t\tsay \"hi\", ok\t50.000\t50.000\t1.001\n"),
              std::string::npos);
}

TEST(Table, JsonReadsBack) {
    store::Session session;
    fill_small(session);
    const auto rows = nlohmann::json::parse(table(session, Format::kJson));
    ASSERT_EQ(rows.size(), 9u);
    EXPECT_EQ(rows[1]["value"], -5);
    EXPECT_EQ(rows[0]["value"], nullptr);
    EXPECT_EQ(rows[0]["delta_any_ns"], nullptr);
    EXPECT_EQ(rows[7]["text"], "say \"hi\", ok");
    EXPECT_EQ(rows[6]["value"], 0.25);
    EXPECT_EQ(rows[8]["kind"], "gap");
    EXPECT_EQ(rows[8]["value"], 412);
}

TEST(Table, TextStandsInColumns) {
    store::Session session;
    fill_small(session);
    std::istringstream lines(table(session, Format::kText));
    std::string head;
    std::string row;
    std::getline(lines, head);
    std::getline(lines, row);
    EXPECT_EQ(head.find("channel"), row.find("net.rx"));
    EXPECT_EQ(head.find("kind"), row.find("tick"));
    EXPECT_NE(row.back(), ' ');
}

TEST(Table, ASelectionIsATableOfItsOwn) {
    store::Session session;
    fill_small(session);
    EXPECT_EQ(table(session, Format::kCsv, {"port.*"}),
              "index,tick,time_ns,source,thread,channel,kind,value,text,delta_any_ns,delta_channel_ns,error_ns\n"
              "0,1003,1.500,emulated PC,main/4242,port.dbg,value,255,out 80h,,,\n");
    const std::string some = table(session, Format::kCsv, {}, {50'000, 150'000});
    EXPECT_EQ(some.substr(some.find('\n') + 1),
              "0,1100,50.000,program,main/4242,net.rx,begin,,,,,\n"
              "1,1200,100.000,program,main/4242,net.rx,end,,,50.000,50.000,1.001\n");
}

TEST(Table, RowsThatAreNotFinalAreNotWritten) {
    support::CaptureBuilder capture(0);
    const auto a = capture.channel("a");
    for (std::uint64_t tick = 10; tick <= 100; tick += 10) capture.tick(a, tick);
    capture.leave_open(50);
    store::Session session;
    capture.fill(session);
    const std::string out = table(session, Format::kCsv);
    EXPECT_EQ(std::count(out.begin(), out.end(), '\n'), 1 + 5);
}

TEST(Table, NothingGivesAHeaderOrAnEmptyArray) {
    support::CaptureBuilder capture(0);
    store::Session session;
    capture.fill(session);
    EXPECT_EQ(nlohmann::json::parse(table(session, Format::kJson)).size(), 0u);
    const std::string out = table(session, Format::kCsv);
    EXPECT_EQ(std::count(out.begin(), out.end(), '\n'), 1);
}

TEST(Table, FloatsComeBackExactly) {
    support::CaptureBuilder capture(0);
    const auto a = capture.channel("a");
    const double numbers[] = {0.1, 1e300, -0.0, 5e-324, 1.0 / 3.0};
    for (std::size_t i = 0; i < 5; ++i) capture.number(a, i, numbers[i]);
    capture.number(a, 9, std::numeric_limits<double>::infinity());
    capture.number(a, 9, std::numeric_limits<double>::quiet_NaN());
    store::Session session;
    capture.fill(session);
    const auto rows = nlohmann::json::parse(table(session, Format::kJson));
    for (std::size_t i = 0; i < 5; ++i) {
        EXPECT_EQ(rows[i]["value"].get<double>(), numbers[i]);
        EXPECT_EQ(std::signbit(rows[i]["value"].get<double>()), std::signbit(numbers[i])) << i;
    }
    EXPECT_EQ(rows[5]["value"], "inf");
    EXPECT_EQ(rows[6]["value"], "nan");
}

// Two ways to make rows: copied text for csv, fields for JSON.
TEST(Table, CsvAndJsonSayTheSame) {
    support::CaptureBuilder capture(5'000'000'000, 2.7e9, 70);
    support::add_mixed(capture, 9, 700);
    store::Session session;
    capture.fill(session);
    const auto rows = nlohmann::ordered_json::parse(table(session, Format::kJson));
    std::istringstream lines(table(session, Format::kTsv));
    std::string line;
    std::getline(lines, line);
    ASSERT_GE(rows.size(), 6000u);
    for (const auto& row : rows) {
        ASSERT_TRUE(std::getline(lines, line));
        std::istringstream fields(line);
        for (const auto& [key, value] : row.items()) {
            std::string field;
            std::getline(fields, field, '\t');
            if (value.is_number()) {
                ASSERT_EQ(std::stod(field), value.get<double>()) << key << " of " << line;
            } else {
                ASSERT_EQ(field, value.is_null() ? "" : value.get<std::string>()) << key << " of " << line;
            }
        }
    }
    EXPECT_FALSE(std::getline(lines, line)) << line;
}

TEST(Table, CanBeStopped) {
    support::CaptureBuilder capture;
    support::add_mixed(capture, 4, 20000);
    store::Session session;
    capture.fill(session);
    std::string out;
    Output output = Output::to_string(out);
    const auto written = write_table(session, *analysis::select(session, {}), Format::kCsv, output,
                                     [](std::uint64_t done, std::uint64_t all) { return done < all / 2; });
    EXPECT_FALSE(written.ok());
}

}  // namespace
}  // namespace sla::formats
