// The instruments at the right: what the cursors measure with statistics of the focused lane and all channels; the trigger
// editor; the agent and its clock.
#pragma once

#include "viewer/ui/agent_panel.h"
#include "viewer/ui/channel_list.h"
#include "viewer/ui/context.h"
#include "viewer/ui/statistics.h"
#include "viewer/ui/trigger_panel.h"

namespace sla::ui {

enum class InspectorTab { kMeasure, kTrigger, kAgent };

class Inspector {
public:
    void draw(Context& context);
    void show(InspectorTab tab) { tab_ = tab; }
    [[nodiscard]] InspectorTab tab() const { return tab_; }
    TriggerPanel& trigger() { return trigger_; }
    [[nodiscard]] const Statistics& statistics() const { return statistics_; }

private:
    void draw_tabs(Context& context, const Rect& place);
    void draw_numbers(Context& context, const Rect& inside);

    Statistics statistics_;
    ChannelList channels_;
    TriggerPanel trigger_;
    AgentPanel agent_;
    InspectorTab tab_ = InspectorTab::kMeasure;
};

// Draws the measurement into `place` and returns the height it took.
float draw_measure(Context& context, const Rect& place);
// "label          value unit" in one line.
void draw_reading(Context& context, const Rect& line, std::string_view label, std::string_view value, ImU32 label_colour);

}  // namespace sla::ui
