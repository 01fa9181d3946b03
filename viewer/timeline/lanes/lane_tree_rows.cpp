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
    known_.clear();
    by_key_.clear();
    source_keys_.clear();
    std::unordered_map<std::string, int> seen;
    known_.reserve(session.lanes().size());
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
        const std::string& key = known_[lane].key = numbered(its->second + ":" + lane->channel().name);
        by_key_[key] = lane;
    }
    for (const store::Lane* lane : derived_) {
        const std::string& key = known_[lane].key = kDerivedKey + ":" + lane->channel().name;
        by_key_[key] = lane;
    }
}

// What stays as it is while things are only folded.
struct LaneTree::Nodes {
    LaneNode pinned;
    LaneNode root;
};

LaneTree::LaneTree() : nodes_(std::make_unique<Nodes>()) {}

LaneTree::~LaneTree() = default;

void LaneTree::arrange(const store::Session& session) {
    name_lanes(session);
    hues_.refresh(session, source_keys_);
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
        const bool is_grouped = !style.group.empty() || is_derived(*lane);
        if (!is_grouped) by_source[lane->channel().source].push_back(lane);
        if (!is_grouped && !style.pinned) continue;
        const LaneNode node{RowKind::kLane, title_of(*lane), key_of(*lane), lane, 1};
        if (style.pinned) pinned.children.push_back(node);
        if (!is_grouped) continue;
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
    has_times_ = nodes.has_times();
    *nodes_ = {std::move(pinned), std::move(root)};
    lanes_.clear();
    number_lanes(nodes_->pinned, true);
    number_lanes(nodes_->root, false);
}

// A pinned lane has its number above, and no other row.
void LaneTree::number_lanes(LaneNode& node, bool pinned) {
    for (LaneNode& child : node.children) number_lanes(child, pinned);
    if (node.lane == nullptr) return;
    const LaneStyle& style = style_of(*node.lane);
    node.pinned = style.pinned;
    node.hidden = style.hidden;
    node.hue = hue_of(*node.lane);
    node.height = lane_height(*node.lane, style);
    std::size_t& number = known_.at(node.lane).number;
    if (style.pinned == pinned) {
        number = lanes_.size();
        lanes_.push_back(node.lane);
    }
    node.number = number;
}

void LaneTree::list_rows() {
    static const std::string kTop;
    rows_.clear();
    height_ = 0;
    shown_.assign(lanes_.size(), {});
    for (const LaneNode& node : nodes_->pinned.children) add_lane(node, kPinnedParent, 0);
    pinned_height_ = height_;
    for (const LaneNode& node : nodes_->root.children) add(node, kTop, 0, nullptr);
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
