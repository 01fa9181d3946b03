// What the environment says of clocks: SLA_CLOCK and SLA_PTP_ERROR.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace sla::time {

// The error that $SLA_PTP_ERROR vouches for, rounded up; 0: it is not set, or no time above 0.
std::int64_t vouched_error_ns();
// Of the variables that are set, those that mean nothing, each in words.
std::vector<std::string> clock_variable_problems();

}  // namespace sla::time
