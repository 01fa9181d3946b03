// LaneHues: a hue for each lane, one a group of lanes that share the first part of their names, neighbours differing; within
// the group a shade of it for each lane. A source with one such group only goes by the next part. What has a hue keeps it,
// whatever lanes come later and however they are arranged; but for the lanes of such a source when a second group comes.
#pragma once

#include "viewer/store/session.h"

#include <cstddef>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace sla::timeline {

// A lane's colour is one number: the hue plus kHues times the shade, 0 being the hue itself.
inline constexpr std::size_t kHues = 6;
inline constexpr std::size_t kShades = 3;

class LaneHues {
public:
    // Of all lanes of the source, which has that key, one after the other: in order of their names, and what shared_parts()
    // says of them.
    void add(const std::string& source_key, const store::Lane& lane, std::size_t shared);
    // Lanes of another session are asked about from now on.
    void forget_lanes() { by_lane_.clear(); }
    [[nodiscard]] std::size_t of(const store::Lane& lane) const;

private:
    struct Group {
        std::size_t hue;
        std::unordered_map<std::string, std::size_t> shades;  // by name, as they came
    };
    std::unordered_map<std::string, Group> by_group_;
    std::unordered_map<const store::Lane*, std::size_t> by_lane_;
};

// How much of their names all lanes share, in whole parts; of one lane nothing.
std::size_t shared_parts(const std::vector<const store::Lane*>& lanes);

// Of the lanes beside the session's that one, from 1: from the other end than the session's. 0: it is none of them.
constexpr std::optional<std::size_t> hue_beside(std::size_t number) {
    return number == 0 ? std::nullopt : std::optional(kHues - 1 - (number - 1) % kHues);
}

}  // namespace sla::timeline
