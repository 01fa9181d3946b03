// What an agent holds, into a file.
#pragma once

#include "proto/base/result.h"
#include "viewer/ingest/stream_client.h"

#include <functional>
#include <string>

namespace sla::capture_tools {

// Receives 0..1 several times a second (below 0: not known); false stops.
using GoesOn = std::function<bool(double)>;

// The file is written atomically; stopped, nothing is left behind.
Result<void> save_history(const ingest::StreamOptions& stream, const std::string& file, const GoesOn& goes_on);

}  // namespace sla::capture_tools
