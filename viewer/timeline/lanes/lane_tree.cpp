#include "viewer/timeline/lanes/lane_tree.h"

#include "viewer/timeline/lanes/lane_nodes.h"

#include <algorithm>
#include <string>

namespace sla::timeline {

namespace {

constexpr float kSpanRow = 14;
constexpr float kLanePadding = 12;

}  // namespace

LaneLook look_of(const store::Lane& lane, const LaneStyle& style) {
    if (style.look != LaneLook::kAuto) return style.look;
    return lane.has_only(wire::Kind::kText) ? LaneLook::kState : LaneLook::kMarks;
}

float lane_height(const store::Lane& lane, const LaneStyle& style) {
    const float factor = style.tall ? 2.0F : 1.0F;
    if (style.look == LaneLook::kState) return LaneTree::kLaneHeight * factor;
    if (style.look == LaneLook::kRate) return LaneTree::kValueHeight * factor;
    if (lane.has(wire::Kind::kValue)) return LaneTree::kValueHeight * factor;
    const auto rows = static_cast<float>(lane.spans().rows());
    return std::clamp(rows * kSpanRow + kLanePadding, LaneTree::kLaneHeight, LaneTree::kTallest) * factor;
}

// Changes whenever rows would come out differently.
std::uint64_t LaneTree::shape_of(const store::Session& session) const {
    return session.changes().shapes() * 2 + (is_live ? 1 : 0) + 1;
}

// Rows of many lanes were made a moment ago, and all of these are still there.
bool LaneTree::may_wait(const store::Session& session) const {
    const auto& lanes = session.lanes();
    if (built_.size() < kManyLanes || lanes.size() < built_.size()) return false;
    return std::chrono::steady_clock::now() < not_before_ && std::equal(built_.begin(), built_.end(), lanes.begin());
}

void LaneTree::refresh(const store::Session& session) {
    constexpr int kPauseOfCost = 100;  // fewer than one frame in a hundred
    constexpr std::chrono::milliseconds kLongestPause{2000};
    const bool is_wanted = stale_ || session_ != &session || arrangement != built_from_;
    const std::uint64_t shape = shape_of(session);
    const std::uint64_t begun = session.changes().lanes_with_rows();
    const bool is_as_it_was = shape == shape_ && (begun == begun_ || !has_times_);
    if (!is_wanted && (is_as_it_was || may_wait(session))) return;
    ++revision_;
    if (!stale_ && session_ == &session && is_as_it_was && is_only_folded()) {
        built_from_ = arrangement;
        return list_rows();
    }
    const auto begin = std::chrono::steady_clock::now();
    session_ = &session;
    shape_ = shape;
    begun_ = begun;
    stale_ = false;
    built_from_ = arrangement;
    arrange(session);
    list_rows();
    built_.assign(session.lanes().begin(), session.lanes().end());
    const auto end = std::chrono::steady_clock::now();
    not_before_ = end + std::min<std::chrono::steady_clock::duration>(kPauseOfCost * (end - begin), kLongestPause);
}

bool LaneTree::is_only_folded() const {
    return arrangement.lanes == built_from_.lanes && arrangement.order == built_from_.order &&
           arrangement.links == built_from_.links;
}

void LaneTree::set_derived(std::vector<const store::Lane*> lanes) {
    derived_ = std::move(lanes);
    stale_ = true;
}

bool LaneTree::is_derived(const store::Lane& lane) const {
    return std::find(derived_.begin(), derived_.end(), &lane) != derived_.end();
}

void LaneTree::toggle(const std::string& key) {
    arrangement.toggle_fold(key);
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
    const auto found = known_.find(&lane);
    return found == known_.end() ? kNone : found->second.key;
}

const std::string* LaneTree::folded_under(const store::Lane* lane) const {
    const auto found = known_.find(lane);
    return found == known_.end() ? nullptr : shown_[found->second.number].folded_under;
}

const store::Lane* LaneTree::lane_of(const std::string& key) const {
    const auto found = by_key_.find(key);
    return found == by_key_.end() ? nullptr : found->second;
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
    const auto found = known_.find(lane);
    const std::size_t row = found == known_.end() ? kNoRow : shown_[found->second.number].row;
    return row == kNoRow ? nullptr : &rows_[row];
}

std::size_t LaneTree::hue_of(const store::Lane& lane) const {
    const auto& chosen = style_of(lane).hue;
    if (chosen) return *chosen;
    const auto derived = std::find(derived_.begin(), derived_.end(), &lane);
    if (derived == derived_.end()) return hues_.of(lane);
    const auto at = static_cast<std::size_t>(derived - derived_.begin());
    return kHues - 1 - at % kHues;  // from the other end than the session's
}

}  // namespace sla::timeline
