// How the state of a source or a trigger is called and coloured, wherever it is shown.
#pragma once

#include "viewer/ui/widgets/theme.h"
#include "viewer/workspace/source/data_source.h"

#include <string_view>

namespace sla::ui {

struct StateStyle {
    const char* word;
    ImU32 colour;
};

inline StateStyle state_style(const Theme& theme, SourceState state) {
    switch (state) {
        case SourceState::kNone: return {"no source", theme.stopped};
        case SourceState::kConnecting: return {"connecting", theme.cursor_a};
        case SourceState::kLive: return {"live", theme.live};
        case SourceState::kFull: return {"full", theme.loss};
        case SourceState::kStopped: return {"stopped", theme.stopped};
        case SourceState::kEnded: return {"agent finished", theme.stopped};
        case SourceState::kLost: return {"no connection", theme.loss};
        case SourceState::kLoading: return {"loading", theme.cursor_a};
        case SourceState::kLoaded: return {"capture", theme.accent};
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
