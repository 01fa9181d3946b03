#include "viewer/export/output.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <thread>

namespace sla::exporting {
namespace {

namespace fs = std::filesystem;

class OutputTest : public ::testing::Test {
protected:
    OutputTest() : dir_(fs::path(::testing::TempDir()) / ("output_" + std::to_string(getpid()))) {
        fs::create_directories(dir_);
    }
    ~OutputTest() override { fs::remove_all(dir_); }
    [[nodiscard]] std::size_t files() const {
        return static_cast<std::size_t>(std::distance(fs::directory_iterator(dir_), fs::directory_iterator()));
    }
    static std::string content(const fs::path& path) {
        std::ifstream in(path);
        return {std::istreambuf_iterator<char>(in), {}};
    }
    fs::path dir_;
};

TEST_F(OutputTest, AFileAppearsOnlyWhenItIsWhole) {
    auto output = Output::open(dir_ / "t.csv");
    ASSERT_TRUE(output.ok());
    ASSERT_TRUE(output->write("half").ok());
    EXPECT_FALSE(fs::exists(dir_ / "t.csv"));
    ASSERT_TRUE(output->finish().ok());
    EXPECT_EQ(content(dir_ / "t.csv"), "half");
    EXPECT_EQ(files(), 1u);
}

TEST_F(OutputTest, DroppedBeforeTheEndItLeavesNothingAndKeepsTheOldFile) {
    std::ofstream(dir_ / "t.csv") << "old";
    {
        auto output = Output::open(dir_ / "t.csv");
        ASSERT_TRUE(output.ok());
        ASSERT_TRUE(output->write("new").ok());
    }
    EXPECT_EQ(content(dir_ / "t.csv"), "old");
    EXPECT_EQ(files(), 1u);
}

TEST_F(OutputTest, SaysWhichPlaceCannotBeWritten) {
    const auto output = Output::open(dir_ / "no" / "t.csv");
    ASSERT_FALSE(output.ok());
    EXPECT_NE(output.error().message.find("t.csv"), std::string::npos);
    EXPECT_FALSE(Output::open(dir_).ok());
}

TEST_F(OutputTest, ADeviceTakesBytesButIsNotReplaced) {
    auto output = Output::open("/dev/null");
    ASSERT_TRUE(output.ok());
    ASSERT_TRUE(output->write("x").ok());
    ASSERT_TRUE(output->finish().ok());
    struct stat there {};
    ASSERT_EQ(stat("/dev/null", &there), 0);
    EXPECT_TRUE(S_ISCHR(there.st_mode));
}

TEST_F(OutputTest, AFullDiskIsAnError) {
    auto output = Output::open("/dev/full");
    ASSERT_TRUE(output.ok());
    EXPECT_FALSE(output->write("x").ok());
}

TEST_F(OutputTest, PiecesArriveInOrderAndLeaveTheirBufferEmpty) {
    auto output = Output::open(dir_ / "t.csv");
    ASSERT_TRUE(output.ok());
    std::string wanted;
    ByteBuffer buffer;
    for (std::size_t piece = 0; piece < 40; ++piece) {
        const std::string bytes(piece % 7 == 3 ? 10 : Output::kPiece + piece, static_cast<char>('a' + piece % 26));
        wanted += bytes;
        buffer.put(bytes);
        ASSERT_TRUE(output->take(buffer).ok());
        ASSERT_EQ(buffer.size(), 0u);
        if (piece % 11 != 5) continue;
        wanted += "between";
        ASSERT_TRUE(output->write("between").ok());
    }
    EXPECT_EQ(output->bytes(), wanted.size());
    ASSERT_TRUE(output->finish().ok());
    EXPECT_TRUE(content(dir_ / "t.csv") == wanted);
}

TEST_F(OutputTest, DroppedWithPiecesUnderWayItLeavesNothing) {
    {
        auto output = Output::open(dir_ / "t.csv");
        ASSERT_TRUE(output.ok());
        ByteBuffer buffer;
        for (int piece = 0; piece < 6; ++piece) {
            buffer.put(std::string(Output::kPiece, 'x'));
            ASSERT_TRUE(output->take(buffer).ok());
        }
    }
    EXPECT_EQ(files(), 0u);
}

TEST_F(OutputTest, AFullDiskIsToldAtTheEndAtTheLatest) {
    // /dev/full refuses the first piece at once; a limit on a file's size lets some through.
    struct rlimit before {};
    ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
    const auto old_handler = signal(SIGXFSZ, SIG_IGN);
    struct rlimit small = before;
    small.rlim_cur = 3 * Output::kPiece + 1000;
    ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
    {
        auto output = Output::open(dir_ / "t.csv");
        ASSERT_TRUE(output.ok());
        ByteBuffer buffer;
        for (int piece = 0; piece < 5; ++piece) {
            buffer.put(std::string(Output::kPiece, 'x'));
            static_cast<void>(output->take(buffer).ok());
        }
        const Result<void> finished = output->finish();
        ASSERT_FALSE(finished.ok());
        EXPECT_NE(finished.error().message.find("t.csv"), std::string::npos);
    }
    setrlimit(RLIMIT_FSIZE, &before);
    signal(SIGXFSZ, old_handler);
    EXPECT_EQ(files(), 0u);
}

TEST_F(OutputTest, AReaderThatGoesEndsThePiecesWithoutAnError) {
    const fs::path pipe = dir_ / "pipe";
    ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
    const auto old_handler = signal(SIGPIPE, SIG_IGN);
    std::thread reader([&] {
        const int fd = ::open(pipe.c_str(), O_RDONLY);
        char byte = 0;
        EXPECT_EQ(::read(fd, &byte, 1), 1);
        ::close(fd);
    });
    auto output = Output::open(pipe);
    ASSERT_TRUE(output.ok());
    ByteBuffer buffer;
    for (int piece = 0; piece < 200 && !output->is_closed(); ++piece) {
        buffer.put(std::string(Output::kPiece, 'x'));
        ASSERT_TRUE(output->take(buffer).ok());
    }
    EXPECT_TRUE(output->is_closed());
    EXPECT_TRUE(output->finish().ok());
    reader.join();
    signal(SIGPIPE, old_handler);
}

}  // namespace
}  // namespace sla::exporting
