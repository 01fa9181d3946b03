#include "viewer/store/host_texts.h"

#include "proto/time/duration.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>

namespace sla::store {
namespace {

std::string quoted(const std::string& host) {
    return host.empty() ? "the host" : "'" + host + "'";
}

// A large fleet would have a line for each host, twice.
constexpr std::size_t kShownHosts = 20;

// In picoseconds; what nothing bounds is worst.
std::int64_t worst_error(const Host& host) {
    constexpr std::int64_t kUnknown = std::numeric_limits<std::int64_t>::max();
    std::int64_t worst = host.errors.steps.empty() || !host.errors.is_bounded ? kUnknown : 0;
    for (const auto& step : host.errors.steps) worst = std::max<std::int64_t>(worst, step.error_ps);
    return worst;
}

std::string more_hosts(std::size_t all, const char* what) {
    return "and " + std::to_string(all - kShownHosts) + " more hosts " + what;
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
    std::vector<const Host*> placed;
    std::vector<std::string> problems;
    if (std::string problem = clock_problem(session, nullptr); !problem.empty()) problems.push_back(std::move(problem));
    for (const auto& [id, host] : session.hosts()) {
        placed.push_back(&host);
        if (std::string problem = clock_problem(session, &host); !problem.empty()) problems.push_back(std::move(problem));
    }
    const bool are_many = placed.size() > kShownHosts;
    if (are_many) {
        std::stable_sort(placed.begin(), placed.end(),
                         [](const Host* a, const Host* b) { return worst_error(*a) > worst_error(*b); });
    }
    std::vector<std::string> lines;
    for (std::size_t i = 0; i < std::min(placed.size(), kShownHosts); ++i) lines.push_back(placing_text(*placed[i]));
    if (are_many) lines.push_back(more_hosts(placed.size(), "were placed as well as the last of these or better"));
    for (std::size_t i = 0; i < std::min(problems.size(), kShownHosts); ++i) lines.push_back(problems[i]);
    if (problems.size() > kShownHosts) lines.push_back(more_hosts(problems.size(), "have a wall clock like these"));
    return lines;
}

const char* source_kind_name(SourceKind kind) {
    switch (kind) {
        case SourceKind::kProgram: return "program";
        case SourceKind::kPc: return "pc";
        case SourceKind::kHost: return "host";
        case SourceKind::kAgent: return "agent";
        case SourceKind::kUnknown: break;
    }
    return "unknown";
}

void SharedNames::add(const Source& source) {
    if (source.pid == 0) return;
    const auto [at, is_first] = first_.try_emplace({source.host, source.name}, source.pid);
    if (at->second != source.pid) shared_.insert(at->first);
}

bool SharedNames::has(const Source& source) const {
    return source.pid != 0 && shared_.contains({source.host, source.name});
}

}  // namespace sla::store
