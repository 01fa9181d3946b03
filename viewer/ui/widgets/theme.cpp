#include "viewer/ui/widgets/theme.h"

namespace sla::ui {

namespace {

constexpr ImU32 rgb(unsigned hex) {
    return IM_COL32((hex >> 16) & 0xFFU, (hex >> 8) & 0xFFU, hex & 0xFFU, 0xFF);
}

Theme dark() {
    Theme theme{};
    theme.name = ThemeName::kDark;
    theme.background = rgb(0x14171C);
    theme.panel = rgb(0x1B1F26);
    theme.raised = rgb(0x272D37);
    theme.line = rgb(0x2A303A);
    theme.grid = rgb(0x1E232B);
    theme.stripe = rgb(0x171B21);
    theme.text = rgb(0xD7DCE3);
    theme.dim = rgb(0x8A93A0);
    theme.accent = rgb(0x4CC2FF);
    theme.selection = rgb(0x1F3A4D);
    theme.cursor_a = rgb(0xFFB454);
    theme.cursor_b = rgb(0x4FD8E0);
    theme.on_cursor = rgb(0x14171C);
    theme.trigger = rgb(0xE06CFF);
    theme.loss = rgb(0xF25C54);
    theme.hit = rgb(0xFFFFFF);
    theme.live = rgb(0x4CD07D);
    theme.stopped = rgb(0x8A93A0);
    theme.error_bar = rgb(0x4A2326);
    theme.on_error = rgb(0xFFD9D6);
    theme.warning_bar = rgb(0x43351A);
    theme.on_warning = rgb(0xFFE3B3);
    theme.lanes = {rgb(0x56B4E9), rgb(0xE69F00), rgb(0x1DB487), rgb(0xF0E442), rgb(0xD98DB8), rgb(0xE5762E)};
    return theme;
}

// The same hues, dark enough to be read on white.
Theme light() {
    Theme theme{};
    theme.name = ThemeName::kLight;
    theme.background = rgb(0xFFFFFF);
    theme.panel = rgb(0xF3F5F8);
    theme.raised = rgb(0xE3E8EE);
    theme.line = rgb(0xD3D9E1);
    theme.grid = rgb(0xEEF1F5);
    theme.stripe = rgb(0xF8F9FB);
    theme.text = rgb(0x1C2229);
    theme.dim = rgb(0x5A6572);
    theme.accent = rgb(0x0A6FB5);
    theme.selection = rgb(0xD3E8F8);
    theme.cursor_a = rgb(0xA85B00);
    theme.cursor_b = rgb(0x00757D);
    theme.on_cursor = rgb(0xFFFFFF);
    theme.trigger = rgb(0x9A1FC0);
    theme.loss = rgb(0xC4302B);
    theme.hit = rgb(0x1C2229);
    theme.live = rgb(0x157F3C);
    theme.stopped = rgb(0x5A6572);
    theme.error_bar = rgb(0xFBE3E1);
    theme.on_error = rgb(0x7A1410);
    theme.warning_bar = rgb(0xFBEFD5);
    theme.on_warning = rgb(0x6B3F00);
    theme.lanes = {rgb(0x1374B0), rgb(0xA86F00), rgb(0x007A58), rgb(0x7D7400), rgb(0xA84C80), rgb(0xB44A00)};
    return theme;
}

void colour_widgets(const Theme& theme, ImVec4* colours) {
    const auto set = [&](ImGuiCol which, ImU32 colour) { colours[which] = ImGui::ColorConvertU32ToFloat4(colour); };
    set(ImGuiCol_Text, theme.text);
    set(ImGuiCol_TextDisabled, theme.dim);
    set(ImGuiCol_WindowBg, theme.background);
    set(ImGuiCol_ChildBg, faded(theme.panel, 0.0F));
    set(ImGuiCol_PopupBg, theme.panel);
    set(ImGuiCol_Border, theme.line);
    set(ImGuiCol_BorderShadow, 0);
    set(ImGuiCol_FrameBg, theme.background);
    set(ImGuiCol_FrameBgHovered, theme.raised);
    set(ImGuiCol_FrameBgActive, theme.raised);
    set(ImGuiCol_Button, theme.raised);
    set(ImGuiCol_ButtonHovered, mixed(theme.raised, theme.accent, 0.2F));
    set(ImGuiCol_ButtonActive, mixed(theme.raised, theme.accent, 0.35F));
    set(ImGuiCol_Header, theme.selection);
    set(ImGuiCol_HeaderHovered, theme.raised);
    set(ImGuiCol_HeaderActive, theme.selection);
    set(ImGuiCol_CheckMark, theme.accent);
    set(ImGuiCol_SliderGrab, mixed(theme.raised, theme.dim, 0.35F));
    set(ImGuiCol_SliderGrabActive, theme.accent);
    set(ImGuiCol_ScrollbarBg, faded(theme.background, 0.0F));
    set(ImGuiCol_ScrollbarGrab, mixed(theme.raised, theme.dim, 0.4F));
    set(ImGuiCol_ScrollbarGrabHovered, theme.dim);
    set(ImGuiCol_ScrollbarGrabActive, theme.accent);
    set(ImGuiCol_Separator, theme.line);
    set(ImGuiCol_SeparatorHovered, theme.accent);
    set(ImGuiCol_SeparatorActive, theme.accent);
    set(ImGuiCol_TableHeaderBg, theme.panel);
    set(ImGuiCol_TableBorderStrong, theme.line);
    set(ImGuiCol_TableBorderLight, theme.line);
    set(ImGuiCol_TableRowBg, faded(theme.background, 0.0F));
    set(ImGuiCol_TableRowBgAlt, theme.stripe);
    set(ImGuiCol_PlotHistogram, mixed(theme.raised, theme.accent, 0.6F));
    set(ImGuiCol_TextSelectedBg, theme.selection);
    set(ImGuiCol_NavHighlight, theme.accent);
    set(ImGuiCol_ModalWindowDimBg, faded(theme.background, 0.6F));
}

}  // namespace

namespace {

// So far towards text and ground that neighbours differ and both still read on the ground.
Theme with_shades(Theme theme, float lighter, float darker) {
    for (std::size_t i = 0; i < theme.lanes.size(); ++i) {
        theme.shades[0][i] = theme.lanes[i];
        theme.shades[1][i] = mixed(theme.lanes[i], theme.text, lighter);
        theme.shades[2][i] = mixed(theme.lanes[i], theme.background, darker);
    }
    return theme;
}

}  // namespace

const Theme& theme_of(ThemeName name) {
    static const Theme kDark = with_shades(dark(), 0.5F, 0.35F);
    static const Theme kLight = with_shades(light(), 0.45F, 0.25F);
    return name == ThemeName::kDark ? kDark : kLight;
}

ImU32 faded(ImU32 colour, float opacity) {
    const auto alpha = static_cast<ImU32>(static_cast<float>(colour >> IM_COL32_A_SHIFT) * opacity);
    return (colour & ~IM_COL32_A_MASK) | (alpha << IM_COL32_A_SHIFT);
}

ImU32 mixed(ImU32 first, ImU32 second, float t) {
    const ImVec4 a = ImGui::ColorConvertU32ToFloat4(first);
    const ImVec4 b = ImGui::ColorConvertU32ToFloat4(second);
    return ImGui::ColorConvertFloat4ToU32(
        {a.x + (b.x - a.x) * t, a.y + (b.y - a.y) * t, a.z + (b.z - a.z) * t, a.w + (b.w - a.w) * t});
}

void apply_theme(const Theme& theme, float scale) {
    ImGuiStyle style;
    style.WindowPadding = {12, 8};
    style.FramePadding = {8, 4};
    style.ItemSpacing = {8, 4};
    style.WindowRounding = 0;
    style.PopupRounding = 6;
    style.FrameRounding = 4;
    style.WindowBorderSize = 0;
    style.PopupBorderSize = 1;
    style.FrameBorderSize = 1;
    style.ChildBorderSize = 0;
    style.AntiAliasedLinesUseTex = true;
    style.ScaleAllSizes(scale);
    style.WindowMinSize = {1, 1};
    colour_widgets(theme, style.Colors);
    ImGui::GetStyle() = style;
}

}  // namespace sla::ui
