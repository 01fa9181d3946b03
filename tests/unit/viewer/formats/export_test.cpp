#include "viewer/formats/catalog/export.h"

#include "tests/unit/viewer/formats/small_capture.h"
#include "viewer/formats/vcd/vcd.h"

#include <gtest/gtest.h>
#include <unistd.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>

namespace sla::formats {
namespace {

namespace fs = std::filesystem;

class Export : public ::testing::Test {
protected:
    Export() : directory_(fs::path(::testing::TempDir()) / ("sla_export_" + std::to_string(getpid()))) {
        fs::create_directories(directory_);
    }
    ~Export() override { fs::remove_all(directory_); }
    [[nodiscard]] std::string file(const std::string& name) const { return directory_ / name; }
    [[nodiscard]] std::size_t files() const {
        return static_cast<std::size_t>(std::distance(fs::directory_iterator(directory_), {}));
    }

private:
    fs::path directory_;
};

const ExportFormat kAll[] = {ExportFormat::kCsv,  ExportFormat::kTsv, ExportFormat::kJson,   ExportFormat::kJsonl,
                             ExportFormat::kText, ExportFormat::kVcd, ExportFormat::kChrome, ExportFormat::kPerfetto,
                             ExportFormat::kCtf,  ExportFormat::kSr,  ExportFormat::kSla};

TEST_F(Export, StoppedLeavesNothingBehindInAnyFormat) {
    support::CaptureBuilder capture;
    support::add_mixed(capture, 8, 5000);
    store::Session session;
    capture.fill(session);
    for (const ExportFormat format : kAll) {
        const auto report = export_capture(session, *analysis::select(session, {}), {format, 1e9}, file("out"),
                                           [](std::uint64_t, std::uint64_t) { return false; });
        ASSERT_FALSE(report.ok()) << static_cast<int>(format);
        EXPECT_NE(report.error().message.find("stopped"), std::string::npos) << report.error().message;
        EXPECT_EQ(files(), 0u) << static_cast<int>(format);
    }
}

TEST_F(Export, AValueChangeDumpTellsWhatWasLostFromWhatWasNotKept) {
    support::CaptureBuilder capture(0);
    const auto rx = capture.channel("net.rx");
    capture.gap(rx, 100, 5, wire::LossCause::kNotKept, 900);
    capture.tick(rx, 1'000);
    capture.gap(rx, 2'000, 3, wire::LossCause::kOverrun, 2'100);
    store::Session session;
    capture.fill(session);
    ASSERT_TRUE(export_capture(session, *analysis::select(session, {}), {ExportFormat::kVcd, 1e9}, file("out")).ok());
    std::ifstream in(file("out"));
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    const auto code_of = [&](const std::string& name) {  // "$var wire 64 CODE NAME $end"
        const std::size_t at = text.find(" " + name + " $end");
        return at == std::string::npos ? "?" : text.substr(text.rfind(' ', at - 1) + 1, at - text.rfind(' ', at - 1) - 1);
    };
    EXPECT_NE(text.find("\nb101 " + code_of("rx_not_kept") + "\n"), std::string::npos) << text;
    EXPECT_NE(text.find("\nb11 " + code_of("rx_lost") + "\n"), std::string::npos) << text;
}

TEST_F(Export, AValueChangeDumpDeclaresWhatItsRangeHolds) {
    support::CaptureBuilder capture(0);
    const auto rx = capture.channel("net.rx");
    capture.tick(rx, 100);
    capture.value(rx, 1'000, 5);
    capture.text(rx, 1'100, "late");
    capture.gap(rx, 1'200, 5);
    store::Session session;
    capture.fill(session);
    const auto vcd = [&](const analysis::Selection& selection) {
        std::string out;
        Output output = Output::to_string(out);
        EXPECT_TRUE(write_vcd(session, selection, output).ok());
        return out;
    };
    auto selection = *analysis::select(session, {});
    EXPECT_NE(vcd(selection).find("rx_signed $end"), std::string::npos);
    selection.until = 1'000;
    EXPECT_NE(vcd(selection).find("$var event 1 ! rx $end"), std::string::npos) << vcd(selection);
    EXPECT_EQ(vcd(selection).find("$var", vcd(selection).find("$var") + 1), std::string::npos) << vcd(selection);
}

TEST_F(Export, AValueChangeDumpTellsOfBothItsWalksAndCanBeStoppedInTheFirst) {
    support::CaptureBuilder capture;
    support::add_mixed(capture, 8, 5000);
    store::Session session;
    capture.fill(session);
    std::vector<double> shares;
    const auto write = [&](bool goes_on) {
        shares.clear();
        std::string out;
        Output output = Output::to_string(out);
        return write_vcd(session, *analysis::select(session, {}), output, [&](std::uint64_t done, std::uint64_t all) {
            shares.push_back(static_cast<double>(done) / static_cast<double>(all));
            return goes_on;
        });
    };
    EXPECT_TRUE(write(true).ok());
    ASSERT_GE(shares.size(), 4u);
    EXPECT_TRUE(std::is_sorted(shares.begin(), shares.end()));
    EXPECT_LT(shares.front(), 0.5);
    EXPECT_GT(shares.back(), 0.5);
    EXPECT_LE(shares.back(), 1);
    EXPECT_FALSE(write(false).ok());
    EXPECT_EQ(shares.size(), 1u);
}

TEST_F(Export, AValueChangeDumpCountsTheOpenSpansOfVeryManyThreads) {
    constexpr std::uint32_t kThreads = 100'000;
    support::CaptureBuilder capture(0);
    const auto work = capture.channel("work");
    for (std::uint32_t thread = 1; thread <= kThreads; ++thread) {
        capture.begin(work, 2 * thread, thread);
        if (thread > 2) capture.end(work, 2 * thread + 1, thread);
    }
    capture.gap(work, 3 * kThreads, 7, wire::LossCause::kOverrun, 0, 1);
    store::Session session;
    capture.fill(session);
    std::string out;
    Output output = Output::to_string(out);
    const auto begun = std::chrono::steady_clock::now();
    ASSERT_TRUE(write_vcd(session, *analysis::select(session, {}), output).ok());
    EXPECT_LT(std::chrono::steady_clock::now() - begun, std::chrono::seconds(10)) << "one look at all threads an event";
    EXPECT_NE(out.find("\nb11 !\n"), std::string::npos) << "three are open";
    EXPECT_NE(out.find("sla-open ! 1 $end"), std::string::npos) << "one thread's may have ended";
}

TEST_F(Export, AFilterAndARangeCutEveryFormat) {
    store::Session session;
    small_capture().fill(session);
    auto selection = *analysis::select(session, {"net.*", "work*"}, {50'000, 400'000});
    selection.filter = *analysis::EventFilter::parse("kind == begin or kind == end");
    for (const ExportFormat format : kAll) {
        const auto report =
            export_capture(session, selection, {format, 1e9}, file(std::to_string(static_cast<int>(format))));
        ASSERT_TRUE(report.ok()) << report.error().message;
        EXPECT_EQ(report->events, 5u) << static_cast<int>(format);
    }
}

TEST_F(Export, ACaptureWithoutEventsGivesAWholeEmptyFile) {
    support::CaptureBuilder capture;
    capture.channel("silent");
    store::Session session;
    capture.fill(session);
    for (const ExportFormat format : kAll) {
        const auto report = export_capture(session, *analysis::select(session, {}), {format, 0},
                                           file(std::to_string(static_cast<int>(format))));
        ASSERT_TRUE(report.ok()) << static_cast<int>(format) << report.error().message;
        EXPECT_EQ(report->events, 0u);
    }
}

TEST_F(Export, ADirectoryThatHoldsSomethingIsNotOverwritten) {
    store::Session session;
    small_capture().fill(session);
    fs::create_directories(file("mine") + "/precious");
    const auto report = export_capture(session, *analysis::select(session, {}), {ExportFormat::kCtf, 0}, file("mine"));
    ASSERT_FALSE(report.ok());
    EXPECT_EQ(report.error().code, ErrorCode::kInvalidInput);
    EXPECT_TRUE(fs::exists(file("mine") + "/precious"));
    EXPECT_EQ(files(), 1u);
}

TEST_F(Export, CtfCannotGoToAPipe) {
    store::Session session;
    small_capture().fill(session);
    EXPECT_FALSE(export_capture(session, *analysis::select(session, {}), {ExportFormat::kCtf, 0}, "-").ok());
}

TEST_F(Export, TooManySamplesAreRefusedBeforeAnyIsMade) {
    support::CaptureBuilder capture;
    const auto a = capture.channel("a");
    capture.tick(a, 1000);
    capture.tick(a, 1'000'000'000'000);
    store::Session session;
    capture.fill(session);
    const auto report = export_capture(session, *analysis::select(session, {}), {ExportFormat::kSr, 1e12}, file("x.sr"));
    ASSERT_FALSE(report.ok());
    EXPECT_NE(report.error().message.find("--rate"), std::string::npos);
    EXPECT_EQ(files(), 0u);
}

TEST_F(Export, OfManyChannelsTheRateThatIsChosenIsLower) {
    support::CaptureBuilder capture(0);
    for (int i = 0; i < 2'000; ++i) capture.tick(capture.channel("c" + std::to_string(i)), 1'000);
    capture.tick(1, 1'200'000);
    store::Session session;
    capture.fill(session);
    const auto all = export_capture(session, *analysis::select(session, {}), {ExportFormat::kSr, 0}, file("all.sr"));
    const auto few = export_capture(session, *analysis::select(session, {"c0"}), {ExportFormat::kSr, 0}, file("few.sr"));
    ASSERT_TRUE(all.ok() && few.ok());
    EXPECT_NE(few->left_out.front().find("1000000000 Hz"), std::string::npos) << few->left_out.front();
    EXPECT_NE(all->left_out.front().find("500000000 Hz"), std::string::npos) << all->left_out.front();
}

TEST_F(Export, EventsBeforeTheStartHaveTimesThatVcdCanHold) {
    support::CaptureBuilder capture(1000);
    const auto a = capture.channel("a");
    capture.tick(a, 900);
    capture.tick(a, 1100);
    store::Session session;
    capture.fill(session);
    std::string out;
    Output output = Output::to_string(out);
    ASSERT_TRUE(write_vcd(session, *analysis::select(session, {}), output).ok());
    EXPECT_EQ(out.find("#-"), std::string::npos);
    EXPECT_NE(out.find("\n#200000\n"), std::string::npos);
}

TEST_F(Export, JsonLinesAreAnObjectEach) {
    store::Session session;
    small_capture().fill(session);
    ASSERT_TRUE(export_capture(session, *analysis::select(session, {}), {ExportFormat::kJsonl, 0}, file("x.jsonl")).ok());
    std::ifstream in(file("x.jsonl"));
    std::size_t rows = 0;
    for (std::string line; std::getline(in, line); ++rows) EXPECT_EQ(nlohmann::json::parse(line)["index"], rows);
    EXPECT_EQ(rows, 17u);
}

}  // namespace
}  // namespace sla::formats
