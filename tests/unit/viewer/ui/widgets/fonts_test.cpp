// Names in scripts that the window's fonts are not built with are drawn all the same, where the system has a font.
#include "viewer/ui/widgets/fonts.h"
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

// At the start only what most windows need is built; what else is drawn comes with it.
TEST_F(Panels, EveryFontTakesInWhatIsDrawnWithIt) {
    constexpr unsigned kZhe = 0x0416;
    const auto font = [](int number) { return ImGui::GetIO().Fonts->Fonts[number]; };
    open_few();
    EXPECT_FALSE(has(font(0), kZhe));
    EXPECT_GT(text_width(font(6), "\xD0\x96"), 0.0F);
    frames(40);
    for (int number : {0, 6}) {
        EXPECT_TRUE(has(font(number), kZhe)) << number;
        EXPECT_TRUE(has(font(number), '7')) << number;
    }
}

// Characters that the window cannot draw, as emoji, and those that no font has stand there as one sign each.
TEST_F(Panels, WhatCannotBeDrawnIsASignThatTakesItsSpace) {
    open_few();
    const ImFont* font = ImGui::GetIO().Fonts->Fonts[0];
    const float sign = text_width(font, "\xEF\xBF\xBD");
    EXPECT_GT(sign, 0.0F);
    EXPECT_EQ(text_width(font, "\xF0\x9F\x9A\x80"), sign) << "a rocket";
    EXPECT_FALSE(are_glyphs_missing()) << "there is nothing to look for";
    EXPECT_EQ(text_width(font, "\xEF\xB7\x90\xEF\xB7\x90"), 2 * sign) << "no character, in any font";
    frames(40);
    EXPECT_FALSE(are_glyphs_missing()) << "it was looked for once";
}

TEST_F(Panels, EveryFontHasOurOwnWordsFromTheStart) {
    open_few();
    for (const ImFont* font : ImGui::GetIO().Fonts->Fonts) {
        for (const unsigned character : {0xB1U, 0xB5U, 0xB7U, 0xD7U, 0x394U, 0x2009U, 0x2026U, 0x2190U, 0x2191U, 0x2192U,
                                         0x2193U, 0x21B5U, 0x2212U, 0x25B8U, 0x25C2U, 0x25CFU, 0x2713U})
            EXPECT_TRUE(has(font, character)) << character;
    }
}

}  // namespace
}  // namespace sla::ui
