// A capture file of random events in many chunks.
#pragma once

#include "proto/capture/capture_writer.h"
#include "tests/unit/viewer/ingest/frames.h"
#include "tests/unit/viewer/store/random_lane.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <string>

namespace sla::ingest {

inline constexpr std::uint32_t kRandomChannels = 3;

inline std::string end_frame(std::uint64_t tick) {
    wire::Frame frame;
    frame.mutable_end()->set_tick(tick);
    frame.mutable_end()->set_reason("done");
    return frame.SerializeAsString();
}

// Receives every frame; and where a chunk may end.
struct RandomStream {
    std::function<void(const std::string&)> frame;
    std::function<void()> chunk = [] {};
};

// Three channels, the last one silent in most chunks. Without its end when not `finish`.
inline void make_random_stream(const RandomStream& to, std::uint64_t seed, int chunks, bool finish = true) {
    std::mt19937_64 random(seed);
    put_names(to.frame, kRandomChannels);
    std::uint64_t tick[kRandomChannels + 1] = {};
    std::uint64_t next[kRandomChannels + 1] = {};
    for (int chunk = 0; chunk < chunks; ++chunk) {
        for (std::uint32_t i = 1; i <= kRandomChannels; ++i) {
            if (i == kRandomChannels && random() % 4 != 0) continue;
            for (std::uint64_t batches = random() % 3 + 1; batches > 0; --batches) {
                wire::EventBatch batch = store::random_batch(random, 1 + random() % 300, tick[i]);
                batch.channel = ChannelId{i};
                batch.first_index = next[i];
                next[i] += batch.size();
                to.frame(batch_frame(batch));
            }
        }
        to.chunk();
    }
    if (finish) to.frame(end_frame(std::max({tick[1], tick[2], tick[3]})));
}

inline void write_random_capture(const std::string& path, std::uint64_t seed, int chunks, bool finish = true) {
    auto writer = capture::CaptureWriter::create(path);
    ASSERT_TRUE(writer.ok());
    make_random_stream({[&](const std::string& frame) { ASSERT_TRUE(writer->append(frame).ok()); },
                        [&] { ASSERT_TRUE(writer->flush().ok()); }},
                       seed, chunks, finish);
    if (!finish) return;
    ASSERT_TRUE(writer->finish().ok());
}

}  // namespace sla::ingest
