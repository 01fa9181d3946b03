#include "proto/capture/capture_index.h"
#include "proto/capture/file_finisher.h"
#include "proto/capture/file_format.h"
#include "proto/wire/frame_codec.h"
#include "tests/unit/proto/capture/capture_files.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <random>

namespace sla::capture {
namespace {

TEST(CaptureFile, GivesBackAllFramesInOrder) {
    const Folder folder;
    const std::vector<std::string> frames = some_frames(100);
    for (const std::size_t frames_a_chunk : {1, 7, 1000}) {
        write_capture(folder.file(), frames, frames_a_chunk);
        const Content content = read_capture(folder.file());
        EXPECT_EQ(content.frames, frames);
        EXPECT_TRUE(content.damage.empty());
        EXPECT_TRUE(content.finished);
    }
}

TEST(CaptureFile, WithoutFramesIsACaptureToo) {
    const Folder folder;
    write_capture(folder.file(), {}, 1);
    const Content content = read_capture(folder.file());
    EXPECT_TRUE(content.frames.empty() && content.damage.empty() && content.error.empty());
    EXPECT_TRUE(content.finished);
    EXPECT_TRUE(CaptureIndex::open(folder.file())->chunks().empty());
}

TEST(CaptureFile, HoldsLargeAndIncompressibleFrames) {
    const Folder folder;
    std::mt19937_64 random(51);
    std::vector<std::string> frames;
    for (const std::size_t size : {std::size_t{1}, std::size_t{3} << 20, wire::kMaxFrameBytes, std::size_t{900'000}}) {
        frames.emplace_back(size, '\0');
        for (char& byte : frames.back()) byte = static_cast<char>(random());
    }
    write_capture(folder.file(), frames, 1000);
    const Content content = read_capture(folder.file());
    EXPECT_TRUE(content.frames == frames);
    EXPECT_TRUE(content.damage.empty());
}

TEST(CaptureFile, ClosesAChunkByItselfAndCompressesIt) {
    const Folder folder;
    Result<CaptureWriter> writer = CaptureWriter::create(folder.file());
    ASSERT_TRUE(writer.ok());
    const std::string frame(1000, 'x');
    EXPECT_EQ(writer->bytes_written(), kFileHeaderBytes);
    for (int i = 0; i < 1100; ++i) ASSERT_TRUE(writer->append(frame).ok());
    EXPECT_GT(writer->bytes_written(), kFileHeaderBytes);
    EXPECT_LT(writer->bytes_written(), 100'000U);
    EXPECT_EQ(read_capture(folder.file()).frames.size(), 1046U)
        << "two times 512 KiB are readable while the rest is being recorded";
}

TEST(CaptureFile, ThatWasNeverFinishedGivesItsWholeChunksAndSaysSo) {
    const Folder folder;
    write_capture(folder.file(), some_frames(10), 4, false);
    const Content content = read_capture(folder.file());
    EXPECT_EQ(content.frames, some_frames(8));
    EXPECT_TRUE(content.damage.empty());
    EXPECT_FALSE(content.finished);
}

TEST(CaptureFile, ThatIsNoneIsRefusedWithTheReason) {
    const Folder folder;
    const auto error = [&](const std::string& bytes) { return read_capture(folder.write(bytes)).error; };
    EXPECT_NE(error("").find("is empty"), std::string::npos);
    EXPECT_NE(error("index,tick,time_ns,source\n").find("is not a capture"), std::string::npos);
    EXPECT_NE(error(std::string(5000, '\0')).find("is not a capture"), std::string::npos);
    EXPECT_NE(error(std::string(kFileMagic)).find("cut off within its header"), std::string::npos);
    const auto newer = encode_file_header(kFormatVersion + 1);
    EXPECT_NE(error({newer.data(), newer.size()}).find("version 4, this program reads version 3"), std::string::npos);
    EXPECT_NE(read_capture(folder.file("missing")).error.find("No such file"), std::string::npos);
    EXPECT_NE(read_capture(Folder().file("")).error.find("is not a file"), std::string::npos);
    ASSERT_EQ(mkfifo(folder.file("fifo").c_str(), 0600), 0);
    EXPECT_NE(read_capture(folder.file("fifo")).error.find("is not a file"), std::string::npos);
}

TEST(CaptureFile, CannotBeMadeWhereThereIsNoPlace) {
    const Folder folder;
    EXPECT_NE(CaptureWriter::create(folder.file("no/such/folder.sla")).error().message.find("no/such/folder.sla"),
              std::string::npos);
    EXPECT_FALSE(CaptureWriter::create("-").ok());
    EXPECT_FALSE(CaptureWriter::create("").ok());
    const Result<CaptureWriter> full = CaptureWriter::create("/dev/full");
    ASSERT_FALSE(full.ok());
    EXPECT_EQ(full.error().message, "cannot write to the capture '/dev/full': No space left on device");
}

TEST(CaptureFile, DoesNotReplaceWhatIsNoCapture) {
    const Folder folder;
    const std::string source = "int main(void) { return 0; }";
    for (const auto create : {+[](const std::string& path) { return CaptureWriter::create(path); },
                              +[](const std::string& path) { return CaptureWriter::create_hidden(path); }}) {
        folder.write(source);
        const Result<CaptureWriter> refused = create(folder.file());
        ASSERT_FALSE(refused.ok());
        EXPECT_EQ(refused.error().code, ErrorCode::kInvalidInput);
        EXPECT_NE(refused.error().message.find("is no capture, and stays"), std::string::npos) << refused.error().message;
        EXPECT_EQ(std::filesystem::file_size(folder.file()), source.size());
        for (const std::string& replaced : {std::string(), std::string(kFileMagic.substr(0, 3))}) {
            folder.write(replaced);
            EXPECT_TRUE(create(folder.file()).ok()) << replaced.size() << " bytes";
        }
    }
}

TEST(CaptureFile, InAPipeThatNobodyReadsIsRefusedAtOnce) {
    const Folder folder;
    const std::string pipe = folder.file() + ".pipe";
    ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
    const Result<CaptureWriter> refused = CaptureWriter::create(pipe);
    ASSERT_FALSE(refused.ok());
    EXPECT_NE(refused.error().message.find("a pipe, which nobody reads"), std::string::npos) << refused.error().message;
    const int reader = open(pipe.c_str(), O_RDONLY | O_NONBLOCK);
    EXPECT_TRUE(CaptureWriter::create(pipe).ok());
    close(reader);
}

// Each would cut off what the other has written, and both would end well.
TEST(CaptureFile, ThatIsBeingWrittenIsNotMadeAnew) {
    const Folder folder;
    Result<CaptureWriter> first = CaptureWriter::create(folder.file());
    ASSERT_TRUE(first.ok());
    ASSERT_TRUE(first->append("one").ok() && first->flush().ok());
    const Result<CaptureWriter> second = CaptureWriter::create(folder.file());
    ASSERT_FALSE(second.ok());
    EXPECT_EQ(second.error().code, ErrorCode::kUnavailable);
    EXPECT_NE(second.error().message.find("is being written by another program"), std::string::npos);
    EXPECT_FALSE(finish_file(folder.file()).ok());
    ASSERT_TRUE(first->append("two").ok() && first->finish().ok());
    EXPECT_EQ(read_capture(folder.file()).frames, (std::vector<std::string>{"one", "two"}));
    write_capture(folder.file(), {"three"}, 1);
    EXPECT_EQ(read_capture(folder.file()).frames, std::vector<std::string>{"three"});
}

TEST(CaptureFile, MadeHiddenAppearsWhenItIsWholeOrNotAtAll) {
    const Folder folder;
    const auto names = [&] {
        std::vector<std::string> found;
        for (const auto& entry : std::filesystem::directory_iterator(folder.file("")))
            found.push_back(entry.path().filename());
        return found;
    };
    write_capture(folder.file(), {"what was there"}, 1);
    {
        Result<CaptureWriter> dropped = CaptureWriter::create_hidden(folder.file());
        ASSERT_TRUE(dropped.ok());
        ASSERT_TRUE(dropped->append("frame").ok() && dropped->flush().ok());
        EXPECT_EQ(names().size(), 2U);
        EXPECT_EQ(read_capture(folder.file()).frames, std::vector<std::string>{"what was there"});
    }
    EXPECT_EQ(names(), std::vector<std::string>{"test.sla"});
    Result<CaptureWriter> whole = CaptureWriter::create_hidden(folder.file());
    ASSERT_TRUE(whole.ok() && whole->append("frame").ok() && whole->finish().ok());
    EXPECT_EQ(names(), std::vector<std::string>{"test.sla"});
    EXPECT_EQ(read_capture(folder.file()).frames, std::vector<std::string>{"frame"});
    EXPECT_FALSE(CaptureWriter::create_hidden(folder.file("")).ok()) << "a directory";
    EXPECT_FALSE(CaptureWriter::create_hidden(folder.file("no/such/folder.sla")).ok());
}

// As one leaves that was killed; in a container the next one has the same number.
TEST(CaptureFile, MadeHiddenStandsBesideWhatAnotherOfTheSameProcessNumberLeft) {
    const Folder folder;
    std::ofstream(folder.file() + ".part-" + std::to_string(getpid())) << "half of one";
    Result<CaptureWriter> writer = CaptureWriter::create_hidden(folder.file());
    ASSERT_TRUE(writer.ok()) << writer.error().message;
    ASSERT_TRUE(writer->append("frame").ok() && writer->finish().ok());
    EXPECT_EQ(read_capture(folder.file()).frames, std::vector<std::string>{"frame"});
}

TEST(CaptureFile, OfAFullDiskKeepsItsWholeChunksAndTheError) {
    const Folder folder;
    rlimit before{};
    getrlimit(RLIMIT_FSIZE, &before);
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit small{5000, before.rlim_max};
    setrlimit(RLIMIT_FSIZE, &small);

    Result<CaptureWriter> writer = CaptureWriter::create(folder.file());
    ASSERT_TRUE(writer.ok());
    std::mt19937_64 random(52);
    std::size_t written = 0;
    Result<void> done;
    for (; done.ok() && written < 100; ++written) {
        std::string frame(700, '\0');
        for (char& byte : frame) byte = static_cast<char>(random());
        ASSERT_TRUE(writer->append(frame).ok());
        done = writer->flush();
    }
    EXPECT_NE(done.error().message.find(folder.file()), std::string::npos);
    EXPECT_FALSE(writer->append("more").ok());
    EXPECT_FALSE(writer->finish().ok());
    setrlimit(RLIMIT_FSIZE, &before);

    const Content content = read_capture(folder.file());
    // What did not fit was the newest chunk, or only its summary.
    EXPECT_TRUE(content.frames.size() == written - 1 || content.frames.size() == written) << content.frames.size();
    EXPECT_TRUE(content.damage.empty());
    EXPECT_FALSE(content.finished);
}

}  // namespace
}  // namespace sla::capture
