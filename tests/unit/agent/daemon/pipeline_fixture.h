// A pipeline stepped by hand, and what a reader of its retention gets: no threads, no sockets.
#pragma once

#include "agent/daemon/pipeline/pipeline.h"

#include "proto/time/tick_clock.h"
#include "proto/wire/batch_codec.h"
#include "proto/wire/capture.pb.h"
#include "proto/wire/frame_codec.h"
#include "tests/support/test_segment.h"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

namespace sla::daemon {

// Everything that a reader of the retention got.
struct Received {
    std::map<std::uint32_t, std::string> channels;
    std::map<std::uint32_t, bool> sources_ended;
    std::vector<std::string> sources;  // their names, as they were announced
    std::map<std::string, std::vector<std::uint64_t>> values;
    std::map<std::string, std::vector<std::uint64_t>> ticks;
    std::vector<std::string> texts;
    std::vector<std::string> notices;
    std::uint64_t lost = 0;
    std::uint64_t watermark = 0;
    bool hello_first = false;
    bool ended = false;
};

class PipelineTest : public testing::Test {
protected:
    void take(const wire::Frame& frame) {
        if (frame.has_hello()) received_.hello_first = frames_ == 0;
        if (frame.has_source()) received_.sources_ended[frame.source().id()] = frame.source().ended();
        if (frame.has_source()) received_.sources.push_back(frame.source().name());
        if (frame.has_channel()) received_.channels[frame.channel().id()] = frame.channel().name();
        if (frame.has_watermark()) received_.watermark = frame.watermark().tick();
        if (frame.has_end()) received_.ended = true;
        if (frame.has_notice()) received_.notices.push_back(frame.notice().text());
        frames_++;
        if (!frame.has_batch()) return;
        wire::EventBatch batch;
        ASSERT_TRUE(wire::decode_batch(frame.batch(), batch).ok());
        const std::string& name = received_.channels.at(batch.channel.value);
        for (std::size_t i = 0; i < batch.size(); i++) {
            if (batch.codes[i] == SLA_CODE_GAP) {
                received_.lost += batch.values[i];
                continue;
            }
            EXPECT_TRUE(received_.ticks[name].empty() || received_.ticks[name].back() <= batch.ticks[i]);
            received_.ticks[name].push_back(batch.ticks[i]);
            received_.values[name].push_back(batch.values[i]);
        }
        for (std::size_t i = 0; i < batch.texts.size(); i++) received_.texts.emplace_back(batch.texts[i]);
    }
    void read() { read_of(retention_, cursor_); }
    void read_of(retain::Retention& retention, retain::Cursor& cursor) {
        std::vector<retain::Delivery> deliveries;
        retention.read(cursor, std::size_t{1} << 30, deliveries);
        for (const retain::Delivery& delivery : deliveries) {
            wire::Frame frame;
            ASSERT_TRUE(frame.ParseFromString(delivery.frame->substr(wire::kFrameHeaderBytes)));
            take(frame);
        }
    }
    // Steps until the watermark that readers get has passed this moment.
    void catch_up() {
        std::uint64_t now = time::read_tsc();
        while (received_.watermark < now) {
            pipeline_.step();
            read();
        }
    }

    retain::Retention retention_{{}};
    Pipeline pipeline_{retention_};
    retain::Cursor cursor_;
    Received received_;
    std::size_t frames_ = 0;
};

}  // namespace sla::daemon
