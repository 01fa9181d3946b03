// Reads a capture in order, whole or damaged, finished or cut off anywhere: everything before the damage comes out, and
// the damage is reported.
#pragma once

#include "proto/base/result.h"
#include "proto/capture/damage.h"
#include "proto/capture/frame_source.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sla::capture {

// One owner, one thread. Trusts no byte of a file; memory is bounded by one chunk.
class CaptureReader {
public:
    // A file, or what else a name stands for (capture_pieces.h). An error names the path and says whether it is missing,
    // empty, no capture, or of a newer version. A file is read as long as it is now, even if it grows.
    static Result<CaptureReader> open(const std::string& name);
    explicit CaptureReader(std::unique_ptr<FrameSource> frames) : frames_(std::move(frames)) {}

    // The next serialized wire::Frame (valid until the next call), or nothing at the end of the capture.
    std::optional<std::string_view> next() { return frames_->next(); }

    // What was skipped so far.
    [[nodiscard]] const std::vector<Damage>& damage() const { return frames_->damage(); }
    // False when the file ends without its closing mark: the recorder did not finish.
    [[nodiscard]] bool finished() const { return frames_->finished(); }
    [[nodiscard]] std::uint64_t file_bytes() const { return frames_->bytes(); }
    [[nodiscard]] std::uint64_t position() const { return frames_->position(); }

private:
    std::unique_ptr<FrameSource> frames_;
};

}  // namespace sla::capture
