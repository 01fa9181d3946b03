// The options of `sla set` and `sla fleet set`: switches, filters and limits, as they are typed and as an agent is asked for
// them.
#pragma once

#include "proto/base/result.h"
#include "proto/common/command_line.h"
#include "proto/wire/control.pb.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sla::cli {

struct SetOptions {
    std::vector<std::string> channels;
    bool on = false;
    bool off = false;
    std::string keep;
    std::string bytes;
    std::string memory;
    std::string policy;
    std::optional<std::uint64_t> every;
    std::string filter;

    void describe(common::Command& command);
    [[nodiscard]] Result<wire::Request> request() const;
};

}  // namespace sla::cli
