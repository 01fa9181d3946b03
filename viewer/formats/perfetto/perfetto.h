// Perfetto's protobuf traces.
#pragma once

#include "viewer/formats/capture_sink.h"
#include "viewer/formats/conversion.h"
#include "viewer/formats/output.h"

#include <istream>
#include <string_view>

namespace sla::formats {

// Writes and finishes.
Result<ExportReport> write_perfetto(const store::Session& session, const analysis::Selection& selection, Output& output,
                                    const Progress& progress = {});
// Everything into the sink, but does not finish it.
Result<void> import_perfetto(std::istream& in, CaptureSink& sink, Notes& notes, const Progress& progress = {});

// Whether a file that begins so is such a trace: its first packet can be read, as a whole.
bool is_perfetto(std::string_view head);

}  // namespace sla::formats
