// A question in SQL that a person gave a name, and what its answer is to be: part of how a capture is arranged. A plain value.
#pragma once

#include "proto/base/result.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace sla::workspace {

enum class QuestionForm : std::uint8_t {
    kAnswer,  // rows of the tab SQL, when it is asked
    kLane,    // drawn with the others (sql::LaneAnswer)
    kColumn,  // of the event table (sql::ColumnAnswer)
};

struct KeptQuestion {
    std::string name;
    std::string text;
    QuestionForm form = QuestionForm::kAnswer;
    bool operator==(const KeptQuestion&) const = default;
};

// Names are unique among them, and so many are kept; of columns fewer.
inline constexpr std::size_t kMaxKeptQuestions = 32;
inline constexpr std::size_t kMaxQuestionColumns = 4;
inline constexpr std::size_t kLongestKeptName = 64;
inline constexpr std::size_t kLongestKeptQuestion = 16384;

const char* form_name(QuestionForm form);  // "answer", "lane", "column"

// Instead of the one of that name. False: it has no name or text, one of them is too long, or there is no space.
[[nodiscard]] bool keep_question(std::vector<KeptQuestion>& all, const KeptQuestion& question);
// For whoever is told that there is none.
std::string space_for_questions();

// As it is typed on a command line: "NAME=QUESTION".
Result<KeptQuestion> parse_kept_question(const std::string& text, QuestionForm form);

}  // namespace sla::workspace
