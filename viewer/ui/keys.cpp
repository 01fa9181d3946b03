#include "viewer/ui/keys.h"

#include <algorithm>
#include <vector>

namespace sla::ui {

void handle_keys(Context& context) {
    for (const Chord& chord : pressed_chords()) {
        const Action* action = context.keys.action_for(chord);
        // A capital that means nothing by itself is the letter: Shift or the lock was left on.
        const bool letter = chord.key.size() == 1 && chord.key[0] >= 'A' && chord.key[0] <= 'Z';
        if (action == nullptr && letter && chord.shift && !chord.ctrl) {
            action = context.keys.action_for({false, false, chord.key});
        }
        if (action != nullptr) run_action(context, *action);
    }
}

bool is_asked_for(const Context& context, std::string_view action) {
    const std::vector<Chord> chords = pressed_chords();
    return std::any_of(chords.begin(), chords.end(), [&](const Chord& chord) {
        const Action* const of = context.keys.action_for(chord);
        return of != nullptr && of->id == action;
    });
}

}  // namespace sla::ui
