// Why something cannot be done now, in words for the person who asked for it, "{ID}" for the key of an action; null: nothing is in
// its way.
#pragma once

#include "viewer/ui/widgets/context.h"

namespace sla::ui {

inline const char* without_lanes(const Context& c) {
    return c.session.lanes().empty() ? "There are no channels yet: open a capture or an agent" : nullptr;
}

inline const char* without_focus(const Context& c) {
    if (const char* words = without_lanes(c)) return words;
    return c.marks.focus == nullptr ? "No lane is focused: click one, or press {focus-down}" : nullptr;
}

inline const char* without_a(const Context& c) {
    return c.marks.cursors.a ? nullptr : "Cursor A is not placed: press {cursor-a} over the lanes";
}

inline const char* without_both(const Context& c) {
    return c.marks.cursors.a && c.marks.cursors.b
               ? nullptr
               : "A and B are not both placed: press {cursor-a} and {cursor-b} over the lanes";
}

inline const char* without_agent(const Context& c) {
    return c.source.can_run() ? nullptr : "Not live: there is no agent to run or to stop";
}

inline const char* without_live_data(const Context& c) {
    if (c.view.follow() || is_running(c.status.state)) return nullptr;
    return c.source.can_run() ? "Not live: nothing to follow until {run} connects again" : "Not live: nothing to follow";
}

inline const char* without_trigger(const Context& c) {
    if (c.marks.annotations.zero || !c.session.shots().empty()) return nullptr;
    return "No trigger has fired, and t = 0 is not set";
}

inline const char* without_shots(const Context& c) {
    return c.session.shots().size() > 1 ? nullptr : "There are no two shots to lay over each other";
}

inline const char* without_hits(const Context& c) {
    const Search& search = c.document.search;
    if (search.mode() == SearchMode::kNothing) return "Nothing is searched for: {search}";
    return search.busy() || !search.hits().empty() ? nullptr : "Nothing was found";
}

inline const char* without_rows(const Context& c) {
    return c.document.rows.size() == 0 ? "The table is empty" : nullptr;
}

}  // namespace sla::ui
