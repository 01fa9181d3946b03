// The agent and its clock: what it uses, what it keeps, how well ticks are known as time; and a channel's switch and filter.
#pragma once

#include "viewer/ui/widgets/context.h"

#include <string>

namespace sla::ui {

class AgentPanel {
public:
    void draw(Context& context, const Rect& place);

private:
    void draw_channel(Context& context);

    const store::Lane* lane_ = nullptr;
    std::string filter_;
    std::string keep_;
};

}  // namespace sla::ui
