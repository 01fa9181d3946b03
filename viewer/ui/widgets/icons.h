// Icons drawn as lines, so that they are sharp at every scale and need no font.
#pragma once

#include <imgui.h>

namespace sla::ui {

enum class Icon {
    kNone,
    kRun,
    kStop,
    kFit,
    kFollow,
    kTheme,
    kHelp,
    kClose,
    kExport,
    kPanel,
    kTable,
    kFold,
    kUnfold,
    kGear,
    kMenu,
    kPanes
};

// In the middle of a square of `size` pixels whose centre is `centre`.
void draw_icon(ImDrawList& list, Icon icon, ImVec2 centre, float size, ImU32 colour);

}  // namespace sla::ui
