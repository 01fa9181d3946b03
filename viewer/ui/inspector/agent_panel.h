// The agent and its clock: what it uses, what it keeps, how well ticks are known as time; and a channel's switch and filter.
#pragma once

#include "viewer/ui/widgets/context.h"

#include <string>

namespace sla::ui {

class AgentPanel {
public:
    void draw(Context& context, const Rect& place);
    // What stands in the field.
    [[nodiscard]] const std::string& filter() const { return filter_; }

private:
    void draw_channel(Context& context);
    void draw_settings(Context& context, const std::string& channel, const std::string& agents_filter);

    std::string lane_;           // key of the one whose fields these are
    std::string filter_;         // as typed; while nobody types, the agent's
    std::string agents_filter_;  // at the last look
    std::string keep_;
};

}  // namespace sla::ui
