// LaneNames: the keys of a session's lanes and sources (lane_arrangement.h), numbered where several have the same, and what is
// known of each lane by it.
#pragma once

#include "viewer/store/host_texts.h"
#include "viewer/store/session.h"

#include <cstddef>
#include <string>
#include <unordered_map>

namespace sla::timeline {

class LaneNames {
public:
    struct Known {
        const std::string* key = nullptr;
        std::size_t number = 0;  // in LaneList::lanes
        std::size_t beside = 0;  // which of those beside the session's it is, from 1; 0: none
    };

    void reserve(std::size_t lanes);
    // The session's lanes, in their order; then those beside it.
    void add(const store::Session& session, const store::Lane& lane);
    void add_beside(const store::Lane& lane);

    // Null: it is not among them.
    [[nodiscard]] const Known* find(const store::Lane& lane) const;
    [[nodiscard]] Known& of(const store::Lane& lane) { return known_.at(&lane); }
    [[nodiscard]] const store::Lane* lane_of(const std::string& key) const;
    [[nodiscard]] const std::string& source_key(SourceId source) const { return sources_.at(source); }
    [[nodiscard]] std::size_t sources() const { return sources_.size(); }
    // Two sources are processes of one name on one host.
    [[nodiscard]] bool are_shared() const { return shared_.any(); }

    // Frees so many of them, whole; true: none is left. All at once take milliseconds.
    bool let_go(std::size_t entries);

private:
    const std::string& add_source(const store::Session& session, SourceId id);

    std::unordered_map<const store::Lane*, Known> known_;
    std::unordered_map<std::string, const store::Lane*> by_key_;
    std::unordered_map<SourceId, std::string> sources_;
    std::size_t beside_ = 0;
    std::unordered_map<std::string, int> repeated_;  // how often a key came again
    std::unordered_map<std::string, int> source_names_;
    store::SharedNames shared_;
};

}  // namespace sla::timeline
