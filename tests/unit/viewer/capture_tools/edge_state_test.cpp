// What holds at a moment on many channels at once.
#include "viewer/capture_tools/edge_state.h"

#include "proto/capture/capture_writer.h"
#include "proto/capture/file_chunks.h"
#include "tests/support/capture_builder.h"
#include "tests/support/with_directory.h"

#include <gtest/gtest.h>

#include <map>
#include <memory>

namespace sla::capture_tools {
namespace {

constexpr std::uint32_t kChannels = 40;
constexpr std::uint64_t kMoment = 50'000;

// How often each chunk was read, by its place.
class CountedChunks final : public capture::ChunkStore {
public:
    CountedChunks(capture::FileChunks chunks, std::map<std::uint64_t, int>& reads)
        : chunks_(std::move(chunks)), reads_(reads) {}
    Result<capture::ChunkHeader> fetch_frames(const capture::ChunkPlace& place, std::string& stored) override {
        ++reads_[place.offset];
        return chunks_.fetch_frames(place, stored);
    }
    Result<capture::ChunkHeader> fetch_summary(const capture::ChunkPlace& place, std::string& stored) override {
        return chunks_.fetch_summary(place, stored);
    }
    [[nodiscard]] std::string describe(const capture::ChunkPlace& place) const override { return chunks_.describe(place); }

private:
    capture::FileChunks chunks_;
    std::map<std::uint64_t, int>& reads_;
};

class EdgeState : public support::WithDirectory {
protected:
    // Each channel has a value long before the moment, a span that is open across it, and ticks all the time; in many chunks.
    EdgeState() {
        support::CaptureBuilder capture;
        for (std::uint32_t i = 0; i < kChannels; ++i) {
            const auto channel = capture.channel("c" + std::to_string(i));
            channels_.insert(ChannelId{channel});
            capture.value(channel, 2'000 + i, i);
            capture.begin(channel, 3'000 + i * 1'000);
            for (std::uint64_t tick = 5'000; tick <= 100'000; tick += 5'000) capture.tick(channel, tick);
        }
        capture::WriterOptions options;
        options.chunk_bytes = 1;
        auto writer = capture::CaptureWriter::create(file("c.sla"), options);
        for (const std::string& frame : capture.frames(20)) EXPECT_TRUE(writer->append(frame).ok());
        EXPECT_TRUE(writer->finish().ok());
    }
    [[nodiscard]] capture::ChunkReader reader() {
        return capture::ChunkReader(
            std::make_unique<CountedChunks>(std::move(capture::FileChunks::open(file("c.sla")).value()), reads_));
    }

    std::set<ChannelId> channels_;
    std::map<std::uint64_t, int> reads_;
};

TEST_F(EdgeState, OfManyChannelsIsFoundWithOneLookIntoAChunk) {
    const auto index = capture::CaptureIndex::open(file("c.sla"));
    ASSERT_TRUE(index.ok());
    ASSERT_GT(index->chunks().size(), 10u);
    capture::ChunkReader chunks = reader();
    const auto states = states_before(kMoment, *index, channels_, chunks, [] { return true; });
    ASSERT_TRUE(states.has_value());
    ASSERT_EQ(states->rows.size(), kChannels);
    EXPECT_TRUE(states->late.empty());
    for (const wire::EventBatch& batch : states->rows) {
        ASSERT_EQ(batch.size(), 2u);
        EXPECT_EQ(batch.ticks[0], 2'000 + batch.values[0]) << "the value of each channel is its number";
        EXPECT_EQ(wire::kind_of(batch.codes[1]), wire::Kind::kBegin);
    }
    for (const auto& [offset, reads] : reads_) EXPECT_EQ(reads, 1) << offset;
}

TEST_F(EdgeState, IsNotLookedForAnyLongerThanIsWanted) {
    const auto index = capture::CaptureIndex::open(file("c.sla"));
    capture::ChunkReader chunks = reader();
    int looks = 2;
    EXPECT_FALSE(states_before(kMoment, *index, channels_, chunks, [&] { return looks-- > 0; }).has_value());
    EXPECT_LE(reads_.size(), 2u);
}

}  // namespace
}  // namespace sla::capture_tools
