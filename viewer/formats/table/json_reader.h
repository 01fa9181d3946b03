// Tables as JSON, an object an event: ours, and any whose objects have a time and a channel.
#pragma once

#include "viewer/formats/capture_sink.h"
#include "viewer/formats/conversion.h"

#include <istream>
#include <string_view>

namespace sla::formats {

// Everything into the sink, but does not finish it.
Result<void> import_json(std::istream& in, CaptureSink& sink, Notes& notes, const Progress& progress = {});

// By its first object; those of trace events (chrome) are none.
bool is_json_table(std::string_view text);

}  // namespace sla::formats
