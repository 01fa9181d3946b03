// How lanes become rows: by source, by group, pinned ones above; what has ended is folded.
#include "viewer/timeline/lanes/lane_nodes.h"
#include "viewer/timeline/lanes/lane_tree.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <unordered_map>
#include <utility>

namespace sla::timeline {

namespace {

using LanesOfSources = std::map<SourceId, std::vector<const store::Lane*>>;

bool has_ended(const store::Source* source) {
    return source != nullptr && source->ended;
}

// What a person watches; host and agent are always there.
bool is_marked(const store::Source* source) {
    return source != nullptr && (source->kind == store::SourceKind::kProgram || source->kind == store::SourceKind::kPc);
}

struct SourceOrder {
    std::vector<SourceId> first;  // of the living the newest first
    std::vector<SourceId> ended;  // to be folded: the newest first
};

// What has ended stands behind what lives, and is out of the way once something else is watched.
SourceOrder in_order(const store::Session& session, const LanesOfSources& by_source, bool is_live) {
    SourceOrder order;
    bool any_living = false;
    bool any_watched = false;
    for (const auto& [id, lanes] : by_source) {
        const store::Source* source = session.source(id);
        any_living |= !has_ended(source);
        any_watched |= !has_ended(source) && is_marked(source);
        order.first.push_back(id);
    }
    if (!any_living) return order;
    if (is_live) std::reverse(order.first.begin(), order.first.end());
    const auto lives = [&](SourceId id) { return !has_ended(session.source(id)); };
    const auto behind = std::stable_partition(order.first.begin(), order.first.end(), lives);
    if (!is_live || !any_watched) return order;
    order.ended.assign(behind, order.first.end());
    order.first.erase(behind, order.first.end());
    return order;
}

LaneNode ended_node(const std::vector<SourceId>& ended, const LanesOfSources& by_source, LaneNodes& nodes) {
    LaneNode out{RowKind::kGroup, ended.size() == 1 ? "1 ended" : fmt::format("{} ended", ended.size()), kEndedKey};
    for (const SourceId id : ended) {
        out.children.push_back(nodes.source(id, by_source.at(id)));
        out.lanes += out.children.back().lanes;
    }
    return out;
}

}  // namespace

void LaneTree::name_lanes(const store::Session& session) {
    keys_.clear();
    by_key_.clear();
    source_keys_.clear();
    std::unordered_map<std::string, int> seen;
    keys_.reserve(session.lanes().size());
    by_key_.reserve(session.lanes().size());
    seen.reserve(session.lanes().size());
    const auto numbered = [&seen](const std::string& key) {
        const int count = ++seen[key];
        return count > 1 ? fmt::format("{}#{}", key, count) : key;
    };
    for (const store::Lane* lane : session.lanes()) {
        const SourceId id = lane->channel().source;
        const store::Source* source = session.source(id);
        const auto [its, is_new] = source_keys_.try_emplace(id);
        if (is_new) its->second = numbered(source == nullptr ? "source" : source->name);
        const std::string& key = keys_[lane] = numbered(its->second + ":" + lane->channel().name);
        by_key_[key] = lane;
    }
    for (const store::Lane* lane : derived_) {
        keys_[lane] = kDerivedKey + ":" + lane->channel().name;
        by_key_[keys_[lane]] = lane;
    }
}

void LaneTree::rebuild(const store::Session& session) {
    name_lanes(session);
    rows_.clear();
    lanes_.clear();
    row_of_.clear();
    folded_under_.clear();
    hues_.refresh(session, source_keys_);
    height_ = 0;
    hidden_ = 0;
    LaneNodes nodes(session, *this, source_keys_);
    LanesOfSources by_source;
    LaneNode root;
    std::map<std::string, LaneNode> own;
    LaneNode pinned;
    LaneNode answers{RowKind::kGroup, "questions", kDerivedKey};
    std::vector<const store::Lane*> all(session.lanes().begin(), session.lanes().end());
    all.insert(all.end(), derived_.begin(), derived_.end());
    for (const store::Lane* lane : all) {
        const LaneStyle& style = style_of(*lane);
        hidden_ += style.hidden ? 1 : 0;
        const LaneNode node{RowKind::kLane, title_of(*lane), key_of(*lane), lane, 1};
        if (style.pinned) pinned.children.push_back(node);
        if (style.group.empty() && !is_derived(*lane)) {
            by_source[lane->channel().source].push_back(lane);
            continue;
        }
        LaneNode& group =
            style.group.empty()
                ? answers
                : own.try_emplace(style.group, LaneNode{RowKind::kGroup, style.group, "@" + style.group}).first->second;
        group.children.push_back(node);
        ++group.lanes;
    }
    for (auto& [name, group] : own) {
        root.children.push_back(std::move(group));
    }
    const bool alone = by_source.size() == 1;
    const SourceOrder order = in_order(session, by_source, is_live);
    for (const SourceId id : order.first) {
        LaneNode source = nodes.source(id, by_source.at(id));
        if (!alone) {
            root.children.push_back(std::move(source));
            continue;
        }
        for (LaneNode& child : source.children) root.children.push_back(std::move(child));
    }
    pinned.key = kPinnedParent;
    nodes.sort(pinned);
    nodes.sort(answers);
    if (!answers.children.empty()) root.children.push_back(std::move(answers));
    nodes.sort(root);
    if (!order.ended.empty()) root.children.push_back(ended_node(order.ended, by_source, nodes));
    for (const LaneNode& node : pinned.children) {
        lanes_.push_back(node.lane);
        add_lane(*node.lane, node.name, kPinnedParent, 0, true);
    }
    pinned_height_ = height_;
    for (const LaneNode& node : root.children) add(node, "", 0, nullptr);
}

void LaneTree::add(const LaneNode& node, const std::string& parent, int depth, const std::string* folded_above) {
    if (node.lane != nullptr) {
        const bool pinned = style_of(*node.lane).pinned;
        if (!pinned) lanes_.push_back(node.lane);
        if (folded_above != nullptr) folded_under_[node.lane] = *folded_above;
        if (folded_above == nullptr && !pinned) add_lane(*node.lane, node.name, parent, depth, false);
        return;
    }
    const bool folded = arrangement.is_folded(node.key);
    if (folded_above == nullptr) {
        TreeRow row;
        row.kind = node.kind;
        row.depth = depth;
        row.name = node.name;
        row.key = node.key;
        row.parent = parent;
        row.children = node.lanes;
        row.any = node.any;
        row.folded = folded;
        row.height = kHeadHeight;
        add_row(std::move(row));
    }
    const std::size_t rows = rows_.size();
    const std::string* const hides = folded_above == nullptr && folded ? &node.key : folded_above;
    for (const LaneNode& child : node.children) add(child, node.key, depth + 1, hides);
    if (folded_above == nullptr && !folded && rows_.size() == rows) {  // all its lanes are hidden or pinned: no empty head
        height_ -= rows_.back().height;
        rows_.pop_back();
    }
}

void LaneTree::add_lane(const store::Lane& lane, std::string name, const std::string& parent, int depth, bool pinned) {
    const LaneStyle& style = style_of(lane);
    if (style.hidden && !arrangement.show_hidden) return;
    TreeRow row;
    row.depth = depth;
    row.name = std::move(name);
    row.key = key_of(lane);
    row.parent = parent;
    row.lane = &lane;
    row.hue = hue_of(lane);
    row.pinned = pinned;
    row.hidden = style.hidden;
    row.height = lane_height(lane, style);
    row_of_[&lane] = rows_.size();
    add_row(std::move(row));
}

void LaneTree::add_row(TreeRow row) {
    row.y = height_;
    height_ += row.height;
    rows_.push_back(std::move(row));
}

}  // namespace sla::timeline
