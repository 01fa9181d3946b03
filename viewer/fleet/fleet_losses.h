// What a fleet's streams have lost of its captures, without a look at rows.
#pragma once

#include "proto/base/result.h"
#include "proto/fleet/connection.h"
#include "proto/fleet/registry.h"
#include "viewer/fleet/fleet_catalog.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace sla::fleet {

struct CaptureLosses {
    RunEntry run;
    Missing missing;
};

// Of those of the runs of which something is lost; `runs` are of the registry, of before. Reads the index of each before whose
// end something was deleted, some at a time: a moment for a thousand chunks. `goes_on` stops it.
Result<std::vector<CaptureLosses>> losses_of(const std::shared_ptr<const Connection>& connection, const std::string& fleet,
                                             const std::vector<RunEntry>& runs, const std::function<bool()>& goes_on);

// No rows of the run are in its stream: not yet, or not any more.
Result<bool> is_nothing_there(const std::shared_ptr<const Connection>& connection, const std::string& fleet,
                              const RunEntry& run);

// "'web-1', capture C: 12 events that were published are not in the stream any more"
std::string in_words(const CaptureLosses& losses);

}  // namespace sla::fleet
