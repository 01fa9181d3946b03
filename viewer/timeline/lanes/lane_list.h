// LaneList: all lanes in their places, by source and group; what of it is to be seen becomes rows (lane_tree.h). Making one
// takes some 3 us a lane: a part at a time, where there are thousands.
//
//   step() ── every lane has a key and a source ──► a source: its lanes in order, hues, groups ──► the next one ──►
//          ──► the root: order, numbers ──► take()
#pragma once

#include "viewer/timeline/lanes/lane_nodes.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sla::timeline {

using LanesOfSources = std::map<SourceId, std::vector<const store::Lane*>>;

struct LaneList {
    LaneNames names;
    LaneNode pinned;
    LaneNode root;
    std::vector<const store::Lane*> of_session;  // that were there, in their order
    std::vector<const store::Lane*> lanes;       // in the order of the list, each once
    std::size_t hidden = 0;
    bool has_times = false;  // in names

    // Frees a part of it, so many lanes at most; true: nothing is left.
    bool let_go(std::size_t most);
};

class LaneListMaker {
public:
    // What it is given must outlive it and stay as it is, but for lanes and sources that come, and for folds.
    LaneListMaker(const store::Session& session, const LaneArrangement& arrangement,
                  const std::vector<const store::Lane*>& beside, bool is_live, LaneHues& hues);

    // So many lanes more, or a group of more, or the root of all.
    void step(std::size_t lanes);
    [[nodiscard]] bool is_complete() const { return is_complete_; }
    [[nodiscard]] std::unique_ptr<LaneList> take() { return std::move(list_); }
    // Of the session, that it began with.
    [[nodiscard]] const std::vector<const store::Lane*>& of_session() const { return list_->of_session; }

private:
    void place(const store::Lane& lane, bool is_beside);
    // Takes off `lanes` what it did; false: the source is not whole yet.
    bool go_on_with_source(std::size_t& lanes);
    // In order of names, by parts that are merged; false: there is more to do.
    bool sort_some(std::size_t& lanes);
    void make_root();
    void number(LaneNode& node, bool pinned);

    const store::Session& session_;
    const LaneArrangement& arrangement_;
    const std::vector<const store::Lane*>& beside_;
    const bool is_live_;
    LaneHues& hues_;
    std::unique_ptr<LaneList> list_;
    LaneNodes nodes_;
    std::size_t next_ = 0;       // of the session's lanes
    LanesOfSources of_sources_;  // all lanes of each
    LanesOfSources by_source_;   // but for those in groups of the person's own making
    std::optional<LanesOfSources::const_iterator> next_source_;
    struct Making {  // of a source
        std::vector<const store::Lane*> in_order;
        std::size_t run = 0;                               // so many side by side are in order; 0: none
        std::size_t next = 0;                              // that are not, or not merged, yet
        std::optional<std::size_t> shared = std::nullopt;  // once they are in order: see LaneHues::add
        std::size_t with_hue = 0;
        bool has_groups = false;
    };
    std::optional<Making> making_;
    std::map<SourceId, LaneNode> sources_;
    std::vector<const store::Lane*> apart_;  // pinned, or in such a group
    std::vector<LaneNode*> to_number_;       // in order
    std::size_t numbered_ = 0;               // of them
    bool has_root_ = false;
    bool is_complete_ = false;
};

}  // namespace sla::timeline
