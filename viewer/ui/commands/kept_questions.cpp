#include "viewer/ui/commands/kept_questions.h"

#include "viewer/workspace/document.h"

#include <vector>

namespace sla::ui {

std::string keep_question_as(Context& context, const KeptQuestion& question) {
    if (question.text.empty()) return "Type a question first";
    if (question.name.empty()) return "It needs a name";
    std::vector<KeptQuestion> all = context.document.kept_answers->questions();
    if (!keep_question(all, question)) return "There is no room for it: " + workspace::space_for_questions();
    context.document.set_questions(all);
    return {};
}

void forget_question(Context& context, const std::string& name) {
    std::vector<KeptQuestion> all = context.document.kept_answers->questions();
    std::erase_if(all, [&](const KeptQuestion& one) { return one.name == name; });
    context.document.set_questions(all);
}

}  // namespace sla::ui
