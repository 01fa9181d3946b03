// Every channel with its rate and what it lost, in the order of the lanes; clicking one brings its lane into sight.
#pragma once

#include "viewer/ui/widgets/context.h"

namespace sla::ui {

class ChannelList {
public:
    void draw(Context& context, const Rect& place);

private:
    double first_ = 0;
};

}  // namespace sla::ui
