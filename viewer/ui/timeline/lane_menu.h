// What can be done with one lane: by right click on it, and by key with the focused one.
#pragma once

#include "viewer/ui/widgets/context.h"

#include <string>

namespace sla::ui {

class LaneMenu {
public:
    void draw(Context& context);

private:
    // True when Enter ended it.
    bool draw_style(Context& context, timeline::LaneStyle& style);
    void draw_links(Context& context);

    std::string key_;  // of the lane
    const store::Lane* lane_ = nullptr;
    bool opening_ = false;
    std::string title_, group_, offset_;
    std::string problem_;
};

}  // namespace sla::ui
