// The trigger editor: what to look for, checked while it is typed; how much is kept around it; and the state of every
// trigger of the agent, which is always what the agent says, never what was asked for.
#pragma once

#include "viewer/ui/widgets/context.h"
#include "viewer/workspace/trigger_draft.h"

#include <optional>
#include <string>

namespace sla::ui {

class TriggerPanel {
public:
    void draw(Context& context, const Rect& place);
    TriggerDraft& draft() { return draft_; }
    // What makes one doubt that the draft will ever fire, as of the frame before.
    [[nodiscard]] const std::vector<std::string>& doubts() const { return doubts_; }
    // Levels from a trigger file and to one, over no file but the one that was loaded or saved here. What went wrong is
    // shown below the buttons.
    void load(const std::string& path);
    void save(const std::string& path);
    [[nodiscard]] const std::string& file_problem() const { return file_problem_; }

private:
    void draw_form(Context& context);
    void draw_file(Context& context);
    void draw_answer(Context& context);
    void draw_problem(Context& context) const;
    void draw_triggers(Context& context);
    void draw_trigger(Context& context, const store::TriggerInfo& info);
    void edit(const store::TriggerInfo& info);

    TriggerDraft draft_;
    std::optional<TriggerDraft> checked_;  // what problem and doubts are about
    std::size_t checked_lanes_ = 0;
    std::string problem_;
    std::vector<std::string> doubts_;
    std::string file_;
    std::string loaded_;  // the file that the levels are from, or were saved to
    std::string file_problem_;
    bool focus_ = false;
};

}  // namespace sla::ui
