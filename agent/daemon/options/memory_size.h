// The memory for history as people type it: so much that something is kept.
#pragma once

#include "agent/retain/retention.h"
#include "proto/base/result.h"
#include "proto/base/size.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace sla::daemon {

// What is wrong with so much, which was said as `said`; empty: nothing.
inline std::string memory_problem(std::uint64_t bytes, const std::string& said) {
    constexpr std::uint64_t kLeastKiB = retain::Limits::kLeastTotalBytes >> 10;
    if (bytes >= retain::Limits::kLeastTotalBytes) return "";
    return "'" + said + "' keeps nothing: at least " + std::to_string(kLeastKiB) + "KiB";
}

inline Result<std::uint64_t> parse_memory(std::string_view text) {
    Result<std::uint64_t> bytes = parse_size(text);
    if (!bytes) return bytes;
    const std::string problem = memory_problem(*bytes, std::string(text));
    return problem.empty() ? bytes : invalid_input(problem);
}

}  // namespace sla::daemon
