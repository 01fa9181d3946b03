// StreamToFile: frames on their way from an agent's stream into a capture. One owner, one thread.
#pragma once

#include "proto/base/result.h"
#include "proto/capture/pieces/capture_series.h"

#include <cstdint>
#include <string>

namespace sla::capture_tools {

class StreamToFile {
public:
    explicit StreamToFile(capture::CaptureSeries series) : series_(std::move(series)) {}

    // One serialized frame.
    Result<void> take(const std::string& message);
    Result<void> flush() { return series_.flush(); }
    // Says in the capture what went wrong: it is not whole.
    Result<void> note_damage(const std::string& text);
    // Ends the capture: on purpose, with this reason, when the stream itself has not ended; "": it was cut off.
    Result<void> end(const std::string& reason);

    [[nodiscard]] const std::string& file() const { return series_.file(); }  // being written
    [[nodiscard]] std::uint64_t rows() const { return rows_; }
    [[nodiscard]] std::uint64_t last_tick() const { return last_tick_; }  // of the newest batch

private:
    capture::CaptureSeries series_;
    std::uint64_t rows_ = 0;
    std::uint64_t last_tick_ = 0;
    std::uint64_t watermark_ = 0;
    bool ended_ = false;
};

}  // namespace sla::capture_tools
