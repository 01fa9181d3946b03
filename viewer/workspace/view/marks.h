// What a person has placed and chosen in a capture. Of the document, not of a pane: two panes show the same marks.
// Owner: the window's thread; lanes pointed at live as long as the session.
#pragma once

#include "viewer/store/session.h"
#include "viewer/timeline/cursor.h"
#include "viewer/workspace/view/annotations.h"

#include <cstdint>
#include <optional>

namespace sla::workspace {

struct Selection {
    const store::Lane* lane = nullptr;  // null: a place in time
    std::uint64_t index = 0;            // of the lane's events; without a lane it tells two at one tick apart
    std::uint64_t tick = 0;             // the lane's own; without a lane the axis's
    bool operator==(const Selection&) const = default;
};

enum class CursorName : std::uint8_t { kA, kB };

struct Marks {
    timeline::CursorPair cursors;
    std::optional<CursorName> follows_mouse;  // this cursor moves with the mouse until a click
    timeline::Cursor follows_from;            // where it was when that began
    Annotations annotations;
    const store::Lane* focus = nullptr;
    std::optional<Selection> selection;

    std::optional<timeline::Cursor>& cursor(CursorName name) { return name == CursorName::kA ? cursors.a : cursors.b; }
    // Where times are counted from.
    [[nodiscard]] std::int64_t zero_ps(const store::Session& session) const {
        return annotations.zero ? session.clock().to_ps(*annotations.zero) : 0;
    }
    // The lanes pointed at are those of the other session of the same agent, which may have more rows in front.
    void move_to(const store::Session& longer);
    // A lane goes, and another one, or none (null), stands for it: of the same row, if that has the same tick.
    void follow(const store::Lane& gone, const store::Lane* successor);
};

}  // namespace sla::workspace
