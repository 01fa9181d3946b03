// What a capture file holds in sum, from its index: a moment, however large it is.
#pragma once

#include "proto/base/result.h"

#include <cstdint>
#include <string>
#include <vector>

namespace sla::capture_tools {

struct MarkedProgram {
    std::string name;
    std::uint32_t pid = 0;
};

struct CaptureFacts {
    std::vector<std::string> channels;  // their names
    std::uint64_t events = 0;           // without gap rows
    std::uint64_t lost = 0;
    std::uint64_t not_kept = 0;  // of the time before, no longer held by the agent
    std::uint64_t bytes = 0;
    std::vector<MarkedProgram> going_on;  // when the capture ended
    bool whole = false;                   // finished, with its index; sla verify looks at every byte
};

Result<CaptureFacts> facts_of(const std::string& path);

}  // namespace sla::capture_tools
