// Perfetto's protobuf.
#pragma once

#include "viewer/formats/conversion.h"
#include "viewer/formats/output.h"

namespace sla::formats {

// Writes and finishes.
Result<ExportReport> write_perfetto(const store::Session& session, const analysis::Selection& selection, Output& output,
                                    const Progress& progress = {});

}  // namespace sla::formats
