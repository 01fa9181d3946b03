// What a capture file holds in sum, without keeping its events.
#pragma once

#include "proto/base/result.h"

#include <cstdint>
#include <string>

namespace sla::cli {

struct CaptureFacts {
    std::uint64_t channels = 0;
    std::uint64_t events = 0;  // without gap rows
    std::uint64_t lost = 0;
    std::uint64_t bytes = 0;
    bool whole = false;  // finished and undamaged
};

Result<CaptureFacts> facts_of(const std::string& path);

}  // namespace sla::cli
