// Trace event JSON: chrome://tracing, Perfetto, speedscope.
#pragma once

#include "viewer/formats/capture_sink.h"
#include "viewer/formats/conversion.h"
#include "viewer/formats/output.h"

namespace sla::formats {

// Writes and finishes.
Result<ExportReport> write_chrome(const store::Session& session, const analysis::Selection& selection, Output& output,
                                  const Progress& progress = {});
// Everything into the sink, but does not finish it.
Result<void> import_chrome(std::istream& in, CaptureSink& sink, Notes& notes, const Progress& progress = {});

}  // namespace sla::formats
