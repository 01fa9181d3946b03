#include "viewer/timeline/lanes/lane_list.h"

#include "viewer/timeline/lanes/natural_order.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace sla::timeline {

namespace {

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

bool is_named_before(const store::Lane* a, const store::Lane* b) {
    return natural_less(a->channel().name, b->channel().name);
}

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

}  // namespace

bool LaneList::let_go(std::size_t most) {
    for (LaneNode* node : {&pinned, &root}) {
        for (; most > 0 && !node->children.empty(); --most) {
            LaneNode* parent = node;
            while (!parent->children.back().children.empty()) parent = &parent->children.back();
            parent->children.pop_back();
        }
    }
    return names.let_go(most) && root.children.empty();
}

LaneListMaker::LaneListMaker(const store::Session& session, const LaneArrangement& arrangement,
                             const std::vector<const store::Lane*>& beside, bool is_live, LaneHues& hues)
    : session_(session),
      arrangement_(arrangement),
      beside_(beside),
      is_live_(is_live),
      hues_(hues),
      list_(std::make_unique<LaneList>()),
      nodes_(session, arrangement, list_->names, hues) {
    list_->of_session.assign(session.lanes().begin(), session.lanes().end());
    list_->names.reserve(list_->of_session.size());
}

void LaneListMaker::step(std::size_t lanes) {
    for (; lanes > 0 && next_ < list_->of_session.size(); --lanes) place(*list_->of_session[next_++], false);
    if (next_ < list_->of_session.size()) return;
    if (!next_source_) {
        for (const store::Lane* lane : beside_) place(*lane, true);
        next_source_ = of_sources_.cbegin();
    }
    for (; *next_source_ != of_sources_.cend(); ++*next_source_) {
        if (lanes == 0 || !go_on_with_source(lanes)) return;
    }
    if (!std::exchange(has_root_, true)) return make_root();
    for (; numbered_ < to_number_.size() && lanes > 0; ++numbered_) {
        LaneNode& node = *to_number_[numbered_];
        number(node, &node == &list_->pinned);
        lanes -= std::min(lanes, node.lanes + 1);
    }
    is_complete_ = numbered_ == to_number_.size();
}

void LaneListMaker::place(const store::Lane& lane, bool is_beside) {
    if (is_beside) {
        list_->names.add_beside(lane);
    } else {
        list_->names.add(session_, lane);
        of_sources_[lane.channel().source].push_back(&lane);
    }
    const LaneStyle& style = arrangement_.style(*list_->names.find(lane)->key);
    list_->hidden += style.hidden ? 1 : 0;
    const bool is_grouped = is_beside || !style.group.empty();
    if (!is_grouped) by_source_[lane.channel().source].push_back(&lane);
    if (is_grouped || style.pinned) apart_.push_back(&lane);
}

bool LaneListMaker::sort_some(std::size_t& lanes) {
    constexpr std::size_t kRun = 256;
    constexpr std::size_t kMergedForOne = 16;  // two lanes are compared in a small part of the time that a lane takes
    std::vector<const store::Lane*>& all = making_->in_order;
    std::size_t& run = making_->run;
    const auto at = [&](std::size_t place) {
        return all.begin() + static_cast<std::ptrdiff_t>(std::min(place, all.size()));
    };
    while (run < all.size()) {
        if (lanes == 0) return false;
        const std::size_t step = run == 0 ? kRun : 2 * run;
        std::size_t& next = making_->next;
        const std::size_t taken = std::min(step, all.size() - next);
        if (run == 0) {
            std::sort(at(next), at(next + step), is_named_before);
        } else {
            std::inplace_merge(at(next), at(next + run), at(next + step), is_named_before);
        }
        lanes -= std::min(lanes, 1 + taken / kMergedForOne);
        next += taken;
        if (next < all.size()) continue;
        next = 0;
        run = step;
    }
    return true;
}

bool LaneListMaker::go_on_with_source(std::size_t& lanes) {
    const auto& [id, its] = **next_source_;
    if (!making_) making_ = Making{its};
    if (!sort_some(lanes)) return false;
    if (!making_->shared) making_->shared = shared_parts(making_->in_order);
    const std::string& key = list_->names.source_key(id);
    std::size_t& hued = making_->with_hue;
    const std::size_t until = std::min(making_->in_order.size(), hued + std::max<std::size_t>(lanes, 1));
    if (hued < until) lanes -= std::min(lanes, (until - hued) / 2);
    for (; hued < until; ++hued) hues_.add(key, *making_->in_order[hued], *making_->shared);
    if (hued < making_->in_order.size()) return false;
    const auto found = by_source_.find(id);
    if (found != by_source_.end()) {
        if (!std::exchange(making_->has_groups, true)) {
            std::vector<const store::Lane*> in_order;
            for (const store::Lane* lane : making_->in_order) {
                if (arrangement_.style(*list_->names.of(*lane).key).group.empty()) in_order.push_back(lane);
            }
            nodes_.begin_source(id, found->second, std::move(in_order));
        }
        nodes_.go_on_with_source(lanes);
        if (!nodes_.is_source_whole()) return false;
        sources_.emplace(id, nodes_.take_source());
    }
    making_.reset();
    return true;
}

void LaneListMaker::make_root() {
    LaneNode& root = list_->root;
    LaneNode& pinned = list_->pinned;
    pinned.key = kPinnedParent;
    LaneNode derived{RowKind::kGroup, "questions", kDerivedKey};
    std::map<std::string, LaneNode> own;
    for (const store::Lane* lane : apart_) {
        LaneNode node = nodes_.lane(*lane, lane->channel().name);
        const std::string& name = arrangement_.style(node.key).group;
        const bool is_beside = list_->names.of(*lane).beside != 0;
        if (node.pinned) pinned.children.push_back(node);
        if (name.empty() && !is_beside) continue;
        LaneNode& group =
            name.empty() ? derived : own.try_emplace(name, LaneNode{RowKind::kGroup, name, "@" + name}).first->second;
        group.children.push_back(std::move(node));
        ++group.lanes;
    }
    for (auto& [name, group] : own) {
        nodes_.sort(group);
        root.children.push_back(std::move(group));
    }
    const SourceOrder order = in_order(session_, by_source_, is_live_);
    for (const SourceId id : order.first) {
        LaneNode& source = sources_.at(id);
        if (by_source_.size() > 1) {
            root.children.push_back(std::move(source));
            continue;
        }
        for (LaneNode& child : source.children) root.children.push_back(std::move(child));
    }
    nodes_.sort(pinned);
    nodes_.sort(derived);
    if (!derived.children.empty()) root.children.push_back(std::move(derived));
    nodes_.sort(root);
    if (!order.ended.empty()) {
        const std::size_t count = order.ended.size();
        LaneNode ended{RowKind::kGroup, count == 1 ? "1 ended" : fmt::format("{} ended", count), kEndedKey};
        for (const SourceId id : order.ended) {
            ended.lanes += sources_.at(id).lanes;
            ended.children.push_back(std::move(sources_.at(id)));
        }
        root.children.push_back(std::move(ended));
    }
    list_->has_times = nodes_.has_times();
    list_->lanes.reserve(list_->of_session.size() + beside_.size());
    to_number_ = {&pinned};
    for (LaneNode& node : root.children) {
        if (node.key != kEndedKey) {
            to_number_.push_back(&node);
        } else {
            for (LaneNode& ended : node.children) to_number_.push_back(&ended);
        }
    }
}

// A pinned lane has its number above, and no other row.
void LaneListMaker::number(LaneNode& node, bool pinned) {
    for (LaneNode& child : node.children) number(child, pinned);
    if (node.lane == nullptr) return;
    LaneNames::Known& known = list_->names.of(*node.lane);
    if (node.pinned == pinned) {
        known.number = list_->lanes.size();
        list_->lanes.push_back(node.lane);
    }
    node.number = known.number;
}

}  // namespace sla::timeline
