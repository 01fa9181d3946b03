#include "viewer/store/host_texts.h"

#include "proto/time/duration.h"

#include <algorithm>

namespace sla::store {
namespace {

std::string quoted(const std::string& host) {
    return host.empty() ? "the host" : "'" + host + "'";
}

}  // namespace

std::string placing_text(const Host& host) {
    std::string text = quoted(host.name) + " was placed by " + host.placed_by;
    if (host.errors.steps.empty()) return text + ": how well is not known";
    const auto by_error = [](const auto& a, const auto& b) { return a.error_ps < b.error_ps; };
    const auto [least, most] = std::minmax_element(host.errors.steps.begin(), host.errors.steps.end(), by_error);
    text += ", within \u00b1 " + time::format_duration(least->error_ps);
    if (most->error_ps / 10 * 9 > least->error_ps) text += " to " + time::format_duration(most->error_ps);
    if (!host.errors.is_bounded) text += ", and however well the two wall clocks agree";
    return text;
}

std::string clock_problem(const Session& session, const Host* host) {
    const std::string problem = host == nullptr ? session.wall().problem() : time::problem_of(host->wall);
    if (problem.empty()) return "";
    return quoted(host == nullptr ? session.origin().host : host->name) + ": " + problem;
}

std::vector<std::string> clock_remarks(const Session& session) {
    std::vector<std::string> lines;
    for (const auto& [id, host] : session.hosts()) lines.push_back(placing_text(host));
    if (std::string problem = clock_problem(session, nullptr); !problem.empty()) lines.push_back(std::move(problem));
    for (const auto& [id, host] : session.hosts()) {
        if (std::string problem = clock_problem(session, &host); !problem.empty()) lines.push_back(std::move(problem));
    }
    return lines;
}

}  // namespace sla::store
