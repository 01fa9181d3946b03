// Common Trace Format 1.8, a directory with raw TSC stamps: babeltrace2, Trace Compass. Read is what `sla export` writes.
#pragma once

#include "viewer/formats/capture_sink.h"
#include "viewer/formats/conversion.h"
#include "viewer/formats/output.h"

namespace sla::formats {

// Writes and finishes.
// Into files below an existing, empty directory.
Result<ExportReport> write_ctf(const store::Session& session, const analysis::Selection& selection,
                               const std::string& directory, const Progress& progress = {});
// Everything into the sink, but does not finish it.
Result<void> import_ctf(const std::string& directory, CaptureSink& sink, Notes& notes, const Progress& progress = {});

}  // namespace sla::formats
