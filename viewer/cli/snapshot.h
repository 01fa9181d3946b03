// What an agent holds, into a file.
#pragma once

#include "proto/base/result.h"
#include "viewer/ingest/stream_client.h"

#include <string>

namespace sla::cli {

// The file appears when it is whole; with a progress bar. An interrupt leaves nothing behind.
Result<void> save_history(const ingest::StreamOptions& stream, const std::string& file);

}  // namespace sla::cli
