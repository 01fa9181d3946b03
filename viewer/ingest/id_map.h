// IdMap<Id>: the ids of one stream to the ids of the session. They are the same until an agent is restarted and numbers
// anew.
#pragma once

#include <cstdint>
#include <functional>
#include <unordered_map>
#include <unordered_set>

namespace sla::ingest {

template <typename Id>
class IdMap {
public:
    // The session's id of the stream's id; made up when it was never announced.
    Id operator[](std::uint32_t stream_id) const {
        const auto at = ids_.find(stream_id);
        return at == ids_.end() ? Id{stream_id} : at->second;
    }
    [[nodiscard]] bool knows(std::uint32_t stream_id) const { return ids_.contains(stream_id); }
    // False: every answer is the question.
    [[nodiscard]] bool renumbers() const { return renumbers_; }

    // Chooses the session's id for a newly announced one: `twin` (of an earlier agent) when there is one and it is not taken
    // yet, else the stream's own id when `is_free` says so, else the next free one.
    Id announce(std::uint32_t stream_id, const Id* twin, const std::function<bool(Id)>& is_free) {
        Id id = twin != nullptr && !taken_.contains(*twin) ? *twin : Id{stream_id};
        if (twin == nullptr || id != *twin) {
            while (taken_.contains(id) || !is_free(id)) ++id.value;
        }
        ids_[stream_id] = id;
        taken_.insert(id);
        renumbers_ = renumbers_ || id.value != stream_id;
        return id;
    }
    [[nodiscard]] bool taken(Id id) const { return taken_.contains(id); }

    void forget() {
        ids_.clear();
        taken_.clear();
        renumbers_ = false;
    }

private:
    std::unordered_map<std::uint32_t, Id> ids_;
    std::unordered_set<Id> taken_;
    bool renumbers_ = false;
};

}  // namespace sla::ingest
