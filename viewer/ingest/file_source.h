// FileSource: a capture file poured into a Session, in steps, so that a window stays alive while a large file loads.
// Owner: the session's thread.
#pragma once

#include "proto/base/result.h"
#include "proto/capture/capture_reader.h"
#include "viewer/ingest/frame_applier.h"

#include <chrono>
#include <functional>
#include <string>

namespace sla::ingest {

class FileSource {
public:
    static Result<FileSource> open(const std::string& path);

    // Applies frames for about `budget`; true while there is more. At the end the file's damage is noted in the session, and
    // the session is ended, so that every row is final.
    bool step(FrameApplier& applier, std::chrono::milliseconds budget);

    // 0 to 1.
    [[nodiscard]] double progress() const;
    [[nodiscard]] const std::string& path() const { return path_; }

private:
    FileSource(std::string path, capture::CaptureReader reader) : path_(std::move(path)), reader_(std::move(reader)) {}

    void finish(store::Session& session);

    std::string path_;
    capture::CaptureReader reader_;
};

// All of it; `progress` (may be empty) is called now and then with 0..1.
Result<void> load_file(const std::string& path, store::Session& session, const std::function<void(double)>& progress = {});

}  // namespace sla::ingest
