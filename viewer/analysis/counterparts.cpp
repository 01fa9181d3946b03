#include "viewer/analysis/counterparts.h"

#include <map>
#include <set>
#include <utility>

namespace sla::analysis {

namespace {

using Key = std::pair<std::string, std::string>;
using Places = std::map<Key, std::vector<std::size_t>>;

Places by_program(const std::vector<RowName>& rows) {
    Places places;
    for (std::size_t i = 0; i < rows.size(); ++i) places[{rows[i].row, rows[i].source}].push_back(i);
    return places;
}

Places by_row(const std::vector<RowName>& rows) {
    Places places;
    for (std::size_t i = 0; i < rows.size(); ++i) places[{rows[i].row, ""}].push_back(i);
    return places;
}

}  // namespace

std::string program_of(const store::Session& session, const store::Lane* lane) {
    const store::Source* const source = lane == nullptr ? nullptr : session.source_of(*lane);
    if (source == nullptr) return {};
    const auto host = session.hosts().find(source->host);
    return source->name + '\n' + (host == session.hosts().end() ? std::string() : host->second.name);
}

std::vector<std::optional<std::size_t>> counterparts(const std::vector<RowName>& before, const std::vector<RowName>& after) {
    std::vector<std::optional<std::size_t>> out(after.size());
    std::set<std::string> known;  // rows of which some program is in both
    const auto go_together = [&](const Places& of_before, const Places& of_after, bool is_by_program) {
        for (const auto& [key, places] : of_after) {
            const auto at = of_before.find(key);
            if (at == of_before.end() || (!is_by_program && known.contains(key.first))) continue;
            for (std::size_t i = 0; i < places.size() && i < at->second.size(); ++i) out[places[i]] = at->second[i];
        }
    };
    const Places old_programs = by_program(before);
    const Places new_programs = by_program(after);
    go_together(old_programs, new_programs, true);
    for (const auto& [key, places] : new_programs) {
        if (old_programs.contains(key)) known.insert(key.first);
    }
    go_together(by_row(before), by_row(after), false);
    return out;
}

}  // namespace sla::analysis
