#include "viewer/ui/tables/kept_questions_menu.h"

#include "viewer/ui/commands/kept_questions.h"
#include "viewer/ui/widgets/forms.h"
#include "viewer/ui/widgets/item_rects.h"
#include "viewer/ui/widgets/widgets.h"
#include "viewer/workspace/document.h"

#include <fmt/format.h>

namespace sla::ui {

namespace {

constexpr const char* kMenu = "kept questions menu";
constexpr float kWidth = 420;

}  // namespace

void KeptQuestionsMenu::draw(Context& context, const Rect& place) {
    const std::size_t kept = context.document.kept_answers->questions().size();
    const std::string label = kept == 0 ? "Keep\xE2\x80\xA6" : fmt::format("Keep\xE2\x80\xA6 {}", kept);
    const ButtonStyle look{.label = label, .tooltip = "With this capture, under a name: as a lane or a column"};
    if (button(context, "kept questions", place, look)) {
        problem_.clear();
        ImGui::OpenPopup(kMenu);
    }
    ImGui::SetNextWindowSize({context.px(kWidth), 0});
    if (!begin_popup(kMenu)) return;
    draw_keeping(context);
    draw_kept(context);
    ImGui::EndPopup();
}

void KeptQuestionsMenu::draw_keeping(Context& context) {
    form_heading(context, "KEEP WHAT IS TYPED");
    form_field(context, "Name", "##kept name", name_, "queue length", "Of the lane, or of the column's head");
    note_item("kept name");
    const auto offer = [&](const char* label, QuestionForm form, const char* tip) {
        if (form_button(context, label, !name_.empty() && !context.document.panels.sql.empty()))
            problem_ = keep_question_as(context, {name_, context.document.panels.sql, form});
        if (ImGui::IsItemHovered()) tooltip(context, tip);
    };
    offer("As a lane", QuestionForm::kLane, "Columns tick and value, level or text, or begin_tick and end_tick");
    ImGui::SameLine();
    offer("As a column", QuestionForm::kColumn,
          "An expression for each row (value * 2), or columns channel_id, row and value, or tick and value");
    ImGui::SameLine();
    offer("As it is", QuestionForm::kAnswer, "To be asked again here");
    if (!problem_.empty()) form_words(context, problem_, context.theme.loss);
}

void KeptQuestionsMenu::draw_kept(Context& context) {
    KeptAnswers& answers = *context.document.kept_answers;
    if (answers.questions().empty()) return;
    form_heading(context, "KEPT WITH THIS CAPTURE");
    std::string forgotten;
    for (std::size_t i = 0; i < answers.questions().size(); ++i) {
        const KeptQuestion& one = answers.questions()[i];
        ImGui::PushID(static_cast<int>(i));
        form_words(context, fmt::format("{} ({})", one.name, form_name(one.form)), context.theme.text);
        if (ImGui::IsItemHovered()) tooltip(context, one.text);
        if (const std::string words = answers.words(i); !words.empty())
            form_words(context, words, answers.has_failed(i) ? context.theme.loss : context.theme.dim);
        if (form_button(context, "Show")) {
            context.document.panels.sql = one.text;
            name_ = one.name;
        }
        ImGui::SameLine();
        if (form_button(context, "Ask again")) {
            if (one.form == QuestionForm::kAnswer) context.document.question->ask(context.source, one.text);
            if (one.form != QuestionForm::kAnswer) answers.ask_again(i);
        }
        ImGui::SameLine();
        if (form_button(context, "Forget")) forgotten = one.name;
        ImGui::PopID();
    }
    if (!forgotten.empty()) forget_question(context, forgotten);
}

}  // namespace sla::ui
