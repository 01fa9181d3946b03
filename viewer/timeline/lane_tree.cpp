#include "viewer/timeline/lane_tree.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <set>

namespace sla::timeline {

namespace {

constexpr float kSpanRow = 14;
constexpr float kLanePadding = 12;
const std::string kPinnedParent = "^";  // no key begins so

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

// The part of a name from `from` to the next dot; empty when there is none.
std::string next_part(const std::string& name, std::size_t from) {
    const std::size_t dot = name.find('.', from);
    return dot == std::string::npos || dot == from ? std::string() : name.substr(from, dot - from);
}

std::string source_title(const store::Source* source, SourceId id) {
    if (source == nullptr) return fmt::format("source {}", id.value);
    if (source->pid == 0 || source->kind == store::SourceKind::kAgent) return source->name;
    return fmt::format("{} ({})", source->name, source->pid);
}

std::uint64_t mix(std::uint64_t hash, std::uint64_t value) {
    return (hash ^ value) * 0x9E3779B97F4A7C15ULL + (hash >> 29);
}

// Changes whenever rows would come out differently.
std::uint64_t shape_of(const store::Session& session) {
    std::uint64_t shape = session.lanes().size() + 1;
    for (const auto& [id, source] : session.sources()) shape = mix(shape, id.value + source.name.size() * 31 + source.pid);
    for (const store::Lane* lane : session.lanes()) {
        shape = mix(shape, static_cast<std::uint64_t>(lane_height(*lane)));
    }
    return shape;
}

}  // namespace

bool natural_less(const std::string& a, const std::string& b) {
    std::size_t i = 0;
    std::size_t j = 0;
    while (i < a.size() && j < b.size()) {
        if (is_digit(a[i]) && is_digit(b[j])) {
            const auto digits = [](const std::string& text, std::size_t& at) {
                while (at < text.size() && text[at] == '0') ++at;
                const std::size_t begin = at;
                while (at < text.size() && is_digit(text[at])) ++at;
                return text.substr(begin, at - begin);
            };
            const std::string left = digits(a, i);
            const std::string right = digits(b, j);
            if (left.size() != right.size()) return left.size() < right.size();
            if (left != right) return left < right;
            continue;
        }
        if (a[i] != b[j]) return static_cast<unsigned char>(a[i]) < static_cast<unsigned char>(b[j]);
        ++i;
        ++j;
    }
    return a.size() - i < b.size() - j;
}

float lane_height(const store::Lane& lane, const LaneStyle& style) {
    const float factor = style.tall ? 2.0F : 1.0F;
    if (style.look == LaneLook::kState) return LaneTree::kLaneHeight * factor;
    if (style.look == LaneLook::kRate) return LaneTree::kValueHeight * factor;
    if (lane.has(wire::Kind::kValue)) return LaneTree::kValueHeight * factor;
    const auto rows = static_cast<float>(lane.spans().rows());
    return std::clamp(rows * kSpanRow + kLanePadding, LaneTree::kLaneHeight, LaneTree::kTallest) * factor;
}

// Sources, groups and lanes before they become rows.
struct LaneTree::Node {
    RowKind kind = RowKind::kGroup;
    std::string name;
    std::string key;
    const store::Lane* lane = nullptr;
    std::size_t hue = 0;
    std::size_t lanes = 0;
    std::vector<Node> children = {};
};

void LaneTree::refresh(const store::Session& session) {
    const std::uint64_t shape = shape_of(session);
    if (!stale_ && shape == shape_ && arrangement == built_from_) return;
    shape_ = shape;
    stale_ = false;
    built_from_ = arrangement;
    rebuild(session);
}

void LaneTree::toggle(const std::string& key) {
    if (arrangement.folded.erase(key) == 0) arrangement.folded.insert(key);
}

void LaneTree::move(const TreeRow& row, const std::string& before) {
    std::vector<std::string> keys;
    for (const TreeRow& other : rows_) {
        if (other.parent != row.parent || other.pinned != row.pinned || other.key == row.key) continue;
        if (other.key == before) keys.push_back(row.key);
        keys.push_back(other.key);
    }
    if (std::find(keys.begin(), keys.end(), row.key) == keys.end()) keys.push_back(row.key);
    arrangement.order[row.pinned ? kPinnedParent : row.parent] = std::move(keys);
}

const std::string& LaneTree::key_of(const store::Lane& lane) const {
    static const std::string kNone;
    const auto found = keys_.find(&lane);
    return found == keys_.end() ? kNone : found->second;
}

const store::Lane* LaneTree::lane_of(const std::string& key) const {
    const auto found = by_key_.find(key);
    return found == by_key_.end() ? nullptr : found->second;
}

const std::string& LaneTree::title_of(const store::Lane& lane) const {
    const LaneStyle& style = style_of(lane);
    return style.title.empty() ? lane.channel().name : style.title;
}

void LaneTree::name_lanes(const store::Session& session) {
    keys_.clear();
    by_key_.clear();
    source_keys_.clear();
    std::map<std::string, int> seen;
    const auto numbered = [&seen](std::string key) {
        const int count = ++seen[key];
        if (count > 1) key += fmt::format("#{}", count);
        return key;
    };
    for (const store::Lane* lane : session.lanes()) {
        const SourceId id = lane->channel().source;
        const store::Source* source = session.source(id);
        if (!source_keys_.contains(id)) source_keys_[id] = numbered(source == nullptr ? "source" : source->name);
        keys_[lane] = numbered(source_keys_[id] + ":" + lane->channel().name);
        by_key_[keys_[lane]] = lane;
    }
}

void LaneTree::rebuild(const store::Session& session) {
    name_lanes(session);
    rows_.clear();
    row_of_.clear();
    lane_hues_.clear();
    height_ = 0;
    hues_ = 0;
    hidden_ = 0;
    std::map<SourceId, std::vector<const store::Lane*>> by_source;
    Node root;
    std::map<std::string, Node> own;
    Node pinned;
    for (const store::Lane* lane : session.lanes()) {
        const LaneStyle& style = style_of(*lane);
        hidden_ += style.hidden ? 1 : 0;
        if (style.pinned) pinned.children.push_back({RowKind::kLane, title_of(*lane), key_of(*lane), lane, 0, 1});
        if (style.group.empty()) {
            by_source[lane->channel().source].push_back(lane);
            continue;
        }
        Node& group = own.try_emplace(style.group, Node{RowKind::kGroup, style.group, "@" + style.group}).first->second;
        group.children.push_back({RowKind::kLane, title_of(*lane), key_of(*lane), lane, hues_, 1});
        ++group.lanes;
    }
    for (auto& [name, group] : own) {
        group.hue = hues_;
        for (Node& child : group.children) child.hue = hues_;
        ++hues_;
        root.children.push_back(std::move(group));
    }
    const bool alone = by_source.size() == 1;
    for (const auto& [id, lanes] : by_source) {
        Node source = source_node(session, id, lanes);
        if (!alone) {
            root.children.push_back(std::move(source));
            continue;
        }
        for (Node& child : source.children) root.children.push_back(std::move(child));
    }
    pinned.key = kPinnedParent;
    sort(pinned);
    sort(root);
    for (const Node& node : root.children) {
        for (std::vector<const Node*> open{&node}; !open.empty();) {  // hues are known before pinned rows are made
            const Node& at = *open.back();
            open.pop_back();
            if (at.lane != nullptr) lane_hues_[at.lane] = style_of(*at.lane).hue.value_or(static_cast<std::uint8_t>(at.hue));
            for (const Node& child : at.children) open.push_back(&child);
        }
    }
    for (const Node& node : pinned.children) add_lane(*node.lane, node.name, kPinnedParent, 0, true);
    pinned_height_ = height_;
    for (const Node& node : root.children) add(node, "", 0, false);
}

LaneTree::Node LaneTree::source_node(const store::Session& session, SourceId id,
                                     const std::vector<const store::Lane*>& lanes) {
    Node node{RowKind::kSource, source_title(session.source(id), id), source_keys_[id]};
    node.lanes = lanes.size();
    node.hue = hues_;
    std::vector<const store::Lane*> sorted = lanes;
    std::sort(sorted.begin(), sorted.end(),
              [](const store::Lane* a, const store::Lane* b) { return natural_less(a->channel().name, b->channel().name); });
    group(node, std::move(sorted), 0);
    for (Node& child : node.children) {
        for (std::vector<Node*> open{&child}; !open.empty();) {
            Node& at = *open.back();
            open.pop_back();
            at.hue = hues_;
            for (Node& below : at.children) open.push_back(&below);
        }
        ++hues_;
    }
    sort(node);
    return node;
}

// Lanes in order of name that share their first `prefix` characters: those that share the next part become a group.
void LaneTree::group(Node& parent, std::vector<const store::Lane*> lanes, std::size_t prefix) {
    std::map<std::string, std::vector<const store::Lane*>> members;
    for (const store::Lane* lane : lanes) members[next_part(lane->channel().name, prefix)].push_back(lane);
    members.erase(std::string());
    std::set<std::string> done;
    for (const store::Lane* lane : lanes) {
        const std::string& name = lane->channel().name;
        const std::string part = next_part(name, prefix);
        const auto found = members.find(part);
        if (found == members.end() || found->second.size() < 2) {
            const std::string& title = style_of(*lane).title;
            parent.children.push_back(
                {RowKind::kLane, title.empty() ? name.substr(prefix) : title, key_of(*lane), lane, 0, 1});
            continue;
        }
        if (!done.insert(part).second) continue;
        Node below{RowKind::kGroup, part, parent.key + "/" + part};
        below.lanes = found->second.size();
        group(below, found->second, prefix + part.size() + 1);
        while (below.children.size() == 1 && below.children[0].kind == RowKind::kGroup) {  // one head for "a" ▸ "b"
            Node only = std::move(below.children[0]);
            only.name = below.name + "." + only.name;
            below = std::move(only);
        }
        sort(below);
        parent.children.push_back(std::move(below));
    }
}

// The person's order first; what is not in it follows by name, as it was.
void LaneTree::sort(Node& node) const {
    const auto found = arrangement.order.find(node.key);
    if (found == arrangement.order.end()) return;
    std::map<std::string, std::size_t> place;
    for (std::size_t i = 0; i < found->second.size(); ++i) place.emplace(found->second[i], i);
    const auto place_of = [&](const Node& child) {
        const auto at = place.find(child.key);
        return at == place.end() ? place.size() : at->second;
    };
    std::stable_sort(node.children.begin(), node.children.end(),
                     [&](const Node& a, const Node& b) { return place_of(a) < place_of(b); });
}

void LaneTree::add(const Node& node, const std::string& parent, int depth, bool folded_above) {
    if (node.lane != nullptr) {
        if (!folded_above && !style_of(*node.lane).pinned) add_lane(*node.lane, node.name, parent, depth, false);
        return;
    }
    const bool folded = arrangement.folded.contains(node.key);
    if (!folded_above) {
        TreeRow row;
        row.kind = node.kind;
        row.depth = depth;
        row.name = node.name;
        row.key = node.key;
        row.parent = parent;
        row.hue = node.hue;
        row.children = node.lanes;
        row.folded = folded;
        row.height = kHeadHeight;
        add_row(std::move(row));
    }
    const std::size_t rows = rows_.size();
    for (const Node& child : node.children) add(child, node.key, depth + 1, folded_above || folded);
    if (!folded_above && !folded && rows_.size() == rows) {  // all its lanes are hidden or pinned: no empty head
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

std::size_t LaneTree::row_at(float y) const {
    const auto after =
        std::upper_bound(rows_.begin(), rows_.end(), y, [](float at, const TreeRow& row) { return at < row.y; });
    if (after == rows_.begin()) return rows_.size();
    const auto row = after - 1;
    return y < row->y + row->height ? static_cast<std::size_t>(row - rows_.begin()) : rows_.size();
}

const TreeRow* LaneTree::row_of(const store::Lane* lane) const {
    const auto found = row_of_.find(lane);
    return found == row_of_.end() ? nullptr : &rows_[found->second];
}

std::size_t LaneTree::hue_of(const store::Lane& lane) const {
    const auto found = lane_hues_.find(&lane);
    return found == lane_hues_.end() ? 0 : found->second;
}

}  // namespace sla::timeline
