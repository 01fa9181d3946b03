#include "viewer/ui/keys.h"

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

}  // namespace sla::ui
