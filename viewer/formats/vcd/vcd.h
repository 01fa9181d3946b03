// Value change dumps, written in picoseconds: GTKWave, Surfer, PulseView.
#pragma once

#include "viewer/formats/capture_sink.h"
#include "viewer/formats/conversion.h"
#include "viewer/formats/output.h"

namespace sla::formats {

// Writes and finishes.
Result<ExportReport> write_vcd(const store::Session& session, const analysis::Selection& selection, Output& output,
                               const Progress& progress = {});
// Everything into the sink, but does not finish it.
Result<void> import_vcd(std::istream& in, CaptureSink& sink, Notes& notes, const Progress& progress = {});

}  // namespace sla::formats
