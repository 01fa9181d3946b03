// What a file's metadata says of its clock, and its groups of their ticks. Private to the format.
#pragma once

#include "viewer/formats/capture_sink.h"
#include "viewer/formats/parquet/metadata.h"

#include <cstdint>
#include <optional>

namespace sla::formats::parquet {

Result<SinkClock> clock_of(const FileInfo& info);

// A group's ticks by its statistics, which other writers may have left out.
struct TickBounds {
    std::uint64_t first = 0;
    std::uint64_t last = 0;
};
Result<std::optional<TickBounds>> tick_bounds(const FileInfo& info, const GroupInfo& group);

}  // namespace sla::formats::parquet
