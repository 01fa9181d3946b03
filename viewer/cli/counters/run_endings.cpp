#include "viewer/cli/counters/run_endings.h"

#include <fmt/format.h>

#include <algorithm>

namespace sla::cli {

void RunEndings::add(const process::Ending& ending, const std::string& last_words) {
    ++runs_;
    if (ending.code == 0) return;
    if (failed_.empty()) said_ = last_words;
    auto same =
        std::find_if(failed_.begin(), failed_.end(), [&](const Failed& one) { return one.ending.text() == ending.text(); });
    if (same == failed_.end()) same = failed_.insert(failed_.end(), Failed{ending, {}});
    same->runs.push_back(runs_);
}

// "run 2", "runs 2 to 5, 7 and 9", "runs 1, 3, 5, 7 and 14 more".
std::string RunEndings::runs_text(const std::vector<std::uint64_t>& runs) const {
    constexpr std::size_t kMostParts = 4;
    std::vector<std::string> parts;
    std::size_t at = 0;
    while (at < runs.size() && parts.size() < kMostParts) {
        std::size_t last = at;
        while (last + 1 < runs.size() && runs[last + 1] == runs[last] + 1) ++last;
        if (last == at + 1) last = at;  // two are two, no stretch
        parts.push_back(last == at ? std::to_string(runs[at]) : fmt::format("{} to {}", runs[at], runs[last]));
        at = last + 1;
    }
    if (at < runs.size()) parts.push_back(fmt::format("{} more", runs.size() - at));
    std::string list;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        if (i > 0) list += i + 1 == parts.size() ? " and " : ", ";
        list += parts[i];
    }
    return (runs.size() == 1 ? "run " : "runs ") + list;
}

std::string RunEndings::text(const std::string& program) const {
    if (failed_.empty()) return {};
    std::string out = program;
    for (const Failed& one : failed_) {
        out += (&one == &failed_.front() ? " " : ", ") + one.ending.text();
        if (runs_ == 1) continue;
        out += one.runs.size() == runs_ ? fmt::format(" in all {} runs", runs_) : " in " + runs_text(one.runs);
    }
    if (runs_ > 1 && failed_.front().runs.size() != runs_) out += fmt::format(", of {} runs", runs_);
    if (!said_.empty()) out += (runs_ == 1 ? "; it says: " : "; the first of them says: ") + said_;
    return out;
}

}  // namespace sla::cli
