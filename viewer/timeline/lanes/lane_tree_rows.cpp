// What of the list is to be seen becomes rows, which point at the names that stand there.
#include "viewer/timeline/lanes/lane_tree.h"

namespace sla::timeline {

void LaneTree::list_rows() {
    static const std::string kTop;
    ++revision_;
    rows_.clear();
    height_ = 0;
    shown_.assign(list_->lanes.size(), {});
    for (const LaneNode& node : list_->pinned.children) add_lane(node, kPinnedParent, 0);
    pinned_height_ = height_;
    for (const LaneNode& node : list_->root.children) add(node, kTop, 0, nullptr);
}

void LaneTree::add(const LaneNode& node, const std::string& parent, int depth, const std::string* folded_above) {
    if (node.lane != nullptr) {
        if (folded_above != nullptr) shown_[node.number].folded_under = folded_above;
        if (folded_above == nullptr && !node.pinned) add_lane(node, parent, depth);
        return;
    }
    const bool folded = arrangement.is_folded(node.key);
    if (folded_above == nullptr) {
        TreeRow row{node.name, node.key, parent, node.kind, depth};
        row.children = node.lanes;
        row.any = node.any;
        row.folded = folded;
        row.height = kHeadHeight;
        add_row(row);
    }
    const std::size_t rows = rows_.size();
    const std::string* const hides = folded_above == nullptr && folded ? &node.key : folded_above;
    for (const LaneNode& child : node.children) add(child, node.key, depth + 1, hides);
    if (folded_above == nullptr && !folded && rows_.size() == rows) {  // all its lanes are hidden or pinned: no empty head
        height_ -= rows_.back().height;
        rows_.pop_back();
    }
}

void LaneTree::add_lane(const LaneNode& node, const std::string& parent, int depth) {
    if (node.hidden && !arrangement.show_hidden) return;
    TreeRow row{node.name, node.key, parent, RowKind::kLane, depth, node.lane};
    row.hue = node.hue;
    row.pinned = node.pinned;
    row.hidden = node.hidden;
    row.height = node.height;
    shown_[node.number].row = rows_.size();
    add_row(row);
}

void LaneTree::add_row(const TreeRow& row) {
    rows_.push_back(row);
    rows_.back().y = height_;
    height_ += row.height;
}

}  // namespace sla::timeline
