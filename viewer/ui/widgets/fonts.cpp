#include "viewer/ui/widgets/fonts.h"

#include "proto/base/whole_file.h"
#include "proto/wire/utf8.h"
#include "viewer/ui/widgets/fallback_fonts.h"

#include <imgui_freetype.h>

#include <cmath>
#include <filesystem>
#include <initializer_list>
#include <iterator>
#include <set>
#include <string>
#include <vector>

namespace sla::ui {

namespace {

constexpr ImWchar kGap = 0x2009;

// What our own words and numbers use, and the names of most channels: Latin, Greek, some punctuation, arrows and shapes. Whatever
// else a name or a text has is added when it is drawn first; each character here takes its time at every start, eight times.
constexpr ImWchar kRanges[] = {0x0020, 0x017F, 0x0391, 0x03C9, 0x2009, 0x2026, 0x2190, 0x2195, 0x21B5,
                               0x21B5, 0x2212, 0x2212, 0x221E, 0x221E, 0x2248, 0x2248, 0x2264, 0x2265,
                               0x25A0, 0x25CF, 0x2713, 0x2713, 0xFFFD, 0xFFFD, 0};

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

constexpr std::size_t kMaxExtra = 3000;  // characters beyond kRanges: their pictures share one texture

// Characters that texts have and kRanges has not, and those of them that fonts were built with, or could not be.
struct Extra {
    std::set<std::uint16_t> wanted;
    std::size_t built = 0;        // of the wanted, which only grow
    std::vector<ImWchar> ranges;  // of the newest build; the atlas looks at them
    std::vector<ImWchar> ranges_of_all{std::begin(kRanges), std::end(kRanges)};  // with kRanges; likewise
    std::vector<std::string> data;  // of the newest build's fallback fonts; likewise
    std::vector<FontFile> files;
};

Extra& extra() {
    static Extra of_the_window;
    return of_the_window;
}

void find_extra() {
    Extra& all = extra();
    if (all.built == all.wanted.size()) return;
    all.built = all.wanted.size();
    all.ranges.clear();
    for (const std::uint16_t character : all.wanted) {
        if (!all.ranges.empty() && all.ranges.back() + 1 == character) {
            all.ranges.back() = character;
        } else {
            all.ranges.insert(all.ranges.end(), {character, character});
        }
    }
    all.ranges.push_back(0);
    all.ranges_of_all.assign(std::begin(kRanges), std::end(kRanges) - 1);
    all.ranges_of_all.insert(all.ranges_of_all.end(), all.ranges.begin(), all.ranges.end());
    all.files = fonts_with(all.wanted);
    all.data.clear();
    for (const FontFile& file : all.files) {
        Result<std::string> data = read_whole_file(file.path);
        all.data.push_back(data ? std::move(*data) : std::string());
    }
}

ImFontConfig config_of() {
    ImFontConfig config;
    config.OversampleH = 1;
    config.PixelSnapH = true;
    config.FontBuilderFlags = ImGuiFreeTypeBuilderFlags_LightHinting;
    return config;
}

void add_extra(float pixels) {
    Extra& all = extra();
    for (std::size_t i = 0; i < all.files.size(); ++i) {
        if (all.data[i].empty()) continue;
        ImFontConfig config = config_of();
        config.MergeMode = true;
        config.FontDataOwnedByAtlas = false;
        config.FontNo = static_cast<int>(all.files[i].index);
        ImGui::GetIO().Fonts->AddFontFromMemoryTTF(all.data[i].data(), static_cast<int>(all.data[i].size()),
                                                   std::round(pixels), &config, all.ranges.data());
    }
}

ImFont* add(const std::string& path, float pixels) {
    ImFontAtlas& atlas = *ImGui::GetIO().Fonts;
    ImFontConfig config = config_of();
    if (path.empty()) {
        config.SizePixels = std::round(pixels);
        return atlas.AddFontDefault(&config);
    }
    ImFont* font = atlas.AddFontFromFileTTF(path.c_str(), std::round(pixels), &config, extra().ranges_of_all.data());
    add_extra(pixels);
    return font;
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

void note_missing(const ImFont& font, std::string_view text) {
    Extra& all = extra();
    while (!text.empty()) {
        const wire::Character next = wire::first_character(text);
        text.remove_prefix(next.bytes);
        const std::uint32_t code = next.code_point;
        if (code < 0x80 || code > 0xFFFF || font.FindGlyphNoFallback(static_cast<ImWchar>(code)) != nullptr) continue;
        if (all.wanted.size() < kMaxExtra) all.wanted.insert(static_cast<std::uint16_t>(code));
    }
}

bool are_glyphs_missing() {
    return extra().built < extra().wanted.size();
}

Fonts load_fonts(float scale, FontChoice choice) {
    ImFontAtlas& atlas = *ImGui::GetIO().Fonts;
    atlas.Clear();
    find_extra();
    atlas.FontBuilderIO = ImGuiFreeType::GetBuilderForFreeType();
    const std::string words = find_font({"dejavu/DejaVuSans.ttf"});
    const std::string bold = find_font({"dejavu/DejaVuSans-Bold.ttf", "dejavu/DejaVuSans.ttf"});
    std::string digits;
    if (choice == FontChoice::kBestInstalled)
        digits = find_font({"jetbrains-mono/JetBrainsMono-Regular.ttf", "jetbrains/JetBrainsMono-Regular.ttf"});
    if (digits.empty()) digits = find_font({"dejavu/DejaVuSansMono.ttf"});
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
