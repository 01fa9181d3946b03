// Reads a capture file, whole or damaged, finished or cut off anywhere: everything before the damage comes out, and the
// damage is told.
#pragma once

#include "proto/base/result.h"
#include "proto/capture/damage.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sla::capture {

// One owner, one thread. Trusts no byte of the file; memory is bounded by one chunk.
class CaptureReader {
public:
    // An error names the path and says whether it is missing, empty, no capture, or of a newer version. The file is read as
    // long as it is now, even if it grows.
    static Result<CaptureReader> open(const std::string& path);

    CaptureReader(CaptureReader&&) noexcept;
    CaptureReader& operator=(CaptureReader&&) noexcept;
    ~CaptureReader();

    // The next serialized wire::Frame (valid until the next call), or nothing at the end of the file.
    std::optional<std::string_view> next();

    // What was skipped so far.
    [[nodiscard]] const std::vector<Damage>& damage() const;
    // False when the file ends without its closing mark: the recorder did not finish.
    [[nodiscard]] bool finished() const;
    [[nodiscard]] std::uint64_t file_bytes() const;
    [[nodiscard]] std::uint64_t position() const;

private:
    struct State;
    explicit CaptureReader(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
};

}  // namespace sla::capture
