#include "viewer/formats/output.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

namespace sla::formats {
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

TEST_F(OutputTest, PiecesArriveInOrderAndLeaveLessThanABlock) {
    auto output = Output::open(dir_ / "t.csv");
    ASSERT_TRUE(output.ok());
    std::string wanted;
    ByteBuffer buffer;
    for (std::size_t piece = 0; piece < 40; ++piece) {
        const std::string bytes(piece % 7 == 3 ? 10 : Output::kPiece + piece, static_cast<char>('a' + piece % 26));
        wanted += bytes;
        buffer.put(bytes);
        ASSERT_TRUE(output->take(buffer).ok());
        ASSERT_LT(buffer.size(), kBlock);
        if (piece % 11 != 5) continue;
        wanted += "between";
        buffer.put("between");
        ASSERT_TRUE(output->write(buffer.view()).ok());
        buffer.clear();
    }
    EXPECT_EQ(output->bytes() + buffer.size(), wanted.size());
    ASSERT_TRUE(output->finish(buffer.view()).ok());
    EXPECT_TRUE(content(dir_ / "t.csv") == wanted);
}

// So that its buffers and their borders lie wherever rows put them.
void put_lines(ByteBuffer& buffer, std::string& wanted) {
    while (buffer.size() < Output::kPiece) {
        const std::string line = std::to_string(wanted.size()) + ",some,row\n";
        buffer.put(line);
        wanted += line;
    }
}

// Writes to files of the directory past the page cache; false: this file system has no such way.
bool is_past_cache(const fs::path& dir) {
    for (const fs::directory_entry& one : fs::directory_iterator("/proc/self/fd")) {
        std::error_code gone;
        const fs::path file = fs::read_symlink(one.path(), gone);
        if (gone || file.parent_path() != dir) continue;
        return (fcntl(std::stoi(one.path().filename()), F_GETFL) & O_DIRECT) != 0;
    }
    return false;
}
bool can_go_past_cache(const fs::path& dir) {
    alignas(kBlock) static const char block[kBlock] = {};
    const int fd = ::open((dir / "probe").c_str(), O_WRONLY | O_CREAT | O_DIRECT | O_CLOEXEC, 0600);
    const bool can = fd >= 0 && ::write(fd, block, kBlock) == static_cast<ssize_t>(kBlock);
    if (fd >= 0) ::close(fd);
    fs::remove(dir / "probe");
    return can;
}

TEST_F(OutputTest, ALargeFileGoesPastThePageCacheAndIsTheSame) {
    const bool can = can_go_past_cache(dir_);
    auto output = Output::open(dir_ / "t.csv");
    ASSERT_TRUE(output.ok());
    std::string wanted;
    ByteBuffer buffer;
    for (std::size_t piece = 0; piece < 50; ++piece) {
        put_lines(buffer, wanted);
        ASSERT_TRUE(output->take(buffer).ok());
        if (piece == 10) {
            EXPECT_FALSE(is_past_cache(dir_));
        }
    }
    EXPECT_EQ(is_past_cache(dir_), can);
    ASSERT_TRUE(output->finish(buffer.view()).ok());
    EXPECT_TRUE(content(dir_ / "t.csv") == wanted);
}

TEST_F(OutputTest, BytesThatCannotGoPastThePageCacheGoThroughIt) {
    auto output = Output::open(dir_ / "t.csv");
    ASSERT_TRUE(output.ok());
    std::string wanted = "odd";
    ASSERT_TRUE(output->write(wanted).ok());
    ByteBuffer buffer;
    for (std::size_t piece = 0; piece < 50; ++piece) {
        put_lines(buffer, wanted);
        ASSERT_TRUE(output->take(buffer).ok());
    }
    ASSERT_TRUE(output->finish(buffer.view()).ok());
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

TEST_F(OutputTest, AFullDiskIsReportedAtTheEndAtTheLatest) {
    // /dev/full refuses the first piece at once; a limit on a file's size lets some through. Past the page cache it is met
    // too.
    struct rlimit before {};
    ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
    const auto old_handler = signal(SIGXFSZ, SIG_IGN);
    for (const std::size_t pieces : {3, 40}) {
        struct rlimit small = before;
        small.rlim_cur = pieces * Output::kPiece + 1000;
        ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
        auto output = Output::open(dir_ / "t.csv");
        ASSERT_TRUE(output.ok());
        ByteBuffer buffer;
        for (std::size_t piece = 0; piece < pieces + 2; ++piece) {
            buffer.put(std::string(Output::kPiece, 'x'));
            static_cast<void>(output->take(buffer).ok());
        }
        const Result<void> finished = output->finish(buffer.view());
        ASSERT_FALSE(finished.ok());
        EXPECT_NE(finished.error().message.find("t.csv"), std::string::npos);
    }
    setrlimit(RLIMIT_FSIZE, &before);
    signal(SIGXFSZ, old_handler);
    EXPECT_EQ(files(), 0u);
}

TEST_F(OutputTest, WhatIsReadIsNotWrittenOver) {
    std::ofstream(dir_ / "c.sla") << "a capture";
    fs::create_symlink(dir_ / "c.sla", dir_ / "by another name");
    keep_from_outputs(dir_ / "c.sla");
    EXPECT_FALSE(Output::open(dir_ / "c.sla").ok());
    EXPECT_FALSE(Output::open(dir_ / "by another name").ok());
    EXPECT_TRUE(Output::open(dir_ / "c.csv").ok());
    forget_kept_files();
    EXPECT_TRUE(Output::open(dir_ / "c.sla").ok());
}

TEST_F(OutputTest, AReaderThatTakesNothingIsNotWaitedForWhenAllIsToStop) {
    const fs::path pipe = dir_ / "pipe";
    ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
    const int reader = ::open(pipe.c_str(), O_RDWR | O_CLOEXEC);
    ASSERT_GE(reader, 0);
    static std::atomic<bool> stopped;
    stopped = false;
    stop_writing_when([] { return stopped.load(); });
    std::thread person([&] {
        const int writer = ::open(pipe.c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC);
        for (pollfd space{writer, POLLOUT, 0}; ::poll(&space, 1, 0) == 1;) std::this_thread::yield();  // until it is full
        ::close(writer);
        stopped = true;
    });
    {
        auto output = Output::open(pipe);
        ASSERT_TRUE(output.ok());
        ByteBuffer buffer;
        Result<void> written;
        while (written.ok()) {
            buffer.put(std::string(Output::kPiece, 'x'));
            written = output->take(buffer);
        }
        EXPECT_TRUE(stopped);
        EXPECT_NE(written.error().message.find("stopped"), std::string::npos) << written.error().message;
    }
    person.join();
    stop_writing_when(nullptr);
    ::close(reader);
}

TEST_F(OutputTest, PipesAndSocketsTakeMoreThanTheyHoldInOrder) {
    std::string wanted;
    while (wanted.size() < 3 * Output::kPiece) wanted += std::to_string(wanted.size()) + ",some,row\n";
    for (const bool is_socket : {false, true}) {
        int ends[2] = {};
        ASSERT_EQ(is_socket ? socketpair(AF_UNIX, SOCK_STREAM, 0, ends) : ::pipe(ends), 0);
        std::string got;
        std::thread reader([&] {
            char bytes[70'001];
            for (ssize_t n = 1; n > 0; got.append(bytes, static_cast<std::size_t>(std::max<ssize_t>(n, 0))))
                n = ::read(ends[0], bytes, 1 + got.size() * 7919 % sizeof bytes);
        });
        const Written written = write_all(ends[1], wanted);
        ::close(ends[1]);
        reader.join();
        ::close(ends[0]);
        EXPECT_EQ(written.error, 0);
        EXPECT_TRUE(got == wanted) << got.size() << (is_socket ? " of a socket" : " of a pipe");
    }
}

// As another program may leave it, which sets that for all who share it.
TEST_F(OutputTest, ATerminalThatDoesNotWaitTakesMoreThanItHolds) {
    const int person = posix_openpt(O_RDWR | O_NOCTTY);
    ASSERT_GE(person, 0);
    ASSERT_EQ(grantpt(person), 0);
    ASSERT_EQ(unlockpt(person), 0);
    const int terminal = ::open(ptsname(person), O_RDWR | O_NOCTTY | O_NONBLOCK);
    ASSERT_GE(terminal, 0);
    const std::string wanted(300'000, 'x');
    std::size_t got = 0;
    std::thread reader([&] {
        char bytes[4096];
        for (ssize_t n = 1; n > 0 && got < wanted.size(); got += static_cast<std::size_t>(std::max<ssize_t>(n, 0)))
            n = ::read(person, bytes, sizeof bytes);
    });
    const Written written = write_all(terminal, wanted);
    if (written.error != 0) ::close(terminal);  // ends the reader
    reader.join();
    if (written.error == 0) ::close(terminal);
    ::close(person);
    EXPECT_EQ(written.error, 0);
    EXPECT_EQ(got, wanted.size());
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
}  // namespace sla::formats
