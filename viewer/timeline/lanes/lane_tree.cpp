#include "viewer/timeline/lanes/lane_tree.h"

#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <utility>

namespace sla::timeline {

namespace {

constexpr float kSpanRow = 14;
constexpr float kLanePadding = 12;
constexpr std::size_t kFreedAtATime = 1000;  // lanes: some 0.2 ms

const LaneNode* node_of(const LaneNode& top, const std::string& key) {
    if (top.key == key) return &top;
    for (const LaneNode& child : top.children) {
        if (const LaneNode* const found = child.lane != nullptr ? nullptr : node_of(child, key)) return found;
    }
    return nullptr;
}

}  // namespace

bool has_states(const store::Lane& lane) {
    const auto has = [&](wire::Kind kind) { return lane.has(kind); };
    constexpr std::array kSaying = {wire::Kind::kTick, wire::Kind::kLevel, wire::Kind::kValue, wire::Kind::kText};
    return std::any_of(kSaying.begin(), kSaying.end(), has) || lane.size() == 0;
}

LaneLook look_of(const store::Lane& lane, const LaneStyle& style) {
    if (style.look == LaneLook::kState && !has_states(lane)) return LaneLook::kMarks;
    if (style.look != LaneLook::kAuto) return style.look;
    return lane.has_only(wire::Kind::kText) ? LaneLook::kState : LaneLook::kMarks;
}

float lane_height(const store::Lane& lane, const LaneStyle& style) {
    const float factor = style.tall ? 2.0F : 1.0F;
    if (style.look == LaneLook::kState && has_states(lane)) return LaneTree::kLaneHeight * factor;
    if (style.look == LaneLook::kRate) return LaneTree::kValueHeight * factor;
    if (lane.has(wire::Kind::kValue)) return LaneTree::kValueHeight * factor;
    const auto rows = static_cast<float>(lane.spans().rows());
    return std::clamp(rows * kSpanRow + kLanePadding, LaneTree::kLaneHeight, LaneTree::kTallest) * factor;
}

LaneTree::State LaneTree::state_of(const store::Session& session) const {
    return {session.changes().shapes() * 2 + (is_live ? 1 : 0) + 1, session.changes().lanes_with_rows()};
}

bool LaneTree::is_as_it_was(const store::Session& session) const {
    const State now = state_of(session);
    return now.shape == state_.shape && (now.begun == state_.begun || !list_->has_times);
}

bool LaneTree::are_still_there(const store::Session& session) const {
    const auto& known = maker_ == nullptr ? list_->of_session : maker_->of_session();
    const auto& lanes = session.lanes();
    return lanes.size() >= known.size() && std::equal(known.begin(), known.end(), lanes.begin());
}

void LaneTree::refresh(const store::Session& session) {
    if (leaving_ != nullptr && leaving_->let_go(kFreedAtATime)) leaving_.reset();
    const bool is_changed = arrangement != built_from_;
    const bool is_same = !stale_ && session_ == &session && (!is_changed || is_only_folded());
    if (is_same && !is_changed && maker_ == nullptr && is_as_it_was(session)) return;
    const bool may_come_later = is_same && list_->of_session.size() >= kManyLanes && are_still_there(session);
    if (is_changed && is_same && (may_come_later || is_as_it_was(session))) {
        built_from_ = arrangement;
        list_rows();
    }
    if (may_come_later) {
        if (maker_ == nullptr && (is_as_it_was(session) || Clock::now() < not_before_)) return;
        if (maker_ == nullptr) begin_list(session);
        if (maker_->is_complete()) return take_list();
        go_on_with_list();
        return;
    }
    if (is_same && is_as_it_was(session)) return;
    stale_ = false;
    if (session_ != &session) hues_.forget_lanes();
    session_ = &session;
    built_from_ = arrangement;
    begin_list(session);
    while (!maker_->is_complete()) go_on_with_list();
    take_list();
}

void LaneTree::begin_list(const store::Session& session) {
    next_state_ = state_of(session);
    making_ = {};
    maker_ = std::make_unique<LaneListMaker>(session, arrangement, derived_, is_live, hues_);
}

void LaneTree::go_on_with_list() {
    constexpr std::size_t kLanesAtATime = 64;
    constexpr std::chrono::microseconds kAtATime{700};
    const auto begin = Clock::now();
    auto end = begin;
    for (; !maker_->is_complete() && end - begin < kAtATime; end = Clock::now()) maker_->step(kLanesAtATime);
    making_ += end - begin;
}

void LaneTree::take_list() {
    constexpr int kPauseOfCost = 100;  // fewer than one frame in a hundred
    constexpr std::chrono::milliseconds kLongestPause{2000};
    leaving_ = std::exchange(list_, maker_->take());
    maker_.reset();
    state_ = next_state_;
    list_rows();
    not_before_ = Clock::now() + std::min<Clock::duration>(kPauseOfCost * making_, kLongestPause);
}

bool LaneTree::is_only_folded() const {
    return arrangement.lanes == built_from_.lanes && arrangement.order == built_from_.order &&
           arrangement.links == built_from_.links;
}

void LaneTree::set_derived(std::vector<const store::Lane*> lanes) {
    derived_ = std::move(lanes);
    stale_ = true;
}

void LaneTree::colour_anew() {
    maker_.reset();
    hues_ = {};
    stale_ = true;
}

bool LaneTree::is_derived(const store::Lane& lane) const {
    const LaneNames::Known* const known = list_->names.find(lane);
    return known != nullptr && known->beside != 0;
}

void LaneTree::toggle(const std::string& key) {
    arrangement.toggle_fold(key);
}

// What is hidden or not there today keeps its place among the others.
void LaneTree::move(const TreeRow& row, const std::string& before) {
    const LaneNode* const parent = row.pinned ? &list_->pinned : node_of(list_->root, row.parent);
    if (parent == nullptr) return;  // it has gone while somebody held the row
    std::vector<std::string>& keys = arrangement.order[row.pinned ? kPinnedParent : row.parent];
    const std::set<std::string> placed(keys.begin(), keys.end());
    for (const LaneNode& child : parent->children) {
        if (!placed.contains(child.key)) keys.push_back(child.key);
    }
    std::erase(keys, row.key);
    keys.insert(std::find(keys.begin(), keys.end(), before), row.key);
}

const std::string& LaneTree::key_of(const store::Lane& lane) const {
    static const std::string kNone;
    const LaneNames::Known* const known = list_->names.find(lane);
    return known == nullptr ? kNone : *known->key;
}

const std::string* LaneTree::folded_under(const store::Lane* lane) const {
    const LaneNames::Known* const known = lane == nullptr ? nullptr : list_->names.find(*lane);
    return known == nullptr ? nullptr : shown_[known->number].folded_under;
}

const store::Lane* LaneTree::lane_of(const std::string& key) const {
    return list_->names.lane_of(key);
}

const std::string& LaneTree::title_of(const store::Lane& lane) const {
    const LaneStyle& style = style_of(lane);
    return style.title.empty() ? lane.channel().name : style.title;
}

std::size_t LaneTree::row_at(float y) const {
    const auto after =
        std::upper_bound(rows_.begin(), rows_.end(), y, [](float at, const TreeRow& row) { return at < row.y; });
    if (after == rows_.begin()) return rows_.size();
    const auto row = after - 1;
    return y < row->y + row->height ? static_cast<std::size_t>(row - rows_.begin()) : rows_.size();
}

const TreeRow* LaneTree::row_of(const store::Lane* lane) const {
    const LaneNames::Known* const known = lane == nullptr ? nullptr : list_->names.find(*lane);
    const std::size_t row = known == nullptr ? kNoRow : shown_[known->number].row;
    return row == kNoRow ? nullptr : &rows_[row];
}

std::size_t LaneTree::hue_of(const store::Lane& lane) const {
    const auto& chosen = style_of(lane).hue;
    const LaneNames::Known* const known = list_->names.find(lane);
    return chosen ? *chosen : hue_beside(known == nullptr ? 0 : known->beside).value_or(hues_.of(lane));
}

}  // namespace sla::timeline
