// Writes the stream into a capture file, or a series of them: one more reader of the retention, with a thread of its own.
//
// What it is too slow for becomes a gap in the file, as for any reader. When the disk refuses, the recorder stops and says
// so, once; what was written stays readable, the agent goes on. A file that is removed or moved away while it is written is
// begun anew, with all that the agent still holds (of a series: with what comes); where another stands under its name by
// then, the recorder stops.
#pragma once

#include "agent/retain/retention.h"
#include "proto/base/file_identity.h"
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
        std::function<void(const std::string& what)> say;  // for people; called by the recorder's thread
    };
    // Creates the file; nothing is written over before that worked. A recording that stands there and was never finished is kept
    // as NAME.unfinished-1.sla.
    static Result<std::unique_ptr<Recorder>> start(Options options, retain::Retention& retention);
    ~Recorder();

    // After Retention::finish: waits until the file is complete. What went wrong, if anything did.
    Result<void> join();
    // Not when something went wrong. Any thread.
    [[nodiscard]] bool is_writing() const { return !has_failed_.load(std::memory_order_relaxed); }
    // After join(): a file was gone while it was written.
    [[nodiscard]] bool was_begun_anew() const { return was_begun_anew_; }

private:
    Recorder(Options options, capture::CaptureSeries series, retain::Retention& retention);
    void run();
    Result<bool> write_available();
    Result<bool> stay_in_place();
    Result<void> begin_anew();
    void read_from_the_start();
    void note_file();
    void fail(Error error);

    Options options_;
    capture::CaptureSeries series_;
    retain::Retention& retention_;
    std::optional<retain::Cursor> cursor_;
    FileIdentity written_;         // of the series' file
    std::string written_as_;       // its name
    bool was_begun_anew_ = false;  // the thread's until joined, as the next
    std::optional<Error> error_;
    std::atomic<bool> abandoned_{false};
    std::atomic<bool> has_failed_{false};
    std::thread thread_;
};

}  // namespace sla::stream
