#include "viewer/ui/widgets/fallback_fonts.h"

#include <fontconfig/fontconfig.h>

#include <memory>

namespace sla::ui {

namespace {

constexpr int kMaxFonts = 4;  // each costs memory for every size that is drawn

template <auto kFree>
struct Freed {
    template <typename T>
    void operator()(T* held) const {
        kFree(held);
    }
};
using Config = std::unique_ptr<FcConfig, Freed<FcConfigDestroy>>;
using Characters = std::unique_ptr<FcCharSet, Freed<FcCharSetDestroy>>;
using Pattern = std::unique_ptr<FcPattern, Freed<FcPatternDestroy>>;

// The font that has the most of them; nothing when none has any.
Pattern best_match(FcConfig* config, FcCharSet* characters) {
    const Pattern wanted(FcPatternCreate());
    FcPatternAddCharSet(wanted.get(), FC_CHARSET, characters);
    FcPatternAddBool(wanted.get(), FC_SCALABLE, FcTrue);
    FcPatternAddBool(wanted.get(), FC_COLOR, FcFalse);
    FcPatternAddString(wanted.get(), FC_FAMILY, reinterpret_cast<const FcChar8*>("sans-serif"));
    FcConfigSubstitute(config, wanted.get(), FcMatchPattern);
    FcDefaultSubstitute(wanted.get());
    FcResult result = FcResultNoMatch;
    return Pattern(FcFontMatch(config, wanted.get(), &result));
}

}  // namespace

std::vector<FontFile> fonts_with(const std::set<std::uint16_t>& characters) {
    std::vector<FontFile> fonts;
    const Config config(FcInitLoadConfigAndFonts());
    if (config == nullptr) return fonts;
    Characters missing(FcCharSetCreate());
    for (const std::uint16_t character : characters) FcCharSetAddChar(missing.get(), character);
    while (fonts.size() < kMaxFonts && FcCharSetCount(missing.get()) > 0) {
        const Pattern match = best_match(config.get(), missing.get());
        FcCharSet* has = nullptr;
        FcChar8* path = nullptr;
        int index = 0;
        if (match == nullptr || FcPatternGetCharSet(match.get(), FC_CHARSET, 0, &has) != FcResultMatch) break;
        if (FcPatternGetString(match.get(), FC_FILE, 0, &path) != FcResultMatch) break;
        FcPatternGetInteger(match.get(), FC_INDEX, 0, &index);
        if (FcCharSetIntersectCount(missing.get(), has) == 0) break;
        fonts.push_back({reinterpret_cast<const char*>(path), static_cast<unsigned>(index) & 0xFFFFU});
        missing.reset(FcCharSetSubtract(missing.get(), has));
    }
    return fonts;
}

}  // namespace sla::ui
