#include "viewer/ui/fonts.h"

#include <imgui_freetype.h>

#include <cmath>
#include <filesystem>
#include <initializer_list>
#include <string>

namespace sla::ui {

namespace {

constexpr ImWchar kGap = 0x2009;

// Latin, Greek, punctuation, arrows, mathematics, box and geometric shapes: what names of channels and our own words use.
constexpr ImWchar kRanges[] = {0x0020, 0x024F, 0x0370, 0x03FF, 0x0400, 0x04FF, 0x2000, 0x206F, 0x20A0, 0x20BF, 0x2100,
                               0x22FF, 0x2500, 0x25FF, 0x2600, 0x26FF, 0x27F0, 0x27FF, 0xFFFD, 0xFFFD, 0};

// Debian's places; the first that exists wins.
std::string find_font(std::initializer_list<const char*> names) {
    for (const char* name : names) {
        for (const char* folder : {"/usr/share/fonts/truetype/", "/usr/share/fonts/", "/usr/local/share/fonts/"}) {
            std::string path = std::string(folder) + name;
            std::error_code ignored;
            if (std::filesystem::is_regular_file(path, ignored)) return path;
        }
    }
    return {};
}

ImFont* add(const std::string& path, float pixels) {
    ImFontAtlas& atlas = *ImGui::GetIO().Fonts;
    ImFontConfig config;
    config.OversampleH = 1;
    config.PixelSnapH = true;
    config.FontBuilderFlags = ImGuiFreeTypeBuilderFlags_LightHinting;
    if (path.empty()) {
        config.SizePixels = std::round(pixels);
        return atlas.AddFontDefault(&config);
    }
    return atlas.AddFontFromFileTTF(path.c_str(), std::round(pixels), &config, kRanges);
}

void narrow_gap(ImFont& font) {
    const ImFontGlyph* digit = font.FindGlyphNoFallback('0');
    auto* gap = const_cast<ImFontGlyph*>(font.FindGlyphNoFallback(kGap));
    if (digit == nullptr) return;
    const float width = std::max(1.0F, std::round(digit->AdvanceX * 0.45F));
    if (gap == nullptr) {
        font.AddGlyph(nullptr, kGap, 0, 0, 0, 0, 0, 0, 0, 0, width);
    } else {
        gap->AdvanceX = width;
    }
    font.BuildLookupTable();
}

}  // namespace

Fonts load_fonts(float scale) {
    ImFontAtlas& atlas = *ImGui::GetIO().Fonts;
    atlas.Clear();
    atlas.FontBuilderIO = ImGuiFreeType::GetBuilderForFreeType();
    const std::string words = find_font({"dejavu/DejaVuSans.ttf"});
    const std::string bold = find_font({"dejavu/DejaVuSans-Bold.ttf", "dejavu/DejaVuSans.ttf"});
    const std::string digits = find_font(
        {"jetbrains-mono/JetBrainsMono-Regular.ttf", "jetbrains/JetBrainsMono-Regular.ttf", "dejavu/DejaVuSansMono.ttf"});
    Fonts fonts;
    fonts.text = add(words, 15.0F * scale);
    fonts.strong = add(bold, 15.0F * scale);
    fonts.small = add(words, 12.0F * scale);
    fonts.heading = add(bold, 11.0F * scale);
    fonts.number = add(digits, 14.0F * scale);
    fonts.small_number = add(digits, 12.0F * scale);
    fonts.tiny = add(digits, 10.0F * scale);
    fonts.big_number = add(digits, 20.0F * scale);
    atlas.Build();
    for (ImFont* font : {fonts.text, fonts.strong, fonts.small, fonts.heading, fonts.number, fonts.small_number, fonts.tiny,
                         fonts.big_number}) {
        narrow_gap(*font);
    }
    return fonts;
}

}  // namespace sla::ui
