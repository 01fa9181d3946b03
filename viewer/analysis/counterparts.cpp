#include "viewer/analysis/counterparts.h"

#include <map>
#include <set>
#include <utility>

namespace sla::analysis {

namespace {

using Key = std::pair<std::string, std::string>;  // a row and its program, or "" for any
using Places = std::map<Key, std::vector<std::size_t>>;

Places places_of(const std::vector<RowName>& rows, bool by_program) {
    Places places;
    for (std::size_t i = 0; i < rows.size(); ++i) places[{rows[i].row, by_program ? rows[i].source : ""}].push_back(i);
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
    for (const bool by_program : {true, false}) {
        const Places of_before = places_of(before, by_program);
        for (const auto& [key, places] : places_of(after, by_program)) {
            const auto at = of_before.find(key);
            if (at == of_before.end() || (!by_program && known.contains(key.first))) continue;
            known.insert(key.first);
            for (std::size_t i = 0; i < places.size() && i < at->second.size(); ++i) out[places[i]] = at->second[i];
        }
    }
    return out;
}

}  // namespace sla::analysis
