// How the state of a feed or a trigger is called and coloured, wherever it is shown.
#pragma once

#include "viewer/ui/feed.h"
#include "viewer/ui/theme.h"

#include <string_view>

namespace sla::ui {

struct StateLook {
    const char* word;
    ImU32 colour;
};

inline StateLook state_look(const Theme& theme, FeedState state) {
    switch (state) {
        case FeedState::kNone: return {"no source", theme.stopped};
        case FeedState::kConnecting: return {"connecting", theme.cursor_a};
        case FeedState::kLive: return {"live", theme.live};
        case FeedState::kFull: return {"full", theme.loss};
        case FeedState::kStopped: return {"stopped", theme.stopped};
        case FeedState::kEnded: return {"agent finished", theme.stopped};
        case FeedState::kLost: return {"no connection", theme.loss};
        case FeedState::kLoading: return {"loading", theme.cursor_a};
        case FeedState::kLoaded: return {"capture", theme.accent};
    }
    return {"", theme.stopped};
}

// Of a trigger, by the agent's word for its state.
inline ImU32 trigger_colour(const Theme& theme, std::string_view state) {
    if (state == "armed") return theme.live;
    if (state == "fired" || state == "post-filling") return theme.trigger;
    if (state == "pre-filling") return theme.cursor_a;
    return theme.stopped;
}

}  // namespace sla::ui
