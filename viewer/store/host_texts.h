// What people must know of the hosts whose stamps a session holds: of their clocks, where nothing is said that no host reported,
// and of their processes.
#pragma once

#include "viewer/store/session.h"

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace sla::store {

// Of a host whose stamps were moved onto the session's clock: "'there' was placed by both wall clocks, within ± 3 ms".
std::string placing_text(const Host& host);
// Why times of this host cannot be compared with others'; empty: they can, or nothing was said. Null: the origin's host.
std::string clock_problem(const Session& session, const Host* host);
// A line for each host that was moved, and for each whose wall clock nothing bounds;
// of many hosts for the 20 that were placed worst.
std::vector<std::string> clock_remarks(const Session& session);

// "program", "pc", "host", "agent"; "unknown".
const char* source_kind_name(SourceKind kind);

// Names that more than one process of a host has, of the sources that were added.
class SharedNames {
public:
    void add(const Source& source);
    [[nodiscard]] bool any() const { return !shared_.empty(); }
    [[nodiscard]] bool has(const Source& source) const;

private:
    using Name = std::pair<std::uint32_t, std::string>;  // and its host
    std::map<Name, std::uint32_t> first_;                // the number of the first process that has it
    std::set<Name> shared_;
};

}  // namespace sla::store
