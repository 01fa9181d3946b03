// Writes the stream into a capture file, or a series of them: one more reader of the retention, with a thread of its own.
//
// What it is too slow for becomes a gap in the file, as for any reader. When the disk refuses, the recorder stops and says
// so, once; what was written stays readable, the agent goes on.
#pragma once

#include "agent/retain/retention.h"
#include "proto/base/result.h"
#include "proto/capture/pieces/capture_series.h"

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <thread>

namespace sla::stream {

class Recorder {
public:
    struct Options {
        std::string path;
        capture::SeriesLimits limits;
        std::function<void(const std::string& why)> on_failure;  // called by the recorder's thread, at most once
    };
    // Creates the file; nothing is written over before that worked.
    static Result<std::unique_ptr<Recorder>> start(Options options, retain::Retention& retention);
    ~Recorder();

    // After Retention::finish: waits until the file is complete. What went wrong, if anything did.
    Result<void> join();
    // Not when something went wrong. Any thread.
    [[nodiscard]] bool is_writing() const { return !has_failed_.load(std::memory_order_relaxed); }

private:
    Recorder(Options options, capture::CaptureSeries series, retain::Retention& retention);
    void run();
    Result<bool> write_available();

    void fail(Error error);

    Options options_;
    capture::CaptureSeries series_;
    retain::Retention& retention_;
    retain::Cursor cursor_;
    std::optional<Error> error_;  // the thread's until joined
    std::atomic<bool> abandoned_{false};
    std::atomic<bool> has_failed_{false};
    std::thread thread_;
};

}  // namespace sla::stream
