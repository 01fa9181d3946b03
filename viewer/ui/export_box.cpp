#include "viewer/ui/export_box.h"

#include "viewer/export/table.h"
#include "viewer/timeline/readable.h"
#include "viewer/ui/widgets.h"

#include <imgui_stdlib.h>

namespace sla::ui {

Result<std::uint64_t> export_table(const store::Session& session, const std::string& path) {
    const Result<analysis::Selection> everything = analysis::select(session, {});
    if (!everything) return everything.error();
    auto output = exporting::Output::open(path);
    if (!output) return output.error();
    const exporting::Format format = exporting::format_for_file(path, exporting::Format::kCsv);
    return exporting::write_table(session, *everything, format, *output);
}

void ExportBox::draw(Context& context) {
    if (opening_) {
        ImGui::OpenPopup("export");
        told_.clear();
        if (path_.empty()) path_ = "table.csv";
    }
    const Rect& lanes = context.layout.lanes;
    ImGui::SetNextWindowPos({lanes.x + lanes.width / 2, lanes.y + context.px(16)}, ImGuiCond_Always, {0.5F, 0.0F});
    if (!ImGui::BeginPopup("export")) {
        opening_ = false;
        return;
    }
    ImGui::TextUnformatted("Write the table to a file: .csv, .tsv, .json or .txt");
    if (opening_) ImGui::SetKeyboardFocusHere();
    opening_ = false;
    ImGui::SetNextItemWidth(context.px(340));
    const bool entered = ImGui::InputText("##path", &path_, ImGuiInputTextFlags_EnterReturnsTrue);
    ImGui::SameLine();
    if ((ImGui::Button("Write") || entered) && !path_.empty()) {
        const Result<std::uint64_t> rows = export_table(context.session, path_);
        failed_ = !rows;
        told_ = rows ? timeline::grouped(*rows) + " rows written to " + path_ : rows.error().message;
    }
    if (!told_.empty()) {
        const ImU32 colour = failed_ ? context.theme.loss : context.theme.live;
        ImGui::PushTextWrapPos(context.px(420));
        ImGui::PushStyleColor(ImGuiCol_Text, colour);
        ImGui::TextUnformatted(told_.c_str());
        ImGui::PopStyleColor();
        ImGui::PopTextWrapPos();
    }
    ImGui::EndPopup();
}

}  // namespace sla::ui
