// The Linux host's rows on their way through the pipeline, from a watchpoint on this very process.
#include "agent/daemon/pipeline/linux_feed.h"

#include "agent/daemon/pipeline/pipeline.h"
#include "proto/time/tick_clock.h"
#include "proto/wire/batch_codec.h"
#include "proto/wire/capture.pb.h"
#include "proto/wire/frame_codec.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <map>

extern "C" {
volatile long sla_feed_test_watched = 0;
}

namespace sla::daemon {
namespace {

class LinuxFeedTest : public testing::Test {
protected:
    static linux::LinuxOptions watching(const std::string& symbol) {
        linux::LinuxOptions options;
        options.watches = {std::to_string(::getpid()) + ":" + symbol};
        return options;
    }
    // Everything that was reported, once the pipeline has finished: rows by channel, and the kinds of sources.
    void finish() {
        pipeline_.finish("test");
        std::vector<retain::Delivery> deliveries;
        retain::Cursor from_the_start;
        retention_.read(from_the_start, std::size_t{1} << 30, deliveries);
        for (const retain::Delivery& delivery : deliveries) {
            wire::Frame frame;
            ASSERT_TRUE(frame.ParseFromString(delivery.frame->substr(wire::kFrameHeaderBytes)));
            if (frame.has_source()) sources_[frame.source().kind()]++;
            if (frame.has_channel()) names_[frame.channel().id()] = frame.channel().name();
            if (!frame.has_batch()) continue;
            wire::EventBatch batch;
            ASSERT_TRUE(wire::decode_batch(frame.batch(), batch));
            rows_[names_[frame.batch().channel()]] += batch.size();
            newest_ = std::max(newest_, batch.ticks.back());
        }
    }

    retain::Retention retention_{{}};
    Pipeline pipeline_{retention_};
    std::map<int, std::size_t> sources_;
    std::map<std::uint32_t, std::string> names_;
    std::map<std::string, std::size_t> rows_;
    std::uint64_t newest_ = 0;
};

TEST_F(LinuxFeedTest, RowsBecomeEventsOfTheHostsChannels) {
    auto feed = LinuxFeed::start(watching("sla_feed_test_watched"), nullptr, pipeline_.channels(), pipeline_.notices());
    if (!feed) GTEST_SKIP() << "skipped, because " << feed.error().message;
    pipeline_.set_source(std::move(*feed));
    const std::uint64_t before = time::read_stamp();
    for (long i = 1; i <= 20; i++) sla_feed_test_watched = i;
    for (int i = 0; i < 10'000 && pipeline_.recorded() < 20; i++) {
        pipeline_.step();
        ::usleep(1000);
    }
    EXPECT_EQ(pipeline_.recorded(), 20u);
    EXPECT_EQ(pipeline_.lost(), 0u);
    finish();
    EXPECT_EQ(sources_[wire::SOURCE_HOST], 1u);
    EXPECT_EQ(rows_["linux.watch.sla_feed_test_watched"], 20u);
    EXPECT_GE(newest_ + 100'000, before) << "stamps are on the pipeline's clock";
    EXPECT_LE(newest_, time::read_stamp());
}

TEST_F(LinuxFeedTest, WhatCannotBeHadIsAnErrorThatSaysWhat) {
    auto missing = LinuxFeed::start(watching("no_such_variable"), nullptr, pipeline_.channels(), pipeline_.notices());
    ASSERT_FALSE(missing);
    EXPECT_NE(missing.error().message.find("no_such_variable"), std::string::npos) << missing.error().message;
}

}  // namespace
}  // namespace sla::daemon
