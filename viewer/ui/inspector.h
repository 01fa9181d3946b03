// The instruments at the right: what the cursors measure, statistics of the focused lane in view, channels and gaps.
#pragma once

#include "viewer/ui/channel_list.h"
#include "viewer/ui/context.h"
#include "viewer/ui/gap_list.h"
#include "viewer/ui/statistics.h"

namespace sla::ui {

class Inspector {
public:
    void draw(Context& context);

private:
    enum class Tab { kChannels, kGaps };
    void draw_tabs(Context& context, const Rect& place);

    Statistics statistics_;
    ChannelList channels_;
    GapList gaps_;
    Tab tab_ = Tab::kChannels;
};

// Draws the measurement into `place` and returns the height it took.
float draw_measure(Context& context, const Rect& place);
// "label          value unit" in one line.
void draw_reading(Context& context, const Rect& line, std::string_view label, std::string_view value, ImU32 label_colour);

}  // namespace sla::ui
