// How far a capture in a fleet is complete when it is opened to be followed.
#include "proto/capture/capture_writer.h"
#include "tests/support/published_pieces.h"
#include "tests/support/temporary_path.h"
#include "tests/unit/viewer/fleet/fake_stream.h"
#include "tests/unit/viewer/ingest/frames.h"
#include "viewer/fleet/fleet_capture.h"

#include <gtest/gtest.h>

#include <filesystem>

namespace sla::fleet {
namespace {

// A capture of so many chunks, each with a row and, up to the last but `without`, a watermark behind it.
class FollowedCaptureTest : public ::testing::Test {
protected:
    FollowedCaptureTest() { std::filesystem::create_directories(temporary_.path); }
    [[nodiscard]] OpenedCapture open() const {
        auto opened = open_messages(
            stream_, {{published_.fleet, published_.shard, published_.host, published_.capture}, "the fleet", {}},
            *stream_->state(), Opening::kToFollow);
        EXPECT_TRUE(opened.ok());
        return std::move(opened).value();
    }
    OpenedCapture opened(int chunks, int without, bool unfinished) {
        const std::string path = (temporary_.path / "rec.sla").string();
        auto writer = capture::CaptureWriter::create(path);
        EXPECT_TRUE(writer.ok());
        const auto put = [&](const std::string& frame) { EXPECT_TRUE(writer->append(frame).ok()); };
        ingest::put_names(put, 2);
        for (int i = 1; i <= chunks; ++i) {
            const auto tick = static_cast<std::uint64_t>(i) * 100;
            put(ingest::batch_frame(ingest::ticks_batch(1, static_cast<std::uint64_t>(i) - 1, {tick + 50})));
            if (i <= chunks - without) put(ingest::watermark_frame(tick));
            EXPECT_TRUE(writer->flush().ok());
        }
        EXPECT_TRUE(writer->finish().ok());
        support::PiecePublisher publisher(published_, [this](const auto& subject, const auto& headers, const auto& body) {
            return stream_->put(subject, headers, body);
        });
        EXPECT_TRUE(publisher.publish(path, 1, !unfinished));
        return open();
    }

    const support::TemporaryPath temporary_{"followed"};
    const support::PublishedName published_;
    const std::shared_ptr<FakeStream> stream_ = std::make_shared<FakeStream>();
};

TEST_F(FollowedCaptureTest, IsCompleteUpToTheNewestWatermarkOfWhatIsWhole) {
    const OpenedCapture all = opened(5, 0, true);
    const auto index = all.store->index({});
    ASSERT_TRUE(index.ok());
    EXPECT_GT(index->chunks().size(), 1u);
    EXPECT_EQ(all.complete_until, index->chunks().size() * 100);
}

TEST_F(FollowedCaptureTest, LooksBackWhereTheLastChunksHaveNone) {
    EXPECT_EQ(opened(5, 2, false).complete_until, 300u);
}

TEST_F(FollowedCaptureTest, IsCompleteUpToNowhereWithoutAny) {
    EXPECT_EQ(opened(5, 5, false).complete_until, 0u);
}

TEST_F(FollowedCaptureTest, IsCompleteUpToNowhereWhereItsNewestChunkDoesNotCome) {
    opened(5, 0, false);
    std::uint64_t newest = 0;
    for (const auto& [sequence, kept] : stream_->messages()) {
        if (kept.message.headers->id.kind == Kind::kFrames) newest = sequence;
    }
    std::string& body = stream_->messages().at(newest).message.body;
    body.back() = static_cast<char>(~body.back());
    EXPECT_EQ(open().complete_until, 0u);
}

}  // namespace
}  // namespace sla::fleet
