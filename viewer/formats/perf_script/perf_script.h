// The text that `perf script` prints.
#pragma once

#include "viewer/formats/capture_sink.h"
#include "viewer/formats/conversion.h"

#include <istream>
#include <string_view>

namespace sla::formats {

// Everything into the sink, but does not finish it.
Result<void> import_perf_script(std::istream& in, CaptureSink& sink, Notes& notes, const Progress& progress = {});

// Whether a line is an event as `perf script` prints it.
bool is_perf_script(std::string_view line);

}  // namespace sla::formats
