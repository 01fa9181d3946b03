#include "viewer/ui/keys.h"

#include "viewer/ui/lanes_mouse.h"
#include "viewer/ui/visible_lanes.h"

#include <algorithm>

namespace sla::ui {

namespace {

constexpr double kZoomStep = 0.7;
constexpr double kPanShare = 0.15;

void zoom(Context& context, double factor) {
    const double middle = context.view.port().width() / 2;
    context.view.zoom_at(context.mouse_in_lanes() ? context.lanes_x(ImGui::GetIO().MousePos.x) : middle, factor);
}

void pan(Context& context, double direction) {
    context.view.glide_pan(direction * kPanShare * context.view.port().width());
}

bool show_between_cursors(Context& context) {
    const timeline::CursorPair& cursors = context.view.cursors;
    if (!cursors.a || !cursors.b || cursors.a->tick == cursors.b->tick) return false;
    const auto [first, last] = std::minmax(cursors.a->tick, cursors.b->tick);
    context.view.show({first, last}, 0.1);
    return true;
}

void fit(Context& context) {
    const timeline::TickRange before = context.view.target().visible();
    // The range first, then, pressed again, everything.
    if (show_between_cursors(context) && !(context.view.target().visible() == before)) return;
    context.view.fit();
}

void stick(Context& context, CursorName name) {
    if (context.view.stuck == name) {
        context.view.stuck.reset();
        return;
    }
    context.view.stuck = name;
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    if (context.mouse_in_lanes()) {
        context.view.cursor(name) = cursor_at(context, mouse.x, mouse.y);
    } else if (!context.view.cursor(name)) {
        context.view.cursor(name) = timeline::Cursor{context.view.port().tick_at(context.view.port().width() / 2), false};
    }
}

void drop_cursor(Context& context) {
    View& view = context.view;
    if (view.stuck) {
        view.cursor(*view.stuck).reset();
        view.stuck.reset();
    } else if (view.cursors.b) {
        view.cursors.b.reset();
    } else if (view.cursors.a) {
        view.cursors.a.reset();
    } else {
        view.selection.reset();
    }
}

// The next or previous edge of the focused lane becomes the selection.
void step_edge(Context& context, bool forward) {
    const store::Lane* lane = context.view.focus;
    if (lane == nullptr || lane->empty()) return;
    std::optional<timeline::Edge> edge;
    const auto& selection = context.view.selection;
    if (selection && selection->lane == lane) {
        const bool at_end = forward ? selection->index + 1 >= lane->size() : selection->index == 0;
        if (at_end) return;
        const std::uint64_t index = forward ? selection->index + 1 : selection->index - 1;
        edge = timeline::Edge{lane, index, lane->tick(index)};
    } else {
        const std::uint64_t middle = context.view.target().tick_at(context.view.target().width() / 2);
        edge = forward ? timeline::edge_after(*lane, middle) : timeline::edge_before(*lane, middle);
    }
    if (!edge) return;
    context.view.selection = Selection{lane, edge->index, edge->tick};
    context.view.reveal(edge->tick);
    scroll_to(context, *lane);
}

void handle_character(Context& context, unsigned character) {
    switch (character) {
        case 'w':
        case '+':
        case '=': zoom(context, kZoomStep); break;
        case 's':
        case '-': zoom(context, 1 / kZoomStep); break;
        case 'a': pan(context, -1); break;
        case 'd': pan(context, 1); break;
        case 'f': fit(context); break;
        case 'z': show_between_cursors(context); break;
        case 'l': context.view.set_follow(!context.view.follow() && context.feed.can_run()); break;
        case 'g': context.requests.go_to = true; break;
        case ' ': context.requests.toggle_run = true; break;
        case ',': step_edge(context, false); break;
        case '.': step_edge(context, true); break;
        case '1': stick(context, CursorName::kA); break;
        case '2': stick(context, CursorName::kB); break;
        case '?': context.requests.toggle_help = true; break;
        default: break;
    }
}

void handle_arrows(Context& context) {
    const bool shift = ImGui::GetIO().KeyShift;
    if (ImGui::IsKeyPressed(kKeyUp)) zoom(context, kZoomStep);
    if (ImGui::IsKeyPressed(kKeyDown)) zoom(context, 1 / kZoomStep);
    for (const int key : {kKeyLeft, kKeyRight}) {
        if (!ImGui::IsKeyPressed(key)) continue;
        if (shift) {
            pan(context, key == kKeyLeft ? -1 : 1);
        } else {
            step_edge(context, key == kKeyRight);
        }
    }
}

}  // namespace

void handle_keys(Context& context) {
    const ImGuiIO& io = ImGui::GetIO();
    if (io.WantTextInput) return;
    if (!io.KeyCtrl) {
        for (const ImWchar character : io.InputQueueCharacters) handle_character(context, character);
    }
    handle_arrows(context);
    if (io.KeyCtrl && ImGui::IsKeyPressed(kKeyE, false)) context.requests.export_table = true;
    if (ImGui::IsKeyPressed(kKeyEscape, false)) drop_cursor(context);
    if (ImGui::IsKeyPressed(kKeyHome)) context.view.go_to_start();
    if (ImGui::IsKeyPressed(kKeyEnd)) context.view.go_to_end();
    const float page = context.layout.lanes.height * 0.8F;
    if (ImGui::IsKeyPressed(kKeyPageUp)) context.view.lane_scroll -= page;
    if (ImGui::IsKeyPressed(kKeyPageDown)) context.view.lane_scroll += page;
}

}  // namespace sla::ui
