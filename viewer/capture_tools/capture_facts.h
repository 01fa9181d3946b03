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
    std::uint64_t uncounted = 0;  // losses of an unknown number
    std::uint64_t not_kept = 0;   // of the time before, no longer held by the agent
    std::uint64_t bytes = 0;
    std::vector<MarkedProgram> going_on;  // when the capture ended
    bool whole = false;                   // finished, with its index; sla verify looks at every byte

    [[nodiscard]] bool is_any_lost() const { return lost > 0 || uncounted > 0; }
    // As it stands before the word lost: "3 and an unknown number in 2 places".
    [[nodiscard]] std::string lost_text() const;
};

Result<CaptureFacts> facts_of(const std::string& path);

}  // namespace sla::capture_tools
