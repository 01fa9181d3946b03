#include "agent/example/pipeline.h"

#include "agent/example/packer.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

namespace sla::example {
namespace {

namespace fs = std::filesystem;

class Folder {
public:
    explicit Folder(const char* name) : path_(fs::path(testing::TempDir()) / name) { fs::remove_all(path_); }
    ~Folder() { fs::remove_all(path_); }
    [[nodiscard]] const fs::path& path() const { return path_; }

private:
    fs::path path_;
};

std::string contents(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

// All frames of one file, unpacked one after the other.
std::string unpacked(const std::string& frames) {
    std::string text;
    for (std::size_t at = 0; at < frames.size();) {
        const std::size_t bytes = ZSTD_findFrameCompressedSize(frames.data() + at, frames.size() - at);
        if (ZSTD_isError(bytes) != 0) return "damaged";
        std::string block(BlockSource::kBlockBytes, '\0');
        block.resize(ZSTD_decompress(block.data(), block.size(), frames.data() + at, bytes));
        text += block;
        at += bytes;
    }
    return text;
}

TEST(BlockSource, MakesTheSameTextInEveryRun) {
    BlockSource one({});
    BlockSource two({});
    for (int i = 0; i < 3; ++i) {
        const std::string block = one.next();
        EXPECT_EQ(block.size(), BlockSource::kBlockBytes);
        EXPECT_EQ(block, two.next());
    }
}

TEST(BlockSource, ReadsItsFilesOverAndOver) {
    const Folder folder("sla-source");
    fs::create_directories(folder.path());
    std::ofstream(folder.path() / "a") << "first";
    std::ofstream(folder.path() / "b") << "second";
    BlockSource source({(folder.path() / "a").string(), (folder.path() / "b").string()});
    EXPECT_EQ(source.next(), "first");
    EXPECT_EQ(source.next(), "second");
    EXPECT_EQ(source.next(), "first");
}

TEST(BlockSource, RefusesFilesItCannotReadAndFilesWithNothingInThem) {
    EXPECT_THROW(BlockSource({"/no/such/file"}), std::runtime_error);
    EXPECT_THROW(BlockSource({"/"}), std::runtime_error);
    const Folder folder("sla-empty");
    fs::create_directories(folder.path());
    std::ofstream(folder.path() / "empty");
    EXPECT_THROW(BlockSource({(folder.path() / "empty").string()}), std::runtime_error);
}

TEST(BlockSource, GoesOnWhenAFileVanishesWhileItRuns) {
    const Folder folder("sla-vanishing");
    fs::create_directories(folder.path());
    std::ofstream(folder.path() / "a") << "first";
    BlockSource source({(folder.path() / "a").string()});
    fs::remove(folder.path() / "a");
    EXPECT_FALSE(source.next().empty());
}

TEST(Packer, NoticesAFrameThatDoesNotHoldItsText) {
    Packer packer;
    std::string frame = packer.pack("some text, some text, some text", 3);
    EXPECT_TRUE(packer.verify(frame, "some text, some text, some text"));
    EXPECT_FALSE(packer.verify(frame, "some text, some text, some tex!"));
    frame[frame.size() / 2] ^= 1;
    EXPECT_FALSE(packer.verify(frame, "some text, some text, some text"));
    EXPECT_FALSE(packer.verify("", "x"));
}

TEST(FileRing, WritesRoundAndRoundAndLeavesNothing) {
    const Folder folder("sla-ring");
    {
        FileRing files(folder.path(), false);
        for (std::size_t i = 0; i < FileRing::kFiles * FileRing::kFramesPerFile + 1; ++i) ASSERT_TRUE(files.append("x"));
        const auto entries = std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator());
        EXPECT_EQ(entries, static_cast<long>(FileRing::kFiles));
        EXPECT_EQ(fs::file_size(folder.path() / "log-0.zst"), 1u) << "the oldest file begins anew";
    }
    EXPECT_FALSE(fs::exists(folder.path()));
}

TEST(FileRing, TakesAwayWhatItWroteAndNothingElse) {
    const Folder folder("sla-kept");
    fs::create_directories(folder.path());
    std::ofstream(folder.path() / "log-5.zst") << "of an earlier run";
    {
        FileRing files(folder.path(), false);
        ASSERT_TRUE(files.append("x"));
    }
    EXPECT_FALSE(fs::exists(folder.path() / "log-0.zst"));
    EXPECT_EQ(contents(folder.path() / "log-5.zst"), "of an earlier run");
}

TEST(FileRing, SaysWhenTheDiskRefuses) {
    const Folder folder("sla-refused");
    FileRing files(folder.path(), false);
    fs::remove_all(folder.path());
    EXPECT_FALSE(files.append("x"));
}

TEST(Queue, KeepsWhatWasPushedBeforeItWasClosed) {
    BlockQueue<int> queue("test.queue", 4);
    EXPECT_TRUE(queue.push(1));
    EXPECT_TRUE(queue.push(2));
    queue.close();
    EXPECT_FALSE(queue.push(3));
    EXPECT_EQ(queue.pop(), 1);
    EXPECT_EQ(queue.pop(), 2);
    EXPECT_EQ(queue.pop(), std::nullopt);
}

TEST(Pipeline, WritesEveryBlockOnceAndInOrder) {
    const Folder folder("sla-pipeline");
    fs::create_directories(folder.path());
    std::string text;
    for (int i = 0; i < 20000; ++i) text += "line " + std::to_string(i) + "\n";
    const fs::path input = folder.path() / "input";
    std::ofstream(input, std::ios::binary) << text;
    BlockSource source({input.string()});
    FileRing files(folder.path() / "out", true);
    Pipeline pipeline(source, files, 3);
    const PipelineTotals totals = pipeline.stop();

    EXPECT_GE(totals.blocks, 8u) << "a burst that began is finished";
    EXPECT_EQ(totals.damaged, 0u);
    EXPECT_FALSE(totals.disk_failed);
    const std::string written = unpacked(contents(folder.path() / "out" / "log-0.zst"));
    EXPECT_EQ(written.size(), totals.bytes_read);
    EXPECT_EQ(written.substr(0, text.size()), text.substr(0, written.size()));
}

TEST(Pipeline, StopsByItselfWhenTheDiskRefuses) {
    const Folder folder("sla-full");
    BlockSource source({});
    FileRing files(folder.path(), false);
    fs::remove_all(folder.path());
    Pipeline pipeline(source, files, 1);
    while (pipeline.running()) std::this_thread::yield();
    const PipelineTotals totals = pipeline.stop();
    EXPECT_TRUE(totals.disk_failed);
    EXPECT_EQ(totals.blocks, 0u);
}

}  // namespace
}  // namespace sla::example
