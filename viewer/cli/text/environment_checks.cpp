#include "viewer/cli/text/environment_checks.h"

#include "proto/base/environment.h"
#include "proto/time/clock_variables.h"
#include "viewer/counters/marked_section.h"

#include <array>
#include <cstdlib>
#include <string>
#include <utility>

namespace sla::cli {
namespace {

Check ignored(std::string problem) {
    const std::string variable = problem.substr(0, problem.find('='));
    return {"environment", CheckState::kNotPresent, std::move(problem), "unset " + variable + ", or mend its value", false};
}

// As the marker library has it: two that a program can read of itself.
bool names_two_counters(const std::string& value) {
    return counters::marker_events_in("SLA_COUNTERS=" + value).ok();
}

}  // namespace

std::vector<Check> environment_checks() {
    std::vector<Check> checks;
    std::array<char, 160> words{};
    if (sla_variable_problem("SLA_RING_SLOTS", std::getenv("SLA_RING_SLOTS"), words.data(), words.size()) != 0)
        checks.push_back(ignored(words.data()));
    for (std::string& problem : time::clock_variable_problems()) checks.push_back(ignored(std::move(problem)));
    const char* const counters = std::getenv("SLA_COUNTERS");
    if (counters != nullptr && *counters != '\0' && !names_two_counters(counters))
        checks.push_back(
            ignored("SLA_COUNTERS=" + std::string(counters).substr(0, 40) + " names no two counters: SLA_COUNT reads none"));
    return checks;
}

}  // namespace sla::cli
