// Sigrok sessions: PulseView, sigrok-cli. Read are their logic channels.
#pragma once

#include "viewer/formats/capture_sink.h"
#include "viewer/formats/conversion.h"
#include "viewer/formats/output.h"

namespace sla::formats {

// As many as a capture may have that is imported: a session of more is neither read nor written.
inline constexpr std::size_t kMaxSrChannels = 65536;

// Writes and finishes.
// `sample_rate_hz` 0: the highest of 1, 2, 5 times a power of ten, to 1 GHz, that stays small.
Result<ExportReport> write_sr(const store::Session& session, const analysis::Selection& selection, double sample_rate_hz,
                              Output& output, const Progress& progress = {});
// Everything into the sink, but does not finish it.
// `bytes` is the whole archive when it is not empty, else `path` names it.
Result<void> import_sr(const std::string& path, std::string_view bytes, CaptureSink& sink, Notes& notes,
                       const Progress& progress = {});

}  // namespace sla::formats
