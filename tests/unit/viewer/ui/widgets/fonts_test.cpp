// Names in scripts that the window's fonts are not built with are drawn all the same, where the system has a font.
#include "tests/unit/viewer/ui/panels_fixture.h"
#include "viewer/ui/widgets/fallback_fonts.h"
#include "viewer/ui/widgets/paint.h"

namespace sla::ui {
namespace {

// Armenian, which DejaVu has.
constexpr const char* kArmenian = "\xD4\xB1\xD5\xB6\xD5\xA9\xD5\xA1\xD6\x81\xD6\x84";

bool has(const ImFont* font, unsigned character) {
    return font->FindGlyphNoFallback(static_cast<ImWchar>(character)) != nullptr;
}

TEST(FallbackFonts, AreFoundForWhatTheSystemHasAndNoMore) {
    EXPECT_FALSE(fonts_with({0x0531, 0x0576}).empty());
    EXPECT_TRUE(fonts_with({}).empty());
    EXPECT_TRUE(fonts_with({0xFDD0}).empty()) << "no character, in any font";
    EXPECT_EQ(fonts_with({0x0531, 0xFDD0}).size(), 1u);
}

TEST_F(Panels, NamesInOtherScriptsAreDrawn) {
    open([](support::CaptureBuilder& capture) {
        const auto name = capture.channel(kArmenian);
        capture.tick(name, 1'000'000);
        capture.tick(name, 2'000'000);
    });
    frames(40);
    EXPECT_TRUE(has(ImGui::GetIO().Fonts->Fonts[0], 0x0531));
    EXPECT_TRUE(has(ImGui::GetIO().Fonts->Fonts[0], 'A'));
    keep("armenian");
}

// Small titles are ours, with few characters; what else is drawn so brings its own, as an arrow's name does.
TEST_F(Panels, AFontOfOurOwnWordsTakesInWhatElseIsDrawnWithIt) {
    constexpr unsigned kZhe = 0x0416;
    const auto tiny = [] { return ImGui::GetIO().Fonts->Fonts[6]; };
    open_few();
    EXPECT_TRUE(has(ImGui::GetIO().Fonts->Fonts[0], kZhe));
    EXPECT_FALSE(has(tiny(), kZhe));
    EXPECT_GT(text_width(tiny(), "\xD0\x96"), 0.0F);
    frames(40);
    EXPECT_TRUE(has(tiny(), kZhe));
    EXPECT_TRUE(has(tiny(), '7'));
}

}  // namespace
}  // namespace sla::ui
