// Publishing to a fleet, as it is typed or written in the configuration.
#pragma once

#include "agent/publish/publisher.h"
#include "proto/base/result.h"
#include "proto/common/command_line.h"

#include <string>
#include <utility>
#include <vector>

namespace sla::daemon {

// Each empty: not said.
struct PublishOptions {
    std::string servers;
    std::string fleet;
    std::string host;
    std::string spool;
    std::string spool_folder;
    std::string report_every;
    std::string control;
    fleet::Credentials credentials;

    // The keys of the configuration, and where their texts go.
    std::vector<std::pair<const char*, std::string*>> keys();
};

void describe_publishing(common::Command& app, PublishOptions& typed);
inline constexpr const char* kTyped = "--";
// What is typed wins over what is there. Errors begin with `before` and the key: "agent.json: spool_dir: ..."; of what is typed
// (kTyped) with the option.
Result<void> take_publishing(const PublishOptions& typed, publish::Options& options, const std::string& before);

}  // namespace sla::daemon
