#include "viewer/ui/dialogs/file_chooser.h"

#include "viewer/timeline/readable.h"
#include "viewer/ui/widgets/forms.h"
#include "viewer/ui/widgets/widgets.h"

#include <algorithm>

namespace sla::ui {

namespace {

constexpr float kListWidth = 404;
constexpr float kListHeight = 190;
constexpr double kLookAgain = 2;  // seconds

}  // namespace

bool FileChooser::draw_button(Context& context, std::string& path) {
    ImGui::SameLine();
    if (form_button(context, is_listing_ ? "Close list" : "Browse\xE2\x80\xA6")) {
        is_listing_ = !is_listing_;
        if (is_listing_ && NativeFileDialog::is_there()) {
            const Result<void> asked = native_.ask(kind_, joined(folder_of(path), file_of(path)));
            is_listing_ = !asked.ok();
        }
    }
    const auto chosen = native_.take_answer();
    if (chosen) path = *chosen;
    return chosen.has_value();
}

// Again every other second: others write there too.
void FileChooser::look(const std::string& folder) {
    const double now = ImGui::GetTime();
    if (folder == folder_ && now - looked_at_ < kLookAgain) return;
    folder_ = folder;
    looked_at_ = now;
    auto entries = list_folder(folder);
    problem_ = entries.ok() ? std::string() : entries.error().message;
    entries_ = entries.ok() ? std::move(*entries) : std::vector<FolderEntry>();
}

bool FileChooser::draw_folder(Context& context, std::string& path) {
    const std::string folder = folder_of(path);
    look(folder);
    form_label(context, "in");
    form_words(context, problem_.empty() ? folder : problem_, problem_.empty() ? context.theme.text : context.theme.loss);
    return is_listing_ && draw_list(context, path);
}

// A folder is gone into, with the file's name as it is.
bool FileChooser::draw_list(Context& context, std::string& path) {
    bool is_chosen = false;
    const std::string shown = folder_;
    form_label(context, "");
    ImGui::PushStyleColor(ImGuiCol_ChildBg, context.theme.background);
    ImGui::BeginChild("files", {context.px(kListWidth), context.px(kListHeight)}, false,
                      ImGuiWindowFlags_AlwaysUseWindowPadding);
    ImGui::PopStyleColor();
    if (shown != "/" && ImGui::Selectable("..", false, ImGuiSelectableFlags_DontClosePopups))
        path = joined(folder_of(shown), file_of(path));
    ImGuiListClipper clipper;
    clipper.Begin(static_cast<int>(entries_.size()));
    while (clipper.Step()) {
        for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
            const FolderEntry& entry = entries_[static_cast<std::size_t>(i)];
            const std::string name = entry.is_folder ? entry.name + "/" : entry.name;
            const bool is_there = !entry.is_folder && entry.name == file_of(path);
            ImGui::PushID(i);
            if (form_choice(name, is_there, ImGuiSelectableFlags_DontClosePopups)) {
                is_chosen = !entry.is_folder;
                path = entry.is_folder ? joined(joined(shown, entry.name), file_of(path)) : joined(shown, entry.name);
            }
            ImGui::PopID();
            if (entry.is_folder) continue;
            const std::string size = timeline::readable_bytes(static_cast<double>(entry.bytes));
            ImGui::SameLine(ImGui::GetContentRegionMax().x - ImGui::CalcTextSize(size.c_str()).x);
            ImGui::TextColored(ImGui::ColorConvertU32ToFloat4(context.theme.dim), "%s", size.c_str());
        }
    }
    if (entries_.size() >= kMaxEntries)
        form_words(context, "There are more: what is not in this list can be typed.", context.theme.dim);
    if (entries_.empty() && problem_.empty()) form_words(context, "Nothing stands here.", context.theme.dim);
    ImGui::EndChild();
    return is_chosen;
}

}  // namespace sla::ui
