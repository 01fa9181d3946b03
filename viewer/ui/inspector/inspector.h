// The instruments at the right: what the cursors measure with statistics of the focused lane and all channels; the trigger
// editor; the agent and its clock; counters; registers of an emulated PC.
#pragma once

#include "viewer/ui/inspector/agent_panel.h"
#include "viewer/ui/inspector/channel_list.h"
#include "viewer/ui/inspector/counters_panel.h"
#include "viewer/ui/inspector/registers_panel.h"
#include "viewer/ui/inspector/statistics_panel.h"
#include "viewer/ui/inspector/trigger_panel.h"
#include "viewer/ui/widgets/context.h"

namespace sla::ui {

class Inspector {
public:
    void draw(Context& context);
    // Takes over what was typed and chosen in another one.
    void go_on_from(Inspector& before);
    TriggerPanel& trigger() { return trigger_; }
    [[nodiscard]] const StatisticsPanel& statistics() const { return statistics_; }
    [[nodiscard]] const AgentPanel& agent() const { return agent_; }
    CountersPanel& counters() { return counters_; }
    RegistersPanel& registers() { return registers_; }

private:
    void draw_tabs(Context& context, const Rect& place);
    void draw_numbers(Context& context, const Rect& inside);

    StatisticsPanel statistics_;
    ChannelList channels_;
    TriggerPanel trigger_;
    AgentPanel agent_;
    CountersPanel counters_;
    RegistersPanel registers_;
};

// Draws the measurement into `place` and returns the height it took.
float draw_measure(Context& context, const Rect& place);
// "label          value unit" in one line.
void draw_reading(Context& context, const Rect& line, std::string_view label, std::string_view value, ImU32 label_colour);

}  // namespace sla::ui
