// What a reader could not read of a capture file.
#pragma once

#include <cstdint>
#include <string>

namespace sla::capture {

struct Damage {
    std::uint64_t offset = 0;  // in the file
    std::uint64_t bytes = 0;   // skipped; 0 when something is missing between two chunks
    std::string what;          // "the checksum of a chunk is wrong", "cut off in the middle of a chunk", ...
};

}  // namespace sla::capture
