// The lists of a configuration: rules for channels and triggers, each as a text of the command line or as an object.
#pragma once

#include "agent/daemon/options/json_reader.h"
#include "agent/daemon/options/options.h"
#include "proto/base/result.h"

namespace sla::daemon {

// Of a pattern, each setting once.
Result<void> read_channel_list(const JsonReader& list, Options& options);
// Of a name, one.
Result<void> read_trigger_list(const JsonReader& list, Options& options);

}  // namespace sla::daemon
