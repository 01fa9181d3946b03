// The same random events as in random_capture.h, as a series of files: rec-0001.sla, rec-0002.sla ...
#pragma once

#include "proto/capture/pieces/capture_series.h"
#include "tests/unit/viewer/ingest/random_capture.h"

#include <chrono>
#include <string>

namespace sla::ingest {

inline capture::FrameFacts facts_of(const std::string& bytes) {
    wire::Frame frame;
    if (!frame.ParseFromString(bytes) || !frame.has_batch()) return {};
    const wire::Batch& batch = frame.batch();
    return {batch.channel(), batch.first_tick(), batch.last_tick(), batch.count(), batch.first_index()};
}

// A new file after every so many chunks.
inline void write_random_series(const std::string& name, std::uint64_t seed, int chunks, int chunks_in_file) {
    std::chrono::steady_clock::time_point now{};
    capture::SeriesLimits limits;
    limits.file_time = std::chrono::seconds(10);
    auto series = capture::CaptureSeries::create(name, limits, [&now] { return now; });
    ASSERT_TRUE(series.ok());
    int written = 0;
    make_random_stream({[&](const std::string& frame) { ASSERT_TRUE(series->append(frame, facts_of(frame)).ok()); },
                        [&] {
                            if (++written % chunks_in_file == 0) now += std::chrono::seconds(11);
                            ASSERT_TRUE(series->flush().ok());
                        }},
                       seed, chunks);
    ASSERT_TRUE(series->finish().ok());
}

}  // namespace sla::ingest
