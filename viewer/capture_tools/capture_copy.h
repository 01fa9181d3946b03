// All frames of a capture, wherever it is kept, into a file.
#pragma once

#include "proto/base/result.h"
#include "proto/capture/capture_store.h"
#include "viewer/capture_tools/saved_history.h"

#include <string>
#include <vector>

namespace sla::capture_tools {

// The file is written atomically; stopped, nothing is left behind. The result: the damage met, for people; it stands in the
// copy too.
Result<std::vector<std::string>> copy_capture(const capture::CaptureStore& store, const std::string& file,
                                              const GoesOn& goes_on);

}  // namespace sla::capture_tools
