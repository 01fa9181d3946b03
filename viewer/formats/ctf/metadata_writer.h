// The `metadata` file of a CTF trace (Trace Stream Description Language), made up of one stream class a lane.
#pragma once

#include "viewer/analysis/selection.h"
#include "viewer/store/session.h"

#include <array>
#include <string>

namespace sla::formats {

// Trace, environment, clock and the names of threads.
std::string ctf_preamble(const store::Session& session, const analysis::Selection& selection);
// The stream class of one lane, with the event ids it uses.
std::string ctf_stream_class(const store::Lane& lane, const std::array<bool, 32>& ids);

}  // namespace sla::formats
