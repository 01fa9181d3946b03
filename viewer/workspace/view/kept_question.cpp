#include "viewer/workspace/view/kept_question.h"

#include <fmt/format.h>

#include <algorithm>

namespace sla::workspace {

const char* form_name(QuestionForm form) {
    switch (form) {
        case QuestionForm::kLane: return "lane";
        case QuestionForm::kColumn: return "column";
        case QuestionForm::kAnswer: break;
    }
    return "answer";
}

bool keep_question(std::vector<KeptQuestion>& all, const KeptQuestion& question) {
    if (question.name.empty() || question.text.empty()) return false;
    if (question.name.size() > kLongestKeptName || question.text.size() > kLongestKeptQuestion) return false;
    const auto same =
        std::find_if(all.begin(), all.end(), [&](const KeptQuestion& one) { return one.name == question.name; });
    const auto columns = std::count_if(all.begin(), all.end(), [&](const KeptQuestion& one) {
        return one.form == QuestionForm::kColumn && one.name != question.name;
    });
    if (question.form == QuestionForm::kColumn && static_cast<std::size_t>(columns) >= kMaxQuestionColumns) return false;
    if (same != all.end()) {
        *same = question;
    } else {
        if (all.size() >= kMaxKeptQuestions) return false;
        all.push_back(question);
    }
    return true;
}

std::string space_for_questions() {
    return fmt::format("names have {} letters at most, questions {}, and there may be {} of them, {} of which are columns",
                       kLongestKeptName, kLongestKeptQuestion, kMaxKeptQuestions, kMaxQuestionColumns);
}

Result<KeptQuestion> parse_kept_question(const std::string& text, QuestionForm form) {
    const std::size_t end = text.find('=');
    if (end == std::string::npos || end == 0 || end + 1 == text.size())
        return invalid_input(std::string("--") + form_name(form) + " wants NAME=QUESTION, as in 'queue=" +
                             (form == QuestionForm::kLane ? "SELECT tick, value FROM events" : "value * 2") + "', not \"" +
                             text + "\"");
    return KeptQuestion{text.substr(0, end), text.substr(end + 1), form};
}

}  // namespace sla::workspace
