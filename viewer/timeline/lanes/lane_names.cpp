#include "viewer/timeline/lanes/lane_names.h"

#include "viewer/timeline/lanes/lane_arrangement.h"

#include <fmt/format.h>

namespace sla::timeline {

void LaneNames::reserve(std::size_t lanes) {
    known_.reserve(lanes);
    by_key_.reserve(lanes);
}

const std::string& LaneNames::add_source(const store::Session& session, SourceId id) {
    const auto [its, is_new] = sources_.try_emplace(id);
    if (!is_new) return its->second;
    const store::Source* source = session.source(id);
    its->second = source == nullptr ? "source" : source->name;
    const int count = ++source_names_[its->second];
    if (count > 1) its->second += fmt::format("#{}", count);
    if (source != nullptr) shared_.add(*source);
    return its->second;
}

void LaneNames::add(const store::Session& session, const store::Lane& lane) {
    std::string key = add_source(session, lane.channel().source) + ":" + lane.channel().name;
    if (by_key_.contains(key)) key += fmt::format("#{}", ++repeated_[key] + 1);
    const auto at = by_key_.insert_or_assign(std::move(key), &lane).first;
    known_[&lane] = {&at->first};
}

void LaneNames::add_beside(const store::Lane& lane) {
    const auto at = by_key_.insert_or_assign(kDerivedKey + ":" + lane.channel().name, &lane).first;
    known_[&lane] = {&at->first, 0, ++beside_};
}

const LaneNames::Known* LaneNames::find(const store::Lane& lane) const {
    const auto found = known_.find(&lane);
    return found == known_.end() ? nullptr : &found->second;
}

const store::Lane* LaneNames::lane_of(const std::string& key) const {
    const auto found = by_key_.find(key);
    return found == by_key_.end() ? nullptr : found->second;
}

bool LaneNames::let_go(std::size_t entries) {
    for (; entries > 0 && !known_.empty(); --entries) known_.erase(known_.begin());
    for (; entries > 0 && !by_key_.empty(); --entries) by_key_.erase(by_key_.begin());
    return known_.empty() && by_key_.empty();
}

}  // namespace sla::timeline
