// Up to where a capture is final: by its last watermark, or by its end.
#include "viewer/archive/settled.h"

#include "proto/capture/capture_writer.h"
#include "proto/wire/capture.pb.h"
#include "tests/support/capture_builder.h"

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
        return settled(**store);
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

}  // namespace
}  // namespace sla::archive
