#include "viewer/workspace/view/kept_question.h"

#include "viewer/sql/named_question.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

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
    const char* const example = form == QuestionForm::kLane ? "queue=SELECT tick, value FROM events" : "queue=value * 2";
    auto named = sql::parse_named_question(text, std::string("--") + form_name(form), example);
    if (!named.ok()) return named.error();
    return KeptQuestion{std::move(named->name), std::move(named->question), form};
}

}  // namespace sla::workspace
