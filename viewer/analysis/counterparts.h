// Which rows of two captures are of the same channel of the same program, where several programs have channels of one name: those
// are named as what they are of, whatever order they came in.
#pragma once

#include "viewer/store/session.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace sla::analysis {

struct RowName {
    std::string row;     // a channel, or a pair of them
    std::string source;  // whose; of each capture the same for the same program
};

// The lane's program, and the host that it runs on. Null: "".
std::string program_of(const store::Session& session, const store::Lane* lane);

// Of each one of `after` its place in `before`. Several of one program follow each other. Where no program of a row is in both, as
// of one that was renamed, the first ones go together, then the second ones.
std::vector<std::optional<std::size_t>> counterparts(const std::vector<RowName>& before, const std::vector<RowName>& after);

}  // namespace sla::analysis
