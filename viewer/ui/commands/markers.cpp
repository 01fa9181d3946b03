#include "viewer/ui/commands/markers.h"

#include <algorithm>

namespace sla::ui {

std::vector<MarkerLine> marker_lines(const Context& context) {
    using What = MarkerRef::What;
    std::vector<MarkerLine> lines;
    const auto& cursors = context.marks.cursors;
    if (const auto& a = cursors.a) lines.push_back({"A", a->tick, context.theme.cursor_a, {What::kCursor, 0}, 0, a->host});
    if (const auto& b = cursors.b) lines.push_back({"B", b->tick, context.theme.cursor_b, {What::kCursor, 1}, 0, b->host});
    const Annotations& notes = context.marks.annotations;
    for (std::size_t i = 0; i < notes.markers.size(); ++i) {
        lines.push_back({notes.markers[i].name, notes.markers[i].tick, context.theme.text, {What::kMarker, i}});
    }
    for (std::size_t i = 0; i < notes.ranges.size(); ++i) {
        const KeptRange& range = notes.ranges[i];
        lines.push_back({range.name, range.from, context.theme.text, {What::kRange, i}, range.to});
    }
    std::stable_sort(lines.begin(), lines.end(), [](const auto& a, const auto& b) { return a.tick < b.tick; });
    return lines;
}

timeline::Measurement measure_between(const MarkerLine& from, const MarkerLine& to, const store::Session& session) {
    const auto cursor = [](const MarkerLine& line) { return timeline::Cursor{.tick = line.tick, .host = line.host}; };
    return *timeline::measure({cursor(from), cursor(to)}, session);
}

timeline::Measurement length_of(const MarkerLine& range, const store::Session& session) {
    return *timeline::measure({timeline::Cursor{range.tick}, timeline::Cursor{range.until}}, session);
}

bool is_chosen(const Context& context, const MarkerLine& line) {
    const PanelState& panels = context.document.panels;
    return line.ref == panels.chosen_marker && line.name == panels.chosen_name;
}

std::optional<MarkerLine> chosen_marker(const Context& context) {
    const auto& chosen = context.document.panels.chosen_marker;
    if (!chosen || chosen->what == MarkerRef::What::kCursor) return std::nullopt;
    for (const MarkerLine& line : marker_lines(context)) {
        if (is_chosen(context, line)) return line;
    }
    return std::nullopt;
}

void remove_marker(Context& context, const MarkerRef& marker) {
    Annotations& notes = context.marks.annotations;
    const auto at = static_cast<std::ptrdiff_t>(marker.at);
    if (marker.what == MarkerRef::What::kRange && marker.at < notes.ranges.size()) {
        notes.ranges.erase(notes.ranges.begin() + at);
    } else if (marker.what == MarkerRef::What::kMarker && marker.at < notes.markers.size()) {
        notes.markers.erase(notes.markers.begin() + at);
    }
    auto& chosen = context.document.panels.chosen_marker;  // those behind move up
    if (chosen && chosen->what == marker.what && chosen->at > marker.at) --chosen->at;
}

void go_to_marker(Context& context, const MarkerLine& line) {
    context.document.panels.chosen_marker = line.ref;
    context.document.panels.chosen_name = line.name;
    context.document.panels.reveal_marker = true;
    if (line.ref.what == MarkerRef::What::kRange && line.until > line.tick) {
        context.view.show({line.tick, line.until}, 0.1);
    } else {
        context.view.go_to(line.tick);
    }
}

void step_marker(Context& context, bool forward) {
    const std::vector<MarkerLine> lines = marker_lines(context);
    if (lines.empty()) return;
    const timeline::Viewport& port = context.view.target();
    const std::uint64_t middle = port.tick_at(port.width() / 2);
    const auto current = std::find_if(lines.begin(), lines.end(), [&](const MarkerLine& line) {
        return is_chosen(context, line) && port.visible().first <= line.tick && line.tick <= port.visible().last;
    });
    auto at = static_cast<std::size_t>(current - lines.begin());
    if (current == lines.end()) {  // from the place in view
        const auto later = [middle](const MarkerLine& line) { return line.tick > middle; };
        at = static_cast<std::size_t>(std::find_if(lines.begin(), lines.end(), later) - lines.begin());
        if (forward) at = at == 0 ? lines.size() - 1 : at - 1;
    }
    go_to_marker(context, lines[(at + (forward ? 1 : lines.size() - 1)) % lines.size()]);
}

}  // namespace sla::ui
