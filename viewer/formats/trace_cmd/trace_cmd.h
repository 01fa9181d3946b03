// The text that `trace-cmd report` prints.
#pragma once

#include "viewer/formats/capture_sink.h"
#include "viewer/formats/conversion.h"

namespace sla::formats {

// Everything into the sink, but does not finish it.
Result<void> import_trace_cmd(std::istream& in, CaptureSink& sink, Notes& notes, const Progress& progress = {});

}  // namespace sla::formats
