// The box of what is open and what may be opened.
#include "tests/unit/viewer/ui/panels_fixture.h"

#include <imgui_internal.h>

namespace sla::ui {
namespace {

// Its 52 letters take more than 350 pixels.
TEST_F(Panels, TheFieldForWhatIsOpenedShowsItsWholeHint) {
    for (const float scale : {1.0F, 2.0F}) {
        open(support::add_few, ThemeName::kDark, 1280, 720, scale);
        ctrl('O');
        frames(3);
        ASSERT_FALSE(ImGui::GetCurrentContext()->OpenPopupStack.empty());
        const ImGuiWindow* box = ImGui::GetCurrentContext()->OpenPopupStack.back().Window;
        EXPECT_GT(item("Open").x - box->Pos.x, 370 * scale);
        EXPECT_LE(box->Pos.x + box->Size.x, 1280);
        keep(scale == 1 ? "sources" : "sources-2x");
    }
}

}  // namespace
}  // namespace sla::ui
