#include "viewer/timeline/lanes/lane_nodes.h"

#include "viewer/timeline/lanes/lane_tree.h"
#include "viewer/timeline/readable.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

namespace sla::timeline {

namespace {

// Groups in groups: names come out of files, and may have any number of parts.
constexpr int kDeepestGroup = 32;

// The part of a name from `from` to the next dot; empty when there is none.
std::string next_part(const std::string& name, std::size_t from) {
    const std::size_t dot = name.find('.', from);
    return dot == std::string::npos || dot == from ? std::string() : name.substr(from, dot - from);
}

// Of stamps of several hosts, the host first: that is what tells them apart where there is little space.
std::string title_of(const store::Session& session, const store::Source* source, SourceId id) {
    if (source == nullptr) return fmt::format("source {}", id.value);
    const bool has_pid = source->pid != 0 && source->kind != store::SourceKind::kAgent;
    const std::string title = has_pid ? fmt::format("{} ({})", source->name, source->pid) : source->name;
    if (session.hosts().empty()) return title;
    const auto host = session.hosts().find(source->host);
    const std::string& name = host == session.hosts().end() ? session.origin().host : host->second.name;
    return name.empty() ? title : name + ": " + title;
}

// Since the capture's start; nothing while nothing has come.
std::optional<std::string> start_of(const store::Session& session, const std::vector<const store::Lane*>& lanes) {
    std::optional<std::uint64_t> first;
    for (const store::Lane* lane : lanes) {
        if (!lane->empty()) first = std::min(first.value_or(store::kNever), lane->first_tick());
    }
    if (!first) return std::nullopt;
    return readable_time(session.clock().to_ps(*first), 1'000'000'000);
}

}  // namespace

LaneNodes::LaneNodes(const store::Session& session, const LaneArrangement& arrangement, const LaneNames& names,
                     const LaneHues& hues)
    : session_(session), arrangement_(arrangement), names_(names), hues_(hues) {
    for (const auto& [id, source] : session.sources()) ++titles_[title_of(session, &source, id)];
}

// Two of one name are told apart by their processes, else by when they began; the key has a number for the rest.
std::string LaneNodes::source_title(SourceId id, const std::vector<const store::Lane*>& lanes) {
    const store::Source* const source = session_.source(id);
    const std::string title = title_of(session_, source, id);
    const auto at = titles_.find(title);
    const std::size_t own = source == nullptr ? 0 : 1;
    if (at == titles_.end() || at->second <= own) return title;
    has_times_ = true;
    const auto start = start_of(session_, lanes);
    return start ? fmt::format("{}, from {}", title, *start) : names_.source_key(id);
}

void LaneNodes::begin_source(SourceId id, const std::vector<const store::Lane*>& lanes,
                             std::vector<const store::Lane*> in_order) {
    source_node_ = {RowKind::kSource, source_title(id, lanes), names_.source_key(id)};
    source_node_.lanes = lanes.size();
    source_node_.any = lanes.empty() ? nullptr : lanes.front();
    source_ = grouped(std::move(in_order), 0, 0);
}

void LaneNodes::go_on_with_source(std::size_t& most) {
    while (most > 0 && !is_source_whole()) most -= std::min(most, add_next(source_node_, source_));
}

LaneNode LaneNodes::take_source() {
    sort(source_node_);
    source_ = {};
    return std::move(source_node_);
}

LaneNode LaneNodes::lane(const store::Lane& lane, std::string name) const {
    const LaneNames::Known& known = *names_.find(lane);
    const std::string& key = *known.key;
    const LaneStyle& style = arrangement_.style(key);
    LaneNode node{RowKind::kLane, style.title.empty() ? std::move(name) : style.title, key, &lane, 1};
    node.pinned = style.pinned;
    node.hidden = style.hidden;
    node.hue = style.hue ? *style.hue : hue_beside(known.beside).value_or(hues_.of(lane));
    node.height = lane_height(lane, style);
    return node;
}

LaneNodes::Grouping LaneNodes::grouped(std::vector<const store::Lane*> lanes, std::size_t prefix, int depth) {
    Grouping out{std::move(lanes), prefix, depth};
    if (depth >= kDeepestGroup) return out;
    for (const store::Lane* lane : out.lanes) {
        std::string part = next_part(lane->channel().name, prefix);
        if (!part.empty()) out.members[std::move(part)].push_back(lane);
    }
    if (out.members.empty()) return out;
    for (auto lane = out.lanes.rbegin(); lane != out.lanes.rend(); ++lane) {  // "irq.0" before "irq.0.ack" and "irq.0.isr"
        const std::string& name = (*lane)->channel().name;
        if (name.size() <= prefix) continue;
        const auto group = out.members.find(name.substr(prefix));
        if (group != out.members.end() && group->second.size() > 1) group->second.insert(group->second.begin(), *lane);
    }
    return out;
}

// What is left of a name behind the group's. A lane that is named as the group stands there by its whole name, since its last
// part would read as that of another in the group; so does the one that would be called the same by what is left.
std::string LaneNodes::name_within(const Grouping& group, const std::string& name) {
    if (name.size() < group.prefix) return name;
    std::string rest = name.substr(group.prefix);
    const std::string& first = group.lanes.front()->channel().name;
    return first.size() < group.prefix && first == rest ? name : rest;
}

std::size_t LaneNodes::add_next(LaneNode& parent, Grouping& of) const {
    const store::Lane& lane = *of.lanes[of.next++];
    const std::string& name = lane.channel().name;
    std::string part = of.members.empty() ? std::string() : next_part(name, of.prefix);
    if (part.empty() && name.size() > of.prefix) part = name.substr(of.prefix);
    const auto found = of.members.find(part);
    if (found == of.members.end() || found->second.size() < 2) {
        parent.children.push_back(this->lane(lane, name_within(of, name)));
        return 1;
    }
    if (!of.done.insert(part).second) return 0;
    LaneNode below{RowKind::kGroup, part, parent.key + "/" + part};
    below.lanes = found->second.size();
    Grouping inside = grouped(found->second, of.prefix + part.size() + 1, of.depth + 1);
    while (inside.next < inside.lanes.size()) add_next(below, inside);
    while (below.children.size() == 1 && below.children[0].kind == RowKind::kGroup) {  // one head for "a" ▸ "b"
        LaneNode only = std::move(below.children[0]);
        only.name = below.name + "." + only.name;
        below = std::move(only);
    }
    sort(below);
    const std::size_t lanes = below.lanes;
    parent.children.push_back(std::move(below));
    return lanes;
}

// The person's order first; what is not in it follows by name, as it was.
void LaneNodes::sort(LaneNode& node) const {
    const auto found = arrangement_.order.find(node.key);
    if (found == arrangement_.order.end()) return;
    std::map<std::string, std::size_t> place;
    for (std::size_t i = 0; i < found->second.size(); ++i) place.emplace(found->second[i], i);
    const auto place_of = [&](const LaneNode& child) {
        const auto at = place.find(child.key);
        return at == place.end() ? place.size() : at->second;
    };
    std::stable_sort(node.children.begin(), node.children.end(),
                     [&](const LaneNode& a, const LaneNode& b) { return place_of(a) < place_of(b); });
}

}  // namespace sla::timeline
