#include "viewer/ui/commands/keys.h"
#include "viewer/ui/commands/keymap.h"

#include <algorithm>
#include <vector>

namespace sla::ui {

namespace {

// Null: it means nothing.
const Action* action_of(const Context& context, const Chord& chord) {
    const Action* const action = context.keys.action_for(chord);
    // A capital that means nothing by itself is the letter: Shift or the lock was left on.
    const bool letter = chord.key.size() == 1 && chord.key[0] >= 'A' && chord.key[0] <= 'Z';
    const bool may_be_letter = action == nullptr && letter && chord.shift && !chord.ctrl;
    return may_be_letter ? context.keys.action_for({false, false, chord.key}) : action;
}

}  // namespace

void handle_keys(Context& context) {
    for (const Chord& chord : pressed_chords()) {
        if (const Action* const action = action_of(context, chord)) run_action(context, *action);
    }
}

bool is_asked_for(const Context& context, std::string_view action) {
    const std::vector<Chord> chords = pressed_chords();
    return std::any_of(chords.begin(), chords.end(), [&](const Chord& chord) {
        const Action* const of = action_of(context, chord);
        return of != nullptr && of->id == action;
    });
}

}  // namespace sla::ui
