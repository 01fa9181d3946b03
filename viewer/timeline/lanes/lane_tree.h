// The list of lane names as people see it: sources, groups by dotted name, lanes, some folded away, each with its height.
//
//   pinned lanes              stay on top, whole names
//   ▾ mine                    a group of the person's own making
//   ▾ zpipe (4711)            a source, the newest first; left out while there is only one
//     ▾ read                  a group: two or more channels share the first parts of their names
//         bytes               a lane; "read" itself would be the first in its group
//       idle                  a lane that stands alone keeps its whole name
//   ▾ questions               lanes that are answers, not of the session
//       queue length
//   ▸ ended                   programs that have ended, while others live; folded until the person wants them
//
// Owner: the window's thread. Rows point at lanes, which live as long as the session.
#pragma once

#include "viewer/store/session.h"
#include "viewer/timeline/lanes/lane_arrangement.h"
#include "viewer/timeline/lanes/lane_hues.h"
#include "viewer/timeline/lanes/lane_list.h"

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace sla::timeline {

// Its strings live as long as the lanes stand as they do: until the tree's revision changes, and longer where it was only
// folded.
struct TreeRow {
    const std::string& name;    // what is shown
    const std::string& key;     // see lane_arrangement.h
    const std::string& parent;  // its key; "" at the top
    RowKind kind = RowKind::kLane;
    int depth = 0;
    const store::Lane* lane = nullptr;
    const store::Lane* any = nullptr;  // of a source: one of its lanes
    std::size_t hue = 0;               // of a lane: see lane_hues.h, unless the person chose another
    std::size_t children = 0;          // lanes below it
    bool folded = false;
    bool pinned = false;
    bool hidden = false;  // shown all the same, because hidden lanes are to be seen
    float y = 0;          // from the top of the list, at scale 1
    float height = 0;     // a multiple of 4
};

class LaneTree {
public:
    // Looks whether lanes, names, heights or the arrangement changed; cheap when not. Of thousands of lanes finding their places
    // takes tens of milliseconds: what lanes do by themselves is done a part at a time then, one call after the other, and not
    // again before it was a small part of the time. What was only folded or unfolded costs some ten nanoseconds a row.
    void refresh(const store::Session& session);
    // Lanes beside the session's: they live until others are given, and the next refresh forgets them.
    void set_derived(std::vector<const store::Lane*> lanes);
    [[nodiscard]] const std::vector<const store::Lane*>& derived() const { return derived_; }
    [[nodiscard]] bool is_derived(const store::Lane& lane) const;
    // Lanes keep the hues that they got as they came, which of a capture that was still being read is by chance: by the order of
    // all that are there now.
    void colour_anew();
    // What a person wants; rows follow at the next refresh.
    LaneArrangement arrangement;
    // Sources come and go: the newest stand first, and what has ended is folded away. Else they stand as they came, those that
    // had ended behind the others.
    bool is_live = false;

    // Folds or unfolds what has that key.
    void toggle(const std::string& key);
    // The row comes to stand before the row `before` of the same parent (empty: behind all).
    void move(const TreeRow& row, const std::string& before);
    [[nodiscard]] const LaneStyle& style_of(const store::Lane& lane) const { return arrangement.style(key_of(lane)); }
    void set_style(const store::Lane& lane, const LaneStyle& style) { arrangement.set_style(key_of(lane), style); }
    template <typename Change>
    void change_style(const store::Lane& lane, Change change) {
        LaneStyle style = style_of(lane);
        change(style);
        set_style(lane, style);
    }
    // "" for a lane that the session did not have at the last refresh.
    [[nodiscard]] const std::string& key_of(const store::Lane& lane) const;
    [[nodiscard]] const store::Lane* lane_of(const std::string& key) const;
    // What people call the lane: its title, else its channel's name.
    [[nodiscard]] const std::string& title_of(const store::Lane& lane) const;

    [[nodiscard]] const std::vector<TreeRow>& rows() const { return rows_; }
    // How many sources the session's lanes are of; two of them are processes of one name on one host.
    [[nodiscard]] std::size_t sources() const { return list_->names.sources(); }
    [[nodiscard]] bool are_names_shared() const { return list_->names.are_shared(); }
    // Every lane once, also those folded away or hidden, in the order of the rows.
    [[nodiscard]] const std::vector<const store::Lane*>& lanes() const { return list_->lanes; }
    // Counts up whenever the rows were made anew: other lanes, names, colours or places.
    [[nodiscard]] std::uint64_t revision() const { return revision_; }
    [[nodiscard]] float height() const { return height_; }
    [[nodiscard]] float pinned_height() const { return pinned_height_; }
    [[nodiscard]] std::size_t hidden() const { return list_->hidden; }
    // The row at that distance from the top, or rows().size().
    [[nodiscard]] std::size_t row_at(float y) const;
    // Nothing when the lane is folded away or hidden.
    [[nodiscard]] const TreeRow* row_of(const store::Lane* lane) const;
    // What to unfold so that a lane has a row again; null when nothing hides it.
    [[nodiscard]] const std::string* folded_under(const store::Lane* lane) const;
    // The lane's hue, also when it has no row.
    [[nodiscard]] std::size_t hue_of(const store::Lane& lane) const;

    static constexpr float kHeadHeight = 24;
    static constexpr float kLaneHeight = 28;
    static constexpr float kValueHeight = 40;
    static constexpr float kTallest = 64;
    static constexpr std::size_t kManyLanes = 2000;

private:
    using Clock = std::chrono::steady_clock;

    // What lists are made from, but for the arrangement.
    struct State {
        std::uint64_t shape = 0;
        std::uint64_t begun = 0;  // lanes with rows
    };
    [[nodiscard]] State state_of(const store::Session& session) const;
    [[nodiscard]] bool is_as_it_was(const store::Session& session) const;
    [[nodiscard]] bool are_still_there(const store::Session& session) const;
    [[nodiscard]] bool is_only_folded() const;
    void begin_list(const store::Session& session);
    void go_on_with_list();  // a part of it
    void take_list();
    void list_rows();
    // `folded_above`: the head it is folded away under, or null.
    void add(const LaneNode& node, const std::string& parent, int depth, const std::string* folded_above);
    void add_row(const TreeRow& row);
    void add_lane(const LaneNode& node, const std::string& parent, int depth);

    static constexpr std::size_t kNoRow = ~std::size_t{0};
    struct Shown {
        std::size_t row = kNoRow;
        const std::string* folded_under = nullptr;
    };

    std::unique_ptr<LaneList> list_ = std::make_unique<LaneList>();
    std::unique_ptr<LaneListMaker> maker_;  // of the next one; null: none is being made
    std::unique_ptr<LaneList> leaving_;     // the one before; null: it is gone
    std::vector<Shown> shown_;              // by number
    std::vector<const store::Lane*> derived_;
    LaneHues hues_;
    LaneArrangement built_from_;
    std::vector<TreeRow> rows_;
    float height_ = 0;
    float pinned_height_ = 0;
    std::uint64_t revision_ = 0;
    const store::Session* session_ = nullptr;  // that the rows are of,
    State state_;                              // and what they were made from,
    State next_state_;                         // or the next ones are
    Clock::duration making_{};                 // took so long until now
    Clock::time_point not_before_;             // rows of many lanes are made again
    bool stale_ = true;
};

// What is drawn of a lane: its own look, else what its events say. A channel that carries only text says a state with each.
// Of spans alone it has none: what one says ends with it.
bool has_states(const store::Lane& lane);
LaneLook look_of(const store::Lane& lane, const LaneStyle& style);
// How high a lane wants to be for what it holds and how it is to look.
float lane_height(const store::Lane& lane, const LaneStyle& style = {});

}  // namespace sla::timeline
