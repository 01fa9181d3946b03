#include "viewer/workspace/source/data_source.h"

#include "tests/support/capture_builder.h"
#include "tests/support/temporary_path.h"
#include "viewer/ingest/frame_applier.h"
#include "viewer/workspace/source/catching_up.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace sla::workspace {
namespace {

class Feeds : public ::testing::Test {
protected:
    static SourceStatus loaded(DataSource& source) {
        while (source.status().state == SourceState::kLoading) source.poll(std::chrono::milliseconds(100));
        return source.status();
    }

    const support::TemporaryPath temporary_{"source.sla"};
};

TEST_F(Feeds, AFileIsKnownByItsName) {
    support::CaptureBuilder capture;
    capture.tick(capture.channel("a"), 100);
    capture.write(temporary_.path);
    const auto source = open_source(temporary_.path);
    const SourceStatus status = loaded(*source);
    EXPECT_EQ(status.state, SourceState::kLoaded);
    EXPECT_EQ(status.name, temporary_.path.filename());
}

TEST_F(Feeds, AFolderIsTheSameWithASlashBehindIt) {
    std::filesystem::create_directory(temporary_.path);
    const std::string path = temporary_.path;
    for (const std::string& given : {path, path + "/"}) {
        const auto source = open_source(given);
        EXPECT_EQ(source->target(), path);
        EXPECT_EQ(source->status().name, temporary_.path.filename());
    }
}

TEST_F(Feeds, AnotherToolsFileIsRefusedWithWhatToDo) {
    std::ofstream(temporary_.path) << "time,channel,value\n0.1,a,7\n";
    const SourceStatus status = loaded(*open_source(temporary_.path));
    EXPECT_EQ(status.state, SourceState::kLost);
    EXPECT_NE(status.message.find("looks like csv"), std::string::npos) << status.message;
    EXPECT_NE(status.message.find("`sla import '" + temporary_.path.string() + "' -o '"), std::string::npos)
        << status.message;
}

TEST_F(Feeds, WhatIsNoFileOfAnyToolIsRefusedWithoutAdvice) {
    std::ofstream(temporary_.path) << std::string(200, '\1');
    const std::string message = loaded(*open_source(temporary_.path)).message;
    EXPECT_EQ(message.find("sla import"), std::string::npos) << message;
}

TEST_F(Feeds, WhatWasPipedInIsKnownAsThat) {
    support::CaptureBuilder capture;
    capture.tick(capture.channel("a"), 100);
    capture.write(temporary_.path);
    const int fd = open(temporary_.path.c_str(), O_RDONLY);
    ASSERT_GE(fd, 0);
    const auto source = open_source("/proc/self/fd/" + std::to_string(fd));
    const SourceStatus status = loaded(*source);
    close(fd);
    EXPECT_EQ(status.state, SourceState::kLoaded) << status.message;
    EXPECT_EQ(status.name, "standard input");
}

TEST_F(Feeds, WhatWasPipedInAndIsNoCaptureIsRefusedByThatName) {
    std::ofstream(temporary_.path) << "this is something else";
    const int fd = open(temporary_.path.c_str(), O_RDONLY);
    ASSERT_GE(fd, 0);
    const auto source = open_source("/proc/self/fd/" + std::to_string(fd));
    const SourceStatus status = loaded(*source);
    close(fd);
    EXPECT_EQ(status.state, SourceState::kLost);
    EXPECT_EQ(status.message.find("/proc"), std::string::npos) << status.message;
    EXPECT_NE(status.message.find("standard input"), std::string::npos) << status.message;
}

TEST(CatchingUp, IsTimeThatRunsFasterThanOnTheWall) {
    support::CaptureBuilder capture(1'000'000, 1e9);
    capture.tick(capture.channel("a"), 1'000'000);
    store::Session session;
    ingest::FrameApplier applier(session);
    for (const std::string& message : capture.frames(10)) applier.apply(std::string_view(message));
    const auto second = static_cast<std::uint64_t>(session.clock().ticks_per_second());
    CatchingUp catching;
    std::uint64_t reached = 1'000'000;
    double held_back = 0;
    double held = 0;  // of a second
    const auto go_on = [&](double rate, int frames) {
        for (int i = 0; i < frames; ++i) {
            reached += static_cast<std::uint64_t>(rate * static_cast<double>(second) / 50);
            session.set_watermark(reached);
            held_back += held / 50;
            catching.refresh(session, 0.02, held_back);
        }
        return catching.now();
    };
    EXPECT_FALSE(go_on(1, 60));
    EXPECT_TRUE(go_on(40, 60));
    EXPECT_FALSE(go_on(1, 60));
    EXPECT_FALSE(go_on(0, 60)) << "nothing comes";
    EXPECT_FALSE(go_on(1.3, 60)) << "live, in bursts";
    EXPECT_FALSE(catching.is_held_back());
    held = 0.9;
    EXPECT_TRUE(go_on(0.4, 60)) << "the queue is full most of the time";
    EXPECT_TRUE(catching.is_held_back());
    held = 0.1;
    EXPECT_FALSE(go_on(1, 60)) << "full for moments";
}

}  // namespace
}  // namespace sla::workspace
