// What is left of a recording whose program was killed, or whose disk is full.
#include "proto/capture/capture_index.h"
#include "proto/wire/batch_codec.h"
#include "proto/wire/capture.pb.h"
#include "tests/unit/proto/capture/capture_files.h"

#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <ctime>
#include <random>

namespace sla::capture {
namespace {

std::uint64_t now_ns() {
    return static_cast<std::uint64_t>(
        std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch()).count());
}

std::string row_frame(std::uint64_t index, std::uint64_t tick) {
    wire::EventBatch batch;
    batch.channel.value = 1;
    batch.first_index = index;
    batch.add(tick, SLA_CODE_TICK, 0, 1);
    wire::Frame frame;
    encode_batch(batch, *frame.mutable_batch());
    return frame.SerializeAsString();
}

// What the child reports of itself while it lives.
struct Reported {
    std::atomic<std::uint64_t> newest{0};         // tick of the newest row that was appended, ns
    std::atomic<std::uint64_t> longest_pause{0};  // between two appends, ns
};

// A row every few milliseconds, as of a quiet program; never ends by itself.
[[noreturn]] void record_for_ever(const std::string& path, Reported& reported) {
    Result<CaptureWriter> writer = CaptureWriter::create(path);
    if (!writer) _exit(3);
    for (std::uint64_t i = 0;; ++i) {
        const std::uint64_t tick = now_ns();
        if (!writer->append(row_frame(i, tick)).ok()) _exit(3);
        const std::uint64_t before = reported.newest.exchange(tick);
        if (before != 0) reported.longest_pause = std::max(reported.longest_pause.load(), tick - before);
        const timespec pause{0, 3'000'000};
        nanosleep(&pause, nullptr);
    }
}

TEST(CrashedCapture, OfAKilledProgramLacksItsLastSecondAtMost) {
    const Folder folder;
    void* memory = mmap(nullptr, sizeof(Reported), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    ASSERT_NE(memory, MAP_FAILED);
    Reported& reported = *new (memory) Reported;
    const std::uint64_t start = now_ns();
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) record_for_ever(folder.file(), reported);
    while (reported.newest < start + 2'500'000'000) usleep(1000);
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);

    const Result<CaptureIndex> index = CaptureIndex::open(folder.file());
    ASSERT_TRUE(index.ok()) << index.error().message;
    EXPECT_FALSE(index->finished());
    EXPECT_TRUE(index->damage().empty()) << index->damage()[0].what;
    ASSERT_EQ(index->lanes().size(), 1U);
    const std::uint64_t newest = index->lanes()[0].summaries.back().last_tick;
    EXPECT_LE(reported.newest - newest, 900'000'000 + 2 * reported.longest_pause);
    EXPECT_EQ(read_capture(folder.file()).frames.size(), index->lanes()[0].rows()) << "no row is missing before";
    munmap(memory, sizeof(Reported));
}

TEST(CrashedCapture, OfAFullDiskKeepsEverythingThatFittedAndOpens) {
    const Folder folder;
    const std::string disk = folder.file("disk");
    ASSERT_TRUE(std::filesystem::create_directory(disk));
    if (mount("tmpfs", disk.c_str(), "tmpfs", 0, "size=1m") != 0) GTEST_SKIP() << "mounting a small tmpfs needs root";
    std::mt19937_64 random(3);
    std::string error;
    std::size_t appended = 0;
    {
        Result<CaptureWriter> writer = CaptureWriter::create(disk + "/full.sla");
        EXPECT_TRUE(writer.ok());
        while (error.empty() && appended < 5000) {
            std::string frame(1000, '\0');
            for (char& byte : frame) byte = static_cast<char>(random());
            const Result<void> done = writer->append(frame);
            if (!done) error = done.error().message;
            ++appended;
        }
        EXPECT_FALSE(writer->finish().ok()) << "it says so again";
    }
    const Content content = read_capture(disk + "/full.sla");
    const Result<CaptureIndex> index = CaptureIndex::open(disk + "/full.sla");
    umount(disk.c_str());
    EXPECT_NE(error.find("full.sla': No space left on device"), std::string::npos) << error;
    EXPECT_GE(content.frames.size(), 200U);
    EXPECT_TRUE(content.damage.empty());
    EXPECT_FALSE(content.finished);
    ASSERT_TRUE(index.ok());
    std::size_t indexed = 0;
    for (const ChunkPlace& place : index->chunks()) indexed += place.frames;
    EXPECT_EQ(indexed, content.frames.size());
}

}  // namespace
}  // namespace sla::capture
