// The menu of questions that are kept with the capture: keeps the one that is typed under a name, as a lane, as a column of the
// event table or as it is; lists those that are kept, with what became of them.
#pragma once

#include "viewer/ui/widgets/context.h"

#include <string>

namespace sla::ui {

class KeptQuestionsMenu {
public:
    // A button that opens it.
    void draw(Context& context, const Rect& place);

private:
    void draw_keeping(Context& context);
    void draw_kept(Context& context);

    std::string name_;
    std::string problem_;
};

}  // namespace sla::ui
