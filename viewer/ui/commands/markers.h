// Cursors, markers and kept ranges as places to go to, to rename and to delete.
#pragma once

#include "viewer/timeline/cursor.h"
#include "viewer/ui/widgets/context.h"

#include <optional>
#include <string>
#include <vector>

namespace sla::ui {

struct MarkerLine {
    std::string name;
    std::uint64_t tick = 0;
    ImU32 colour = 0;
    MarkerRef ref;
    std::uint64_t until = 0;                          // of a range
    std::uint32_t host = timeline::Cursor::kAnyHost;  // whose stamp it is, of a cursor that stands on an event
};
// In the order of time.
std::vector<MarkerLine> marker_lines(const Context& context);

// As the cursors measure it.
timeline::Measurement measure_between(const MarkerLine& from, const MarkerLine& to, const store::Session& session);
timeline::Measurement length_of(const MarkerLine& range, const store::Session& session);

// It was chosen last.
bool is_chosen(const Context& context, const MarkerLine& line);
// What was chosen last, if it is still there and can be deleted and renamed.
std::optional<MarkerLine> chosen_marker(const Context& context);
// Goes there and chooses it.
void go_to_marker(Context& context, const MarkerLine& line);
// To the one after, or before, what is in the middle of the view.
void step_marker(Context& context, bool forward);
void remove_marker(Context& context, const MarkerRef& marker);

}  // namespace sla::ui
