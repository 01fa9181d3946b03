#include "viewer/ui/dialogs/export_dialog.h"

#include "proto/base/text.h"
#include "proto/wire/glob.h"
#include "viewer/fleet/fleet_address.h"
#include "viewer/formats/table/table.h"
#include "viewer/timeline/readable.h"
#include "viewer/ui/widgets/forms.h"
#include "viewer/workspace/document.h"
#include "viewer/workspace/files/export_formats.h"
#include "viewer/workspace/search/search_plan.h"

#include <fmt/format.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <filesystem>

namespace sla::ui {

namespace {

using formats::ExportFormat;

// "run.csv", else "run-2.csv" and so on: a name that nobody chose takes no file's place.
std::string free_name(const std::string& path, ExportFormat format) {
    const std::string ending = fmt::format(".{}", name_of(format).ending);
    if (!path.ends_with(ending)) return path;
    const std::string plain = path.substr(0, path.size() - ending.size());
    std::string free = path;
    std::error_code ignored;
    for (int number = 2; std::filesystem::exists(free, ignored); ++number)
        free = fmt::format("{}-{}{}", plain, number, ending);
    return free;
}

// "run.sla" becomes "run.csv", beside the capture; of an agent or a fleet "table.csv", or "capture.sla"; of files by a pattern
// the same, in the folder that has them all.
std::string suggested(const Context& context, ExportFormat format) {
    const bool is_file = !context.source.can_run() && !fleet::is_fleet_address(context.source.target());
    const std::string target = is_file ? context.source.target() : std::string();
    const char* const plain = format == ExportFormat::kSla ? "capture" : "table";
    std::filesystem::path path = target.empty() ? plain : target;
    std::error_code ignored;
    const bool names_files = wire::is_pattern(target) && !std::filesystem::exists(target, ignored);
    while (names_files && wire::is_pattern(path.parent_path().string())) path = path.parent_path();
    if (names_files) path.replace_filename(plain);
    return free_name(path.replace_extension(name_of(format).ending).string(), format);
}

}  // namespace

Result<std::uint64_t> export_table(const store::Session& session, const analysis::Selection& rows, const std::string& path,
                                   std::optional<formats::Format> format) {
    if (!format) {
        const Result<formats::Format> named = formats::format_of_name(path, formats::Format::kCsv);
        if (!named) return named.error();
        format = *named;
    }
    auto output = formats::Output::open(path);
    if (!output) return output.error();
    return formats::write_table(session, rows, *format, *output);
}

std::string export_words(const Context& context) {
    const auto& job = context.document.job;
    if (!job || job->result()) return {};
    const double share = job->all() == 0 ? 0 : static_cast<double>(job->done()) / static_cast<double>(job->all());
    return fmt::format("writing {}: {:.0f} %", std::filesystem::path(job->path()).filename().string(), share * 100);
}

Result<analysis::Selection> ExportDialog::selection(const Context& context) const {
    Result<analysis::Selection> chosen = analysis::select(context.session, patterns_of(channels));
    if (!chosen) return chosen;
    if (only_shown) {
        std::erase_if(chosen->lanes, [&](const store::Lane* lane) { return context.tree.style_of(*lane).hidden; });
    }
    timeline::TickRange ticks{0, store::kNever - 1};
    const timeline::CursorPair& cursors = context.marks.cursors;
    if (range == ExportRange::kInView) ticks = context.view.target().visible();
    if (range == ExportRange::kBetween && cursors.a && cursors.b) {
        ticks = {std::min(cursors.a->tick, cursors.b->tick), std::max(cursors.a->tick, cursors.b->tick)};
    }
    chosen->from = ticks.first;
    chosen->until = ticks.last + 1;
    if (!only_filtered) return chosen;
    // As the table understands it: a word may be a channel's name or a text.
    SearchPlan filter = plan_search(context.session, trimmed(context.document.rows.filter(), " "), SearchOver::kEvents);
    if (filter.mode == SearchMode::kNothing) return chosen;
    if (filter.mode == SearchMode::kWrong) return invalid_input(filter.problem);
    if (!filter.condition)
        return invalid_input("the table's filter is text; exports take conditions such as  text ~ '*word*'");
    chosen->filter = std::move(filter.condition);
    return chosen;
}

void ExportDialog::refuse(const Error& why) {
    problem_ = why.message;
    again_ = true;
}

void ExportDialog::start(Context& context) {
    problem_.clear();
    const std::string& path = context.document.panels.export_path;
    const auto promised = format_for_export(path, format);
    if (!promised) return refuse(promised.error());
    format = *promised;
    const auto chosen = selection(context);
    if (!chosen) return refuse(chosen.error());
    formats::ExportOptions options;
    options.format = format;
    context.document.set_job(std::make_unique<ExportJob>(context.session, *chosen, options, path));
    awaits_result_ = true;
}

void ExportDialog::draw_choices(Context& context) {
    form_label(context, "Format");
    ImGui::SetNextItemWidth(context.px(320));
    if (begin_combo("##format", fmt::format("{}   {}", name_of(format).ending, name_of(format).what).c_str())) {
        for (const ExportFormatName& one : export_formats()) {
            const std::string name = fmt::format("{}   {}", one.ending, one.what);
            if (!ImGui::Selectable(name.c_str(), one.format == format)) continue;
            std::string& path = context.document.panels.export_path;
            const std::string renamed = renamed_for(path, one.format);
            if (renamed != path) path = free_name(renamed, one.format);
            if (path.empty()) path = suggested(context, one.format);
            format = one.format;
            problem_.clear();
        }
        ImGui::EndCombo();
    }
    form_label(context, "What");
    const auto choice = [&](const char* name, ExportRange which, bool enabled) {
        if (ImGui::RadioButton(name, range == which) && enabled) range = which;
    };
    const bool both = context.marks.cursors.a && context.marks.cursors.b;
    if (range == ExportRange::kBetween && !both) range = ExportRange::kEverything;
    choice("everything", ExportRange::kEverything, true);
    ImGui::SameLine();
    choice("in view", ExportRange::kInView, true);
    ImGui::SameLine();
    if (both) choice("between A and B", ExportRange::kBetween, true);
    if (!both) ImGui::TextColored(ImGui::ColorConvertU32ToFloat4(context.theme.dim), "between A and B: place both first");
    draw_channels(context);
    const std::string& filter = context.document.rows.filter();
    if (filter.empty()) return;
    form_label(context, "Filter");
    ImGui::Checkbox("only what the table's filter lets through:", &only_filtered);
    form_label(context, "");
    form_words(context, filter, context.theme.dim);
}

// Which, and how many that are.
void ExportDialog::draw_channels(Context& context) {
    form_label(context, "Channels");
    ImGui::SetNextItemWidth(context.px(320));
    ImGui::InputTextWithHint("##channels", "all, or patterns: net.* irq.0", &channels);
    if (context.tree.hidden() > 0) {
        form_label(context, "");
        ImGui::Checkbox("without hidden lanes", &only_shown);
    }
    form_label(context, "");
    const auto chosen = selection(context);
    if (!chosen) return form_words(context, chosen.error().message, context.theme.loss);
    form_words(context, fmt::format("{} of {}", chosen->lanes.size(), context.session.lanes().size()), context.theme.dim);
    draw_moved(context, *chosen);
}

// All lanes of an export have one range of time.
void ExportDialog::draw_moved(Context& context, const analysis::Selection& chosen) const {
    const auto is_moved = [&](const store::Lane* lane) { return context.offset_of(*lane) != 0; };
    const auto moved = std::find_if(chosen.lanes.begin(), chosen.lanes.end(), is_moved);
    if (range == ExportRange::kEverything || moved == chosen.lanes.end()) return;
    form_label(context, "");
    form_words(context, (*moved)->channel().name + " is drawn with an offset: its rows are those that happened in this time",
               context.theme.loss);
}

// How far a running export is, or what came of the last one.
void ExportDialog::draw_progress(Context& context) {
    ImGui::PushTextWrapPos(context.px(420));
    if (!problem_.empty()) ImGui::TextColored(ImGui::ColorConvertU32ToFloat4(context.theme.loss), "%s", problem_.c_str());
    ExportJob* job = context.document.job.get();
    if (job != nullptr && !job->result()) {
        const float share = job->all() == 0 ? 0.0F : static_cast<float>(job->done()) / static_cast<float>(job->all());
        const std::string words = fmt::format("{} of {}", timeline::grouped(job->done()), timeline::grouped(job->all()));
        ImGui::ProgressBar(share, {context.px(320), 0}, words.c_str());
        ImGui::SameLine();
        if (ImGui::Button("Cancel")) job->cancel();
    } else if (job != nullptr && *job->result()) {
        const formats::ExportReport& report = **job->result();
        const std::string words = fmt::format("{} rows written to {}", timeline::grouped(report.events), job->path());
        ImGui::TextColored(ImGui::ColorConvertU32ToFloat4(context.theme.live), "%s", words.c_str());
        for (const std::string& sentence : report.left_out) {
            ImGui::TextColored(ImGui::ColorConvertU32ToFloat4(context.theme.dim), "%s", sentence.c_str());
        }
    } else if (job != nullptr) {
        ImGui::TextColored(ImGui::ColorConvertU32ToFloat4(context.theme.loss), "%s", job->result()->error().message.c_str());
    }
    ImGui::PopTextWrapPos();
}

void ExportDialog::draw(Context& context) {
    std::string& path = context.document.panels.export_path;
    is_shown_ = false;
    if (opening_) {
        ImGui::OpenPopup("export");
        problem_.clear();
        if (context.document.job && context.document.job->result()) context.document.set_job(nullptr);
        if (path.empty()) path = suggested(context, format);
    }
    if (!begin_box(context, "export")) {
        opening_ = false;
        return;
    }
    is_shown_ = true;
    form_heading(context, "EXPORT");
    draw_choices(context);
    form_label(context, "File");
    const bool running = context.document.job && !context.document.job->result();
    if (awaits_result_ && !running) {
        again_ = context.document.job && !*context.document.job->result();
        awaits_result_ = false;
    }
    if (opening_ || again_) ImGui::SetKeyboardFocusHere();
    opening_ = again_ = false;
    ImGui::SetNextItemWidth(context.px(320));
    const std::string before = path;
    const bool entered =
        ImGui::InputText("##path", &path, ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll);
    chooser_.draw_button(context, path);
    chooser_.draw_folder(context, path);
    if (path != before) {
        if (const auto promised = format_for_export(path, format)) format = *promised;
        problem_.clear();
    }
    std::error_code ignored;
    const char* write = !running && std::filesystem::exists(path, ignored) ? "Replace" : "Write";
    form_label(context, "");
    if ((form_button(context, write, !path.empty() && !running) || entered) && !path.empty() && !running) start(context);
    draw_progress(context);
    ImGui::EndPopup();
}

}  // namespace sla::ui
