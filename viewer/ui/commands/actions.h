// Everything that can be done by key: one table, from which keys, the menu, the command palette and the help are made.
#pragma once

#include <span>
#include <string_view>

namespace sla::ui {

struct Context;

struct Action {
    const char* id;     // what the key file calls it: "zoom-in"
    const char* group;  // heading in menu and help
    const char* title;
    const char* keys;  // when the person chose no others; chords parted by blanks
    void (*run)(Context&);
    const char* (*precondition)(
        const Context&);         // why it cannot be done now, {ID} for keys, null: it can; null itself: it always can
    bool (*on)(const Context&);  // switches: shown with a tick; null: no switch
};

// In the order in which they are shown; those of a group stand together.
std::span<const Action> actions();
const Action* action_named(std::string_view id);
// Why it cannot be done now; "": it can.
std::string unmet_precondition(const Context& context, const Action& action);
// Runs it, or says why it cannot be.
bool run_action(Context& context, const Action& action);
bool run_action(Context& context, std::string_view id);

// The bar below the toolbar reports losses, not a message.
bool shows_losses(const Context& context);

// The parts of the table, one file each.
std::span<const Action> view_actions();
std::span<const Action> measure_actions();
std::span<const Action> lane_actions();
std::span<const Action> table_actions();
std::span<const Action> window_actions();
std::span<const Action> guest_actions();

}  // namespace sla::ui
