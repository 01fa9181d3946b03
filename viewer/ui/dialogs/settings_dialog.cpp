#include "viewer/ui/dialogs/settings_dialog.h"

#include "viewer/fleet/fleet_address.h"
#include "viewer/timeline/readable.h"
#include "viewer/ui/commands/keymap.h"
#include "viewer/ui/widgets/forms.h"
#include "viewer/ui/widgets/paint.h"
#include "viewer/ui/widgets/state_style.h"
#include "viewer/ui/widgets/widgets.h"

#include <fmt/format.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <array>

namespace sla::ui {

void SettingsDialog::draw(Context& context) {
    if (opening_) ImGui::OpenPopup("settings");
    opening_ = false;
    const Rect& bar = context.layout.toolbar;
    ImGui::SetNextWindowPos({bar.right() - context.px(12), bar.bottom() + context.px(4)}, ImGuiCond_Always, {1.0F, 0.0F});
    ImGui::SetNextWindowSizeConstraints(
        {0, 0}, {bar.width - context.px(24), context.layout.window.bottom() - bar.bottom() - context.px(16)});
    if (!begin_popup("settings")) return;
    Settings& settings = context.settings;
    form_heading(context, "LOOK");
    const bool dark = settings.theme == ThemeName::kDark;
    if (ImGui::RadioButton("dark", dark)) context.commands.push(command::SetTheme{ThemeName::kDark});
    ImGui::SameLine();
    if (ImGui::RadioButton("light", !dark)) context.commands.push(command::SetTheme{ThemeName::kLight});
    constexpr std::array<float, 6> kScales{0, 1, 1.25F, 1.5F, 2, 3};
    for (std::size_t i = 0; i < kScales.size(); ++i) {
        if (i > 0) ImGui::SameLine();
        const std::string name = kScales[i] == 0 ? std::string("as the display asks") : fmt::format("{}x", kScales[i]);
        if (ImGui::RadioButton(name.c_str(), settings.scale == kScales[i])) {
            settings.scale = kScales[i];
            context.commands.push(command::SetScale{kScales[i] == 0 ? -1.0F : kScales[i]});
        }
    }
    ImGui::Checkbox("zoom and fit glide", &settings.motion);
    form_heading(context, "MOUSE: A LEFT DRAG OVER THE LANES");
    const bool logic = settings.mouse == MousePreset::kLogicAnalyzer;
    if (ImGui::RadioButton("pans, as logic analyzers do", logic)) settings.mouse = MousePreset::kLogicAnalyzer;
    if (ImGui::RadioButton("measures, as profilers do", !logic)) settings.mouse = MousePreset::kProfiler;
    form_words(context, "Right drag always pans, middle drag zooms, Shift+left drag measures.", context.theme.dim);
    draw_memory(context);
    form_heading(context, "KEYS");
    const std::string path = config_path("keys.json");
    form_words(context, path.empty() ? "There is no home folder to keep keys in." : "Your own keys stand in " + path,
               context.theme.dim);
    if (form_button(context, "Write that file with the keys as they are", !path.empty())) {
        const Result<void> written = context.keys.save(path);
        if (written) context.errors.notice("The keys are in " + path);
        if (!written) context.errors.add(written.error().message);
    }
    if (ImGui::IsItemHovered()) tooltip(context, "What stands in it stays as keys.json.old");
    ImGui::EndPopup();
}

void SettingsDialog::draw_memory(Context& context) {
    Settings& settings = context.settings;
    form_heading(context, "LIVE DATA");
    int mib = static_cast<int>(std::min<std::uint64_t>(settings.memory_mib, 1 << 20));
    ImGui::SetNextItemWidth(context.px(140));
    if (ImGui::InputInt("MiB in memory, 64 or more (0: 48, more while the disk is slow)", &mib, 256, 1024)) {
        settings.memory_mib = static_cast<std::uint64_t>(std::max(mib, 0));
    }
    constexpr std::uint64_t kLeastMib = SourceMemory::kMinBytes >> 20;
    if (ImGui::IsItemDeactivatedAfterEdit() && settings.memory_mib > 0)
        settings.memory_mib = std::max(settings.memory_mib, kLeastMib);
    int seconds = static_cast<int>(std::min<std::uint64_t>(settings.history_seconds, 1'000'000'000));
    ImGui::SetNextItemWidth(context.px(140));
    if (ImGui::InputInt("seconds of an agent's past at first (0: all)", &seconds, 10, 60)) {
        settings.history_seconds = static_cast<std::uint64_t>(std::max(seconds, 0));
    }
    form_words(context, "Older history is fetched when you look there.", context.theme.dim);
    form_words(context, "Older rows go to a file in this folder:", context.theme.text);
    ImGui::SetNextItemWidth(context.px(330));
    ImGui::InputTextWithHint("##spill", "$TMPDIR, or /var/tmp", &settings.spill_directory);
    form_words(context, "All count for what is opened from now on.", context.theme.dim);
}

void SourcesDialog::draw_documents(Context& context, const std::vector<std::unique_ptr<Document>>& documents,
                                   std::size_t shown) {
    for (std::size_t i = 0; i < documents.size(); ++i) {
        ImGui::PushID(static_cast<int>(i));
        const SourceStatus status = documents[i]->source->status();
        const StateStyle look = state_style(context.theme, status.state);
        ImGui::TextColored(ImGui::ColorConvertU32ToFloat4(look.colour), "\xE2\x97\x8F");
        ImGui::SameLine();
        const std::uint64_t events = documents[i]->source->session().events();
        const std::string name = fmt::format("{}   {}, {} {}", status.name, look.word, timeline::grouped(events),
                                             events == 1 ? "event" : "events");
        if (form_choice(name, i == shown)) context.commands.push(command::ShowDocument{i});
        if (!status.message.empty()) form_words(context, status.message, context.theme.loss);
        ImGui::PopID();
    }
}

void SourcesDialog::draw_recent(Context& context, const std::vector<std::unique_ptr<Document>>& documents) {
    std::vector<std::string> known = context.settings.recent;
    const std::string own = wire::default_address().text();
    if (std::find(known.begin(), known.end(), own) == known.end()) known.insert(known.begin(), own);
    for (const std::string& target : known) {
        const bool open = std::any_of(documents.begin(), documents.end(), [&](const auto& document) {
            return fleet::shown_address(document->source->target()) == target;
        });
        if (open) continue;
        ImGui::PushID(target.c_str());
        if (form_choice(target == own ? target + "   (your agent)" : target, false))
            context.commands.push(command::OpenSource{target});
        ImGui::PopID();
    }
}

void SourcesDialog::draw(Context& context, const std::vector<std::unique_ptr<Document>>& documents, std::size_t shown) {
    if (opening_) ImGui::OpenPopup("sources");
    const Rect& bar = context.layout.toolbar;
    ImGui::SetNextWindowPos({bar.x + context.px(8), bar.bottom() + context.px(4)});
    ImGui::SetNextWindowSizeConstraints({context.px(420), 0}, {context.px(720), context.layout.window.height * 0.8F});
    if (!begin_popup("sources")) {
        opening_ = false;
        return;
    }
    const auto lives = [](const auto& document) { return is_running(document->source->status().state); };
    const bool any_lives = std::any_of(documents.begin(), documents.end(), lives);
    form_heading(context, documents.size() > 1 && any_lives ? "OPEN; WHAT IS LIVE GOES ON RECEIVING" : "OPEN");
    draw_documents(context, documents, shown);
    form_heading(context, "OPEN ANOTHER");
    draw_recent(context, documents);
    constexpr const char* kTargets = "unix:PATH, ssh:HOST, tls:HOST:PORT or a capture file";
    ImGui::SetNextItemWidth(ImGui::CalcTextSize(kTargets).x + ImGui::GetStyle().FramePadding.x * 2 + context.px(2));
    if (opening_) ImGui::SetKeyboardFocusHere();
    opening_ = false;
    const bool entered = ImGui::InputTextWithHint("##target", kTargets, &typed_,
                                                  ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll);
    ImGui::SameLine();
    bool is_chosen = form_button(context, "Open", !typed_.empty()) || entered;
    is_chosen |= chooser_.draw_button(context, typed_);
    if (chooser_.is_listing()) is_chosen |= chooser_.draw_folder(context, typed_);
    if (is_chosen && !typed_.empty()) {
        context.commands.push(command::OpenSource{typed_});
        typed_.clear();
        chooser_.close();
        ImGui::CloseCurrentPopup();
    }
    ImGui::EndPopup();
}

}  // namespace sla::ui
