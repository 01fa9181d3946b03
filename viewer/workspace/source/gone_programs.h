// Until when the lanes of programs that have ended are known: a program that is gone holds no level and is in no span. As
// `sla check` counts (analysis/known_extents.h), but some lanes a frame, while more may come.
// Owner: the window's thread. A frame looks at 512 lanes at most.
#pragma once

#include "viewer/store/session.h"

#include <cstddef>
#include <cstdint>
#include <map>

namespace sla::workspace {

class GonePrograms {
public:
    // Once a frame; the session outlives it. Of very many lanes what it says is some frames old.
    void refresh(const store::Session& session);
    // The newest event of its program where that is gone, else `now`.
    [[nodiscard]] std::uint64_t known_until(const store::Lane& lane, std::uint64_t now) const;
    // More frames are needed until it is right.
    [[nodiscard]] bool is_looking() const { return is_looking_; }
    // Counts up whenever known_until() says something else.
    [[nodiscard]] std::uint64_t revision() const { return revision_; }

private:
    using Newest = std::map<SourceId, std::uint64_t>;

    const store::Session* session_ = nullptr;
    Newest newest_;  // of each program that is gone
    std::uint64_t revision_ = 0;
    // Of the next look:
    Newest looking_;
    std::size_t next_lane_ = 0;
    std::uint64_t looked_at_ = ~std::uint64_t{0};  // the session's revision when it was begun
    bool is_looking_ = false;
};

}  // namespace sla::workspace
