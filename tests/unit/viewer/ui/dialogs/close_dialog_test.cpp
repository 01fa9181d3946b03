// What the question before something is closed says.
#include "viewer/ui/dialogs/close_dialog.h"
#include "tests/unit/viewer/ui/panels_fixture.h"

#include <string>

namespace sla::ui {
namespace {

using What = CloseDialog::What;

class ClosingQuestion : public Panels {
protected:
    void open_events(std::uint64_t count) {
        open([count](support::CaptureBuilder& capture) {
            const auto a = capture.channel("a");
            for (std::uint64_t i = 0; i < count; ++i) capture.tick(a, 2'000'000 + i * 1000);
        });
    }
    std::string hint(What what, std::size_t others = 0) {
        return CloseDialog::hint(app().document(), app().keys(), what, others);
    }
};

// The key that opens a tab again is of no use to a window that is gone.
TEST_F(ClosingQuestion, NamesTheKeyThatOpensItAgainOnlyWhereTheWindowStays) {
    open_events(3);
    EXPECT_NE(hint(What::kDocument).find("Ctrl+Shift+T"), std::string::npos) << hint(What::kDocument);
    EXPECT_EQ(hint(What::kAll), "They are in no file. A new window shows what the agent still holds.");
    EXPECT_EQ(hint(What::kAll, 1), "They are in no file. A new window shows what their agents still hold.");
}

TEST_F(ClosingQuestion, OneEventIsOne) {
    open_events(1);
    EXPECT_EQ(hint(What::kAll), "It is in no file. A new window shows what the agent still holds.");
    EXPECT_EQ(hint(What::kDocument).find("It is in no file. Opened again"), 0u) << hint(What::kDocument);
    EXPECT_EQ(hint(What::kAll, 2).find("They are in no file."), 0u) << "others lose something too";
}

}  // namespace
}  // namespace sla::ui
