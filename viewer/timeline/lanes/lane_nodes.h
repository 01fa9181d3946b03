// Sources, groups by dotted name and lanes as a tree, before folding and hiding make rows of it.
#pragma once

#include "viewer/timeline/lanes/lane_arrangement.h"
#include "viewer/timeline/lanes/lane_hues.h"
#include "viewer/timeline/lanes/lane_names.h"

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

namespace sla::timeline {

enum class RowKind : std::uint8_t { kSource, kGroup, kLane };

// Under which pinned lanes stand in the arrangement; no key of a row begins so.
inline const std::string kPinnedParent = "^";

struct LaneNode {
    RowKind kind = RowKind::kGroup;
    std::string name;
    std::string key;
    const store::Lane* lane = nullptr;
    std::size_t lanes = 0;
    std::vector<LaneNode> children = {};
    const store::Lane* any = nullptr;  // of a source: one of its lanes
    // Of a lane: how its row is to look.
    std::size_t number = 0;  // among the list's lanes, once the tree is complete
    std::size_t hue = 0;
    float height = 0;
    bool pinned = false;
    bool hidden = false;
};

// Made for one making of the list.
class LaneNodes {
public:
    LaneNodes(const store::Session& session, const LaneArrangement& arrangement, const LaneNames& names,
              const LaneHues& hues);

    // The source with its lanes, grouped, a part at a time: begun with its lanes as they came, and in order of their names;
    // then so many lanes more, or a group of more, which are taken off `most`.
    void begin_source(SourceId id, const std::vector<const store::Lane*>& lanes, std::vector<const store::Lane*> in_order);
    void go_on_with_source(std::size_t& most);
    [[nodiscard]] bool is_source_whole() const { return source_.next == source_.lanes.size(); }
    LaneNode take_source();
    // Called so in the list.
    [[nodiscard]] LaneNode lane(const store::Lane& lane, std::string name) const;
    // The person's order first; what is not in it follows as it was.
    void sort(LaneNode& node) const;
    // Some source is told from others by when it began, as far as that is known.
    [[nodiscard]] bool has_times() const { return has_times_; }

private:
    [[nodiscard]] std::string source_title(SourceId id, const std::vector<const store::Lane*>& lanes);
    // Lanes in order of name that share their first `prefix` characters: those that share the next part become a group,
    // and with them the lane whose name is the group's.
    struct Grouping {
        std::vector<const store::Lane*> lanes;
        std::size_t prefix = 0;
        int depth = 0;
        std::map<std::string, std::vector<const store::Lane*>> members = {};  // of a group, by that part
        std::set<std::string> done = {};
        std::size_t next = 0;  // of the lanes
    };
    static Grouping grouped(std::vector<const store::Lane*> lanes, std::size_t prefix, int depth);
    static std::string name_within(const Grouping& group, const std::string& name);
    // The next lane, or the group that it is the first of; returns how many lanes those are.
    std::size_t add_next(LaneNode& parent, Grouping& of) const;

    const store::Session& session_;
    const LaneArrangement& arrangement_;
    const LaneNames& names_;
    const LaneHues& hues_;
    Grouping source_;
    LaneNode source_node_;
    std::unordered_map<std::string, std::size_t> titles_;  // how many sources have each
    bool has_times_ = false;
};

}  // namespace sla::timeline
