// The `metadata` file of a CTF trace (Trace Stream Description Language), made up of one stream class a lane.
#pragma once

#include "viewer/analysis/selection.h"
#include "viewer/formats/ctf/ctf_stream.h"
#include "viewer/store/session.h"

#include <cstdint>
#include <map>
#include <string>

namespace sla::formats {

// Bytes of the stream files by channel: a file that was cut off where a packet ends looks whole.
using StreamSizes = std::map<std::uint32_t, std::uint64_t>;

// Trace, environment, clock and the names of threads.
std::string ctf_preamble(const store::Session& session, const analysis::Selection& selection, const StreamSizes& sizes);
// The stream class of one lane, with the event ids it uses.
std::string ctf_stream_class(const store::Lane& lane, const CtfIds& ids);

}  // namespace sla::formats
