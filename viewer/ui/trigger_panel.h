// The trigger editor: what to look for, checked while it is typed; how much is kept around it; and the state of every
// trigger of the agent, which is always what the agent says, never what was asked for.
#pragma once

#include "viewer/ui/context.h"

#include <map>
#include <string>

namespace sla::ui {

class AgentLink;

// What stands in the fields, as the command line's words.
struct TriggerDraft {
    std::string name;
    std::string text;  // an expression, or the levels of a trigger file
    std::string window = "20ms";
    int pre_percent = 50;
    int shots = 0;
    std::string hold_off;
    std::string actions;  // parted by semicolons

    [[nodiscard]] bool is_sequencer() const;
    // kInvalidInput names the column in the text and points at it.
    [[nodiscard]] Result<void> check() const;
    // What the agent is asked for; the draft must be good.
    void order_from(AgentLink& agent) const;
};

class TriggerPanel {
public:
    void draw(Context& context, const Rect& place);
    TriggerDraft& draft() { return draft_; }
    // The text's field takes the keyboard in the next frame.
    void focus_text() { focus_ = true; }

private:
    void draw_form(Context& context);
    void draw_answer(Context& context);
    void draw_triggers(Context& context);
    void draw_trigger(Context& context, const store::TriggerInfo& info);
    void edit(Context& context, const store::TriggerInfo& info);

    TriggerDraft draft_;
    std::map<std::string, TriggerDraft> set_here_;  // by name
    std::string checked_;  // the draft's words that `problem_` is about
    std::string problem_;
    bool focus_ = false;
};

}  // namespace sla::ui
