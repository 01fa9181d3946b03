// The list of lane names as people see it: sources, groups by dotted name, lanes, some folded away, each with its height.
//
//   ▾ zpipe (4711)            a source; left out while there is only one
//     ▾ read                  a group: two or more channels share the first part of their names
//         bytes               a lane
//       idle                  a lane that stands alone keeps its whole name
//
// Owner: the window's thread. Rows point at lanes, which live as long as the session.
#pragma once

#include "viewer/store/session.h"

#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace sla::timeline {

enum class RowKind : std::uint8_t { kSource, kGroup, kLane };

struct TreeRow {
    RowKind kind = RowKind::kLane;
    int depth = 0;
    std::string name;  // what is shown
    std::string key;   // of sources and groups: names what can be folded
    const store::Lane* lane = nullptr;
    std::size_t hue = 0;       // one a group, in order
    std::size_t children = 0;  // lanes below it
    bool folded = false;
    float y = 0;       // from the top of the list, at scale 1
    float height = 0;  // a multiple of 4
};

class LaneTree {
public:
    // Looks whether lanes, names or heights changed; cheap when not.
    void refresh(const store::Session& session);
    void toggle(const std::string& key);

    [[nodiscard]] const std::vector<TreeRow>& rows() const { return rows_; }
    [[nodiscard]] float height() const { return height_; }
    // The row at that distance from the top, or rows().size().
    [[nodiscard]] std::size_t row_at(float y) const;
    // Nothing when the lane is folded away.
    [[nodiscard]] const TreeRow* row_of(const store::Lane* lane) const;

    static constexpr float kHeadHeight = 24;
    static constexpr float kLaneHeight = 28;
    static constexpr float kValueHeight = 40;
    static constexpr float kTallest = 64;

private:
    void rebuild(const store::Session& session);
    void add_source(const store::Session& session, SourceId id, std::vector<const store::Lane*> lanes, bool alone);
    void add_row(TreeRow row);

    std::set<std::string> folded_;
    std::vector<TreeRow> rows_;
    float height_ = 0;
    std::size_t hues_ = 0;
    std::uint64_t shape_ = 0;  // of what the rows were built from
    bool stale_ = true;
};

// "irq.2" before "irq.10": runs of digits compare as numbers.
bool natural_less(const std::string& a, const std::string& b);
// How high a lane wants to be for what it holds.
float lane_height(const store::Lane& lane);

}  // namespace sla::timeline
