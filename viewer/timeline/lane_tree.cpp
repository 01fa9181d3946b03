#include "viewer/timeline/lane_tree.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>

namespace sla::timeline {

namespace {

constexpr float kSpanRow = 14;
constexpr float kLanePadding = 12;

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

std::string first_part(const std::string& name) {
    const std::size_t dot = name.find('.');
    return dot == std::string::npos || dot == 0 ? std::string() : name.substr(0, dot);
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
    for (const store::Lane* lane : session.lanes()) shape = mix(shape, static_cast<std::uint64_t>(lane_height(*lane)));
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

float lane_height(const store::Lane& lane) {
    if (lane.has(wire::Kind::kValue)) return LaneTree::kValueHeight;
    const auto rows = static_cast<float>(lane.spans().rows());
    return std::clamp(rows * kSpanRow + kLanePadding, LaneTree::kLaneHeight, LaneTree::kTallest);
}

void LaneTree::refresh(const store::Session& session) {
    const std::uint64_t shape = shape_of(session);
    if (!stale_ && shape == shape_) return;
    shape_ = shape;
    stale_ = false;
    rebuild(session);
}

void LaneTree::toggle(const std::string& key) {
    if (folded_.erase(key) == 0) folded_.insert(key);
    stale_ = true;
}

void LaneTree::rebuild(const store::Session& session) {
    rows_.clear();
    height_ = 0;
    hues_ = 0;
    std::map<SourceId, std::vector<const store::Lane*>> by_source;
    for (const store::Lane* lane : session.lanes()) by_source[lane->channel().source].push_back(lane);
    for (auto& [id, lanes] : by_source) add_source(session, id, std::move(lanes), by_source.size() == 1);
}

void LaneTree::add_source(const store::Session& session, SourceId id, std::vector<const store::Lane*> lanes, bool alone) {
    std::sort(lanes.begin(), lanes.end(),
              [](const store::Lane* a, const store::Lane* b) { return natural_less(a->channel().name, b->channel().name); });
    std::map<std::string, std::size_t> members;
    for (const store::Lane* lane : lanes) ++members[first_part(lane->channel().name)];
    members[std::string()] = 0;

    const int depth = alone ? 0 : 1;
    const std::string source_key = fmt::format("{}", id.value);
    const bool hidden = !alone && folded_.contains(source_key);
    if (!alone) {
        add_row({RowKind::kSource, 0, source_title(session.source(id), id), source_key, nullptr, hues_, lanes.size(), hidden,
                 0, kHeadHeight});
    }
    std::string open_group;
    bool group_hidden = false;
    for (const store::Lane* lane : lanes) {
        const std::string& name = lane->channel().name;
        const std::string part = first_part(name);
        const bool grouped = members[part] > 1;
        if (!grouped || part != open_group) ++hues_;
        if (grouped && part != open_group) {
            const std::string key = source_key + "." + part;
            group_hidden = folded_.contains(key);
            if (!hidden) {
                add_row(
                    {RowKind::kGroup, depth, part, key, nullptr, hues_ - 1, members[part], group_hidden, 0, kHeadHeight});
            }
        }
        open_group = grouped ? part : std::string();
        if (hidden || (grouped && group_hidden)) continue;
        add_row({RowKind::kLane,
                 depth + (grouped ? 1 : 0),
                 grouped ? name.substr(part.size() + 1) : name,
                 {},
                 lane,
                 hues_ - 1,
                 0,
                 false,
                 0,
                 lane_height(*lane)});
    }
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
    for (const TreeRow& row : rows_) {
        if (row.lane == lane) return &row;
    }
    return nullptr;
}

}  // namespace sla::timeline
