// Our own capture file, written from what a session holds: what an agent sent becomes a file, and a part of it a smaller
// one.
#pragma once

#include "viewer/formats/conversion.h"

#include <string>

namespace sla::formats {

// Writes and finishes; written atomically. Ordinals begin anew in each channel.
Result<ExportReport> write_sla(const store::Session& session, const analysis::Selection& selection, const std::string& path,
                               const Progress& progress = {});

}  // namespace sla::formats
