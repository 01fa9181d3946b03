#include "viewer/ui/dialogs/close_dialog.h"

#include "viewer/fleet/fleet_address.h"
#include "viewer/timeline/readable.h"
#include "viewer/ui/commands/keymap.h"
#include "viewer/ui/widgets/forms.h"
#include "viewer/ui/widgets/key_numbers.h"
#include "viewer/ui/widgets/widgets.h"
#include "viewer/workspace/document.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace sla::ui {

namespace {

struct Answer {
    const char* label;
    const char* tip;
};

constexpr std::array<Answer, 3> kAnswers{{
    {"Export\xE2\x80\xA6", "Write it to a file first"},
    {"Close", "Close it; what is only here is lost"},
    {"Cancel", "Leave it open  (Esc)"},
}};
constexpr std::size_t kExport = 0;
constexpr std::size_t kClose = 1;

bool is_exported(const Document& document) {
    return document.saved_until() >= document.source->session().events();
}

}  // namespace

std::string lost_by_closing(const Document& document) {
    if (document.job && !document.job->result()) return "the export that is being written";
    const std::uint64_t events = document.source->session().events();
    const bool is_only_here = document.source->can_run() && !fleet::is_fleet_address(document.source->target());
    if (!is_only_here || events == 0 || document.is_temporary || is_exported(document)) return {};
    return timeline::events_text(events);
}

std::string CloseDialog::hint(const Document& document, const Keymap& keys, What what, std::size_t others) {
    if (document.job && !document.job->result()) return "Its file is not whole yet and would be taken away.";
    const bool is_one = others == 0 && document.source->session().events() == 1;
    const std::string lost = is_one ? "It is in no file. " : "They are in no file. ";
    if (what == What::kDocument)
        return lost + keys.with_keys("Opened again  ({reopen-source}), it shows what its agent still holds.");
    return lost + (others == 0 ? "A new window shows what the agent still holds."
                               : "A new window shows what their agents still hold.");
}

void CloseDialog::draw(Context& context) {
    if (opening_) {
        ImGui::OpenPopup("close");
        chosen_ = kExport;
    }
    const bool opening = std::exchange(opening_, false);
    const bool asks = begin_box(context, "close");
    shown_ = asks ? shown_ + std::max(1e-3, static_cast<double>(ImGui::GetIO().DeltaTime)) : 0;
    if (!asks) return;
    const std::string lost = lost_by_closing(context.document);
    const std::string others = others_ == 0 ? ""
                                            : fmt::format(", and what {} other{} hold{}", others_, others_ == 1 ? "" : "s",
                                                          others_ == 1 ? "s" : "");
    ImGui::TextUnformatted(what_ == What::kAll
                               ? fmt::format("Quit and lose {} of {}{}?", lost, context.status.name, others).c_str()
                               : fmt::format("Close {} and lose {}?", context.status.name, lost).c_str());
    ImGui::TextColored(ImGui::ColorConvertU32ToFloat4(context.theme.dim), "%s",
                       hint(context.document, context.keys, what_, others_).c_str());
    if (ImGui::IsKeyPressed(kKeyRight) || ImGui::IsKeyPressed(kKeyTab)) chosen_ = (chosen_ + 1) % kAnswers.size();
    if (ImGui::IsKeyPressed(kKeyLeft)) chosen_ = (chosen_ + kAnswers.size() - 1) % kAnswers.size();
    std::size_t given = kAnswers.size();
    if (!opening && ImGui::IsKeyPressed(kKeyEnter, false)) given = chosen_;
    for (std::size_t i = 0; i < kAnswers.size(); ++i) {
        if (i > 0) ImGui::SameLine();
        if (i == chosen_) ImGui::PushStyleColor(ImGuiCol_Button, faded(context.theme.accent, 0.45F));
        const bool quits = i == kClose && what_ == What::kAll;
        if (ImGui::Button(quits ? "Quit" : kAnswers[i].label, {context.px(96), 0})) given = i;
        if (i == chosen_) ImGui::PopStyleColor();
        if (ImGui::IsItemHovered()) tooltip(context, kAnswers[i].tip);
    }
    if (given < kAnswers.size()) ImGui::CloseCurrentPopup();
    if (given == kExport) context.commands.push(command::OpenDialog{command::Dialog::kExport});
    if (given == kClose && what_ == What::kAll) context.commands.push(command::Quit{command::Losses::kAccepted});
    if (given == kClose && what_ != What::kAll) context.commands.push(command::CloseDocument{command::Losses::kAccepted});
    ImGui::EndPopup();
}

}  // namespace sla::ui
