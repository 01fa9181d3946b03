#include "proto/time/clock_variables.h"

#include "proto/base/environment.h"
#include "proto/time/duration.h"
#include "proto/time/picoseconds.h"

#include <array>
#include <cstdlib>

namespace sla::time {

std::int64_t vouched_error_ns() {
    const char* text = std::getenv("SLA_PTP_ERROR");
    if (text == nullptr) return 0;
    const auto ps = parse_duration(text);
    return ps && *ps > 0 ? (*ps + kPicosecondsPerNanosecond - 1) / kPicosecondsPerNanosecond : 0;
}

std::vector<std::string> clock_variable_problems() {
    std::vector<std::string> problems;
    std::array<char, 160> words{};
    if (sla_variable_problem("SLA_CLOCK", std::getenv("SLA_CLOCK"), words.data(), words.size()) != 0)
        problems.emplace_back(words.data());
    const char* const error = std::getenv("SLA_PTP_ERROR");
    if (error != nullptr && *error != '\0' && vouched_error_ns() == 0)
        problems.push_back("SLA_PTP_ERROR=" + std::string(error).substr(0, 40) +
                           " is ignored: it is no time above 0, as in 200ns");
    return problems;
}

}  // namespace sla::time
