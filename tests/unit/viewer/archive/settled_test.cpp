// Up to where a capture is final: by its last watermark, or by its end.
#include "viewer/archive/settled.h"

#include "proto/capture/capture_writer.h"
#include "proto/capture/pieces/repeated_names.h"
#include "proto/wire/capture.pb.h"
#include "tests/support/capture_builder.h"
#include "tests/support/damaged_chunk.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

namespace sla::archive {
namespace {

class Written : public testing::Test {
protected:
    ~Written() override { std::filesystem::remove(path_); }
    Result<Settled> look() {
        const auto store = capture::CaptureStore::open(path_);
        if (!store.ok()) return store.error();
        const auto index = (*store)->index({});
        if (!index.ok()) return index.error();
        return settled(**store, *index);
    }
    std::string path_ = std::string(testing::TempDir()) + "/sla_settled_" + std::to_string(getpid()) + ".sla";
};

TEST_F(Written, ACaptureThatSaysItsEndIsFinal) {
    support::CaptureBuilder capture;
    capture.tick(capture.channel("rx"), 5000);
    capture.write(path_);
    const auto found = look();
    ASSERT_TRUE(found.ok()) << found.error().message;
    EXPECT_TRUE(found->ended);
    EXPECT_FALSE(found->is_damaged);
}

// The chunk that says so cannot be read; the index repeats it.
TEST_F(Written, ACaptureIsFinalByItsIndexWhereItsEndCannotBeRead) {
    support::CaptureBuilder capture;
    capture.tick(capture.channel("rx"), 5000);
    capture.write(path_);
    ASSERT_NO_FATAL_FAILURE(support::damage_chunk(path_, 0));
    const auto found = look();
    ASSERT_TRUE(found.ok()) << found.error().message;
    EXPECT_TRUE(found->ended);
    EXPECT_TRUE(found->is_damaged);
}

// Between two pieces of a live capture, or before the next file of a recording is there.
TEST_F(Written, APiecesEndIsNotTheCapturesAndSaysTheWatermark) {
    auto writer = capture::CaptureWriter::create(path_);
    ASSERT_TRUE(writer.ok());
    wire::Frame frame;
    frame.mutable_watermark()->set_tick(2000);
    ASSERT_TRUE(writer->append(frame.SerializeAsString()).ok());
    frame.mutable_end()->set_tick(2500);
    frame.mutable_end()->set_reason(capture::goes_on_in("piece 2"));
    ASSERT_TRUE(writer->append(frame.SerializeAsString()).ok());
    ASSERT_TRUE(writer->finish().ok());
    const auto found = look();
    ASSERT_TRUE(found.ok()) << found.error().message;
    EXPECT_FALSE(found->ended);
    EXPECT_EQ(found->tick, 2500u);
}

TEST_F(Written, OneThatDoesNotIsFinalUpToItsLastWatermark) {
    auto writer = capture::CaptureWriter::create(path_);
    ASSERT_TRUE(writer.ok());
    for (const std::uint64_t tick : {1000, 2000}) {
        wire::Frame frame;
        frame.mutable_watermark()->set_tick(tick);
        ASSERT_TRUE(writer->append(frame.SerializeAsString()).ok());
    }
    ASSERT_TRUE(writer->finish().ok());
    const auto found = look();
    ASSERT_TRUE(found.ok()) << found.error().message;
    EXPECT_FALSE(found->ended);
    EXPECT_EQ(found->tick, 2000u);
}

fleet::RunEntry run_of(std::int64_t started_ns, std::int64_t seen_ns, std::uint64_t left = 0, std::int64_t ended_ns = 0) {
    fleet::RunEntry run;
    run.host = "h1";
    run.started_ns = started_ns;
    run.seen_ns = seen_ns;
    run.left = left;
    run.ended_ns = ended_ns;
    return run;
}

TEST(IsOver, ARunThatSaysItsEndAndLeftNothing) {
    EXPECT_TRUE(is_over(run_of(10, 20, 0, 20), {}));
    EXPECT_FALSE(is_over(run_of(10, 20, 5, 20), {}));
    EXPECT_FALSE(is_over(run_of(10, 20), {}));
}

TEST(IsOver, OneThatWasKilledWhenTheNextAgentSaysSoAndNoSooner) {
    const fleet::RunEntry next = run_of(100, 130);
    EXPECT_FALSE(is_over(run_of(10, 98), {next})) << "its own last entry: it may have left more since";
    EXPECT_TRUE(is_over(run_of(10, 120), {next}));
    EXPECT_FALSE(is_over(run_of(10, 120, 7), {next}));
    fleet::RunEntry elsewhere = next;
    elsewhere.host = "h2";
    EXPECT_FALSE(is_over(run_of(10, 120), {elsewhere}));
}

}  // namespace
}  // namespace sla::archive
