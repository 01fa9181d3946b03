// Files that are cut off, garbage or made to do harm: a clear message, nothing left behind, never a crash.
#include "tests/unit/viewer/formats/imported.h"
#include "tests/unit/viewer/formats/small_capture.h"

#include <random>

namespace sla::formats {
namespace {

class Hostile : public WithFiles {
protected:
    void expect_refused(const std::string& bytes, ImportFormat format, const std::string& part) {
        const auto report = import_bytes(bytes, format);
        ASSERT_FALSE(report.ok()) << bytes.substr(0, 60);
        EXPECT_NE(report.error().message.find(part), std::string::npos) << report.error().message;
        EXPECT_FALSE(std::filesystem::exists(file("imported.sla")));
    }
    std::string exported(formats::ExportFormat format) {
        store::Session session;
        formats::small_capture().fill(session);
        EXPECT_TRUE(formats::export_capture(session, *analysis::select(session, {}), {format, 1e9}, file("out")).ok());
        std::ifstream in(file("out"), std::ios::binary);
        return {std::istreambuf_iterator<char>(in), {}};
    }
};

TEST_F(Hostile, CsvSaysLineAndReason) {
    using enum ImportFormat;
    expect_refused("", kCsv, "empty");
    expect_refused("a,b\n1,2\n", kCsv, "no column is called tick");
    expect_refused("time,value\n1,2\n", kCsv, "no column is called channel");
    expect_refused("time,channel\n1,a\nsoon,a\n", kCsv, "line 3: 'soon' is not a time");
    expect_refused("time,channel,kind\n1,a,dance\n", kCsv, "line 2: 'dance' is not a kind");
    expect_refused("time,channel,kind,value\n1,a,level,much\n", kCsv, "'much' is not a value");
    expect_refused("time,channel,kind,value\n1,a,tick,0.5\n", kCsv, "whole number");
    expect_refused("time,channel,kind,value\n1,a,level,1\n2,a,level,\n", kCsv, "line 3: a row of kind 'level' has no value");
    expect_refused("time,channel,kind,value\n1,a,value,\n", kCsv, "line 2: a row of kind 'value' has no value");
    expect_refused("time,channel\n1,\n", kCsv, "names no channel");
    expect_refused("time,channel\n1,\"a\n", kCsv, "quote is never closed");
    expect_refused("tick,channel\n99999999999999999999,a\n", kCsv, "not a tick");
    expect_refused("tick,channel\n9999999999999999999,a\n", kCsv, "too far");
    expect_refused("time,channel\n0,a\n10000000,a\n", kCsv, "106 days");
    expect_refused(std::string(3 << 20, 'x'), kCsv, "longer than 1 MB");
    expect_refused("time,channel\n" + std::string(100, '"') + "\"\n" + std::string(2 << 20, '\n'), kCsv, "quote");
}

TEST_F(Hostile, VcdSaysLineAndReason) {
    using enum ImportFormat;
    const std::string head = "$timescale 1 ns $end $var wire 1 ! a $end $enddefinitions $end\n";
    expect_refused("?ello\n", kVcd, "no change of a value");
    expect_refused("$date\n", kVcd, "$end is missing");
    expect_refused(head + "1?\n", kVcd, "never declared");
    expect_refused(head + "#5\n#4\n", kVcd, "line 3: time goes backwards");
    expect_refused(head + "#x\n", kVcd, "not a time");
    expect_refused(head + "b1", kVcd, "ends inside a change");
    expect_refused(head + "r1.x !\n", kVcd, "not a number");
    expect_refused("$timescale 1 parsec $end\n", kVcd, "not a timescale");
    expect_refused("$var wire $end\n", kVcd, "$var needs");
    expect_refused("$comment sla-clock 1 2 3 4 5 $end\n", kVcd, "clock in the comment");
    expect_refused("$comment sla-lane 7 a b - $end\n", kVcd, "not in order");
    expect_refused("$comment sla-var ! 0 0 0 $end\n", kVcd, "makes no sense");
    std::string deep;
    for (int i = 0; i < 2000; ++i) deep += "$scope module m $end\n";
    expect_refused(deep, kVcd, "too deeply");
    expect_refused(head + "#18446744073709551615\n1!\n", kVcd, "too far");
}

TEST_F(Hostile, ChromeSaysWhere) {
    using enum ImportFormat;
    expect_refused("{", kChrome, "no JSON at byte");
    expect_refused("{}", kChrome, "no trace events");
    expect_refused("[]", kChrome, "no trace events");
    expect_refused(R"({"traceEvents":[{"ph":"B","ts":1},)", kChrome, "no JSON at byte");
    expect_refused(R"([{"ph":"B","ts":1e300}])", kChrome, "out of range");
    expect_refused(R"([{"ph":"X","ts":1,"dur":-5}])", kChrome, "below zero");
    expect_refused(std::string(100'000, '['), kChrome, "too deeply");
    for (const char* number :
         {R"("origin_tick":"x")", R"("origin_tick":1.5)", R"("origin_tick":-1)", R"("origin_realtime_ns":1.7e30)"}) {
        expect_refused(
            R"({"otherData":{"version":"sla 1",)" + std::string(number) + R"(},"traceEvents":[{"ph":"i","ts":0}]})", kChrome,
            "type");
    }
}

TEST_F(Hostile, SrIsCheckedBeforeItIsUnpacked) {
    using enum ImportFormat;
    expect_refused("PK\x03\x04 no", kSr, "zip");
    std::string whole = exported(formats::ExportFormat::kSr);
    expect_refused(whole.substr(0, whole.size() / 2), kSr, "zip");
}

TEST_F(Hostile, TraceCmdNeedsAtLeastOneEvent) {
    using enum ImportFormat;
    expect_refused("hello\nworld\n", kTraceCmd, "no line is an event");
    expect_refused("CPU:1 [LOST 99999999999999999999 EVENTS]\n", kTraceCmd, "no line is an event");
}

TEST_F(Hostile, ForeignAndBrokenCtfIsRefused) {
    std::filesystem::create_directories(file("ctf"));
    const auto with = [&](const std::string& metadata, const std::string& stream) {
        std::ofstream(file("ctf") + "/metadata") << metadata;
        std::ofstream(file("ctf") + "/channel_1", std::ios::binary) << stream;
        const auto report = import_file(file("ctf"), ImportFormat::kCtf, file("imported.sla"));
        return report.ok() ? std::string("taken") : report.error().message;
    };
    const std::string good =
        "/* CTF 1.8 */\n\nenv {\n domain = \"sla\";\n sla_origin_tick = \"1\";\n sla_ticks_per_second = \"1e9\";\n "
        "sla_clock_error_ppb = \"0\";\n sla_origin_realtime_ns = \"0\";\n sla_channel_1 = \"a\";\n sla_source_1 = "
        "\"s\";\n};\n";
    EXPECT_NE(with("/* CTF 1.8 */\nenv { domain = \"kernel\"; };", "").find("not written by"), std::string::npos);
    EXPECT_NE(with("\nenv { domain = \"sla\"; };", "").find("clock"), std::string::npos);
    EXPECT_NE(with(good, "junk").find("no packet begins here"), std::string::npos);
    EXPECT_NE(with(good, std::string(48, '\0')).find("no packet"), std::string::npos);
    const std::string head("\xc1\x1f\xfc\xc1\1\0\0\0", 8);
    const std::string times(16, '\0');
    const std::string huge(16, '\x7f');
    EXPECT_NE(with(good, head + times + huge + std::string(8, '\0')).find("size of a packet"), std::string::npos);
    const std::string bits("\x88\1\0\0\0\0\0\0\x88\1\0\0\0\0\0\0", 16);  // one byte of events
    EXPECT_NE(with(good, head + times + bits + std::string(8, '\0')).find("cut off"), std::string::npos);
    EXPECT_NE(with(good, head + times + bits + std::string(8, '\0') + "\x01").find("beyond the end"), std::string::npos);
    EXPECT_NE(with(good, head + times + bits + std::string(8, '\0') + "\x3f").find("id 63"), std::string::npos);
    EXPECT_EQ(with(good, ""), "taken");
}

// Every byte of a good file changed and every place cut, one at a time: taken or refused, nothing else.
TEST_F(Hostile, DamagedExportsAreTakenOrRefused) {
    const std::pair<formats::ExportFormat, ImportFormat> pairs[] = {
        {formats::ExportFormat::kCsv, ImportFormat::kCsv},
        {formats::ExportFormat::kVcd, ImportFormat::kVcd},
        {formats::ExportFormat::kChrome, ImportFormat::kChrome},
        {formats::ExportFormat::kPerfetto, ImportFormat::kPerfetto},
        {formats::ExportFormat::kSr, ImportFormat::kSr}};
    std::mt19937 random(1);
    for (const auto& [to, from] : pairs) {
        const std::string good = exported(to);
        for (int i = 0; i < 150; ++i) {
            std::string bad = good;
            bad[random() % bad.size()] = static_cast<char>(random());
            if (i % 3 == 0) bad.resize(random() % bad.size());
            const auto report = import_bytes(bad, from);
            if (report.ok()) continue;
            EXPECT_FALSE(report.error().message.empty());
        }
    }
}

// Where a packet ends nothing in the file tells that more was there.
TEST_F(Hostile, ACtfStreamCutOffBetweenPacketsIsNoShorterCapture) {
    support::CaptureBuilder capture;
    const auto channel = capture.channel("rx");
    capture.tick(channel, 1000);
    capture.gap(channel, 2000, 5);  // ends a packet
    capture.tick(channel, 3000);
    store::Session session;
    capture.fill(session);
    ASSERT_TRUE(export_capture(session, *analysis::select(session, {}), {ExportFormat::kCtf, 0}, file("whole")).ok());
    const std::string stream = file("whole") + "/channel_" + std::to_string(channel);
    const auto bytes = std::filesystem::file_size(stream);
    ASSERT_TRUE(import_file(file("whole"), ImportFormat::kCtf, file("imported.sla")).ok());
    for (const std::uintmax_t left : {std::uintmax_t{0}, bytes - (48 + 13)}) {
        std::filesystem::resize_file(stream, left);
        const auto report = import_file(file("whole"), ImportFormat::kCtf, file("cut.sla"));
        ASSERT_FALSE(report.ok()) << left;
        EXPECT_NE(report.error().message.find("'rx', has " + std::to_string(left) + " of its " + std::to_string(bytes)),
                  std::string::npos)
            << report.error().message;
        EXPECT_FALSE(std::filesystem::exists(file("cut.sla")));
    }
}

}  // namespace
}  // namespace sla::formats
