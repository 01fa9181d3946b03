// Writes the stream into a capture file: one more reader of the retention, with a thread of its own.
//
// What it is too slow for becomes a gap in the file, as for any reader. When the disk refuses, the recorder stops and says
// so; the agent goes on.
#pragma once

#include "agent/retain/retention.h"
#include "proto/base/result.h"
#include "proto/capture/capture_writer.h"

#include <atomic>
#include <optional>
#include <string>
#include <thread>

namespace sla::stream {

class Recorder {
public:
    // Creates the file; nothing is written over before that worked.
    static Result<std::unique_ptr<Recorder>> start(const std::string& path, retain::Retention& retention);
    ~Recorder();

    // After Retention::finish: waits until the file is complete. What went wrong, if anything did.
    Result<void> join();

private:
    Recorder(std::string path, capture::CaptureWriter writer, retain::Retention& retention);
    void run();
    Result<bool> write_available();

    std::string path_;
    capture::CaptureWriter writer_;
    retain::Retention& retention_;
    retain::Cursor cursor_;
    std::optional<Error> error_;  // the thread's until joined
    std::atomic<bool> abandoned_{false};
    std::thread thread_;
};

}  // namespace sla::stream
