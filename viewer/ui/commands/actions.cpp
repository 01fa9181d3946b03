#include "viewer/ui/commands/actions.h"

#include "viewer/ui/commands/keymap.h"
#include "viewer/ui/widgets/context.h"

#include <vector>

namespace sla::ui {

std::span<const Action> actions() {
    static const std::vector<Action> kAll = [] {
        std::vector<Action> all;
        for (const auto part :
             {view_actions(), measure_actions(), lane_actions(), table_actions(), guest_actions(), window_actions()}) {
            all.insert(all.end(), part.begin(), part.end());
        }
        return all;
    }();
    return kAll;
}

const Action* action_named(std::string_view id) {
    for (const Action& action : actions()) {
        if (id == action.id) return &action;
    }
    return nullptr;
}

std::string unmet_precondition(const Context& context, const Action& action) {
    const char* const words = action.precondition == nullptr ? nullptr : action.precondition(context);
    return words == nullptr ? std::string() : context.keys.with_keys(words);
}

bool run_action(Context& context, const Action& action) {
    if (const std::string words = unmet_precondition(context, action); !words.empty()) {
        context.errors.notice(words);
        return false;
    }
    action.run(context);
    return true;
}

bool run_action(Context& context, std::string_view id) {
    const Action* action = action_named(id);
    return action != nullptr && run_action(context, *action);
}

}  // namespace sla::ui
