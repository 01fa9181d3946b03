#include "viewer/formats/table/rows/block_table.h"

#include "tests/support/capture_builder.h"
#include "viewer/analysis/event_walk.h"
#include "viewer/formats/table/rows/row_block.h"
#include "viewer/formats/table/rows/table_rows.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>

namespace sla::formats {
namespace {

constexpr Format kFormats[] = {Format::kCsv, Format::kTsv, Format::kJson, Format::kJsonl, Format::kText};

std::string block_table(const store::Session& session, const analysis::Selection& selection, Format format,
                        std::size_t threads) {
    std::string out;
    Output output = Output::to_string(out);
    const auto rows = write_block_table(session, selection, format, output, {}, threads);
    EXPECT_TRUE(rows.ok());
    EXPECT_EQ(rows.ok() ? *rows : 0, analysis::count_rows(session, selection));
    return out;
}

std::string table_row_by_row(const store::Session& session, const analysis::Selection& selection, Format format) {
    const auto rows = make_table_rows(session, selection, format, nullptr);
    const analysis::Progress no_progress;
    analysis::EventWalk walk(session, selection, no_progress);
    ByteBuffer out;
    rows->begin(out);
    while (const auto place = walk.next()) rows->write(*place, walk.event(), out);
    rows->end(out);
    return std::string(out.view());
}

void expect_the_same(const store::Session& session, const analysis::Selection& selection) {
    for (const Format format : kFormats) {
        const std::string wanted = table_row_by_row(session, selection, format);
        for (const std::size_t threads : {0, 1, 3})
            EXPECT_TRUE(block_table(session, selection, format, threads) == wanted)
                << static_cast<int>(format) << " with " << threads << " threads";
    }
}

class BlockTable : public testing::Test {
protected:
    BlockTable() {
        support::CaptureBuilder capture(5'000'000'000, 2.7e9, 70);
        support::add_mixed(capture, 9, 8000);
        capture.fill(session_);
        selection_ = *analysis::select(session_, {});
    }
    store::Session session_;
    analysis::Selection selection_;
};

TEST_F(BlockTable, IsTheSameAsRowByRowWithAnyNumberOfThreads) {
    ASSERT_GT(analysis::count_rows(session_, selection_), 6 * RowBlock::kRows);
    expect_the_same(session_, selection_);
    analysis::Selection some = selection_;
    some.from = 5'000'700'000;
    some.lanes.erase(some.lanes.begin());
    expect_the_same(session_, some);
}

TEST(BlockTables, OfNoRowAndOfOneBlockExactlyAreWhole) {
    constexpr std::uint64_t kFull = RowBlock::kRows;
    for (const std::uint64_t rows : {std::uint64_t{0}, std::uint64_t{1}, kFull - 1, kFull, kFull + 1, 2 * kFull}) {
        support::CaptureBuilder capture(0);
        const auto a = capture.channel("a");
        for (std::uint64_t tick = 1; tick <= rows; ++tick) capture.tick(a, tick * 1000);
        store::Session session;
        capture.fill(session);
        expect_the_same(session, *analysis::select(session, {}));
    }
}

TEST(BlockTables, KnowNamesOfMoreThreadsThanTheyKeep) {
    support::CaptureBuilder capture(0);
    const auto a = capture.channel("a");
    constexpr std::uint32_t kThreads = 70'000;
    for (std::uint32_t i = 0; i < kThreads; ++i) capture.tick(a, 10 + i, i, 1000 + i);
    for (std::uint32_t i = 0; i < 5000; ++i) capture.tick(a, 100'000 + i, i, 1000 + i % 2);
    store::Session session;
    capture.fill(session);
    const auto selection = *analysis::select(session, {});
    EXPECT_TRUE(block_table(session, selection, Format::kCsv, 2) == table_row_by_row(session, selection, Format::kCsv));
}

TEST(BlockTables, OfLongTextsAreTheSame) {
    support::CaptureBuilder capture(0);
    const auto a = capture.channel("a");
    for (std::uint64_t tick = 1; tick <= 3000; ++tick)
        capture.text(a, tick, std::string(tick % 700, tick % 5 == 0 ? ',' : 'x') + std::to_string(tick));
    store::Session session;
    capture.fill(session);
    expect_the_same(session, *analysis::select(session, {}));
}

TEST_F(BlockTable, StoppedItIsAnErrorAndLeavesNoFile) {
    const std::string path = testing::TempDir() + "block_table_" + std::to_string(getpid()) + ".csv";
    for (const std::size_t threads : {0, 2}) {
        auto output = Output::open(path);
        ASSERT_TRUE(output.ok());
        const auto rows = write_block_table(
            session_, selection_, Format::kCsv, *output, [](std::uint64_t done, std::uint64_t) { return done < 20'000; },
            threads);
        ASSERT_FALSE(rows.ok());
        EXPECT_EQ(rows.error().message, "stopped; nothing was written");
    }
    EXPECT_FALSE(std::filesystem::exists(path));
}

TEST_F(BlockTable, AFullDiskIsAnError) {
    for (const std::size_t threads : {0, 2}) {
        auto output = Output::open("/dev/full");
        ASSERT_TRUE(output.ok());
        EXPECT_FALSE(write_block_table(session_, selection_, Format::kJson, *output, {}, threads).ok());
    }
}

TEST_F(BlockTable, EndsWithoutAnErrorWhenNobodyReadsOn) {
    signal(SIGPIPE, SIG_IGN);
    const std::string path = testing::TempDir() + "block_table_" + std::to_string(getpid()) + ".pipe";
    for (const std::size_t threads : {0, 2}) {
        ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
        const int reader = ::open(path.c_str(), O_RDONLY | O_NONBLOCK);
        ASSERT_GE(reader, 0);
        auto output = Output::open(path);
        ASSERT_TRUE(output.ok());
        ::close(reader);
        EXPECT_TRUE(write_block_table(session_, selection_, Format::kCsv, *output, {}, threads).ok());
        EXPECT_TRUE(output->is_closed());
        ::unlink(path.c_str());
    }
}

}  // namespace
}  // namespace sla::formats
