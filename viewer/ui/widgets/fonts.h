// The window's type: a proportional font for words, a monospaced one for numbers, built with FreeType at the wanted scale.
#pragma once

#include <imgui.h>

#include <string_view>

namespace sla::ui {

// All live in ImGui's atlas. None is null: where no font file is found ImGui's own font stands in.
struct Fonts {
    ImFont* text = nullptr;          // words
    ImFont* strong = nullptr;        // bold: groups, what matters
    ImFont* small = nullptr;         // labels on lanes, hints
    ImFont* heading = nullptr;       // bold: MEASURE, STATISTICS
    ImFont* number = nullptr;        // tables and readouts
    ImFont* small_number = nullptr;  // ruler, rates, values in bars
    ImFont* tiny = nullptr;          // scales inside lanes
    ImFont* big_number = nullptr;    // the Δ everybody looks for
};

// Fills the atlas of the current ImGui context; thin gaps (U+2009) become less than half a digit. What was missing until now
// is added, from whatever font of the system has it. With DejaVu alone a picture is the same wherever it is made.
enum class FontChoice : unsigned char { kBestInstalled, kOnlyDejavu };
Fonts load_fonts(float scale, FontChoice choice);

// Called with every text that is measured and is not plain: what `font` lacks of it is noted. One character at most costs a
// look into its table.
void note_missing(const ImFont& font, std::string_view text);
// Characters were noted that no fonts were built with yet: load_fonts() is worth it.
bool are_glyphs_missing();

}  // namespace sla::ui
