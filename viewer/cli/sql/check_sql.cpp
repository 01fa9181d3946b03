#include "viewer/cli/sql/check_sql.h"

#include "proto/base/how_many.h"
#include "viewer/cli/interrupt.h"
#include "viewer/cli/sql/answer_writer.h"
#include "viewer/sql/engine.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace sla::cli {

namespace {

using analysis::Verdict;

// The first row; more are not wanted.
class FirstRow final : public sql::Answer {
public:
    Result<void> begin(const std::vector<std::string>& columns) override {
        if (columns.size() <= 2) return {};
        return invalid_input("a check answers with one column, the verdict, or two, the verdict and what was measured");
    }
    Result<bool> row(const sql::AnswerRow& row) override {
        if (row.type(0) != sql::AnswerRow::Type::kNull) verdict = row.real(0) != 0;
        if (row.size() == 2) measure(row);
        return false;
    }

    std::optional<bool> verdict;
    formats::Field measured;
    std::string measured_text;

private:
    void measure(const sql::AnswerRow& row) {
        switch (row.type(1)) {
            case sql::AnswerRow::Type::kNull: return;
            case sql::AnswerRow::Type::kInteger: {
                const std::int64_t number = row.integer(1);
                measured_text = std::to_string(number);
                measured = number < 0 ? formats::Field(row.real(1)) : formats::Field(static_cast<std::uint64_t>(number));
                return;
            }
            case sql::AnswerRow::Type::kReal:
                measured = row.real(1);
                measured_text = fmt::format("{:.15g}", row.real(1));
                return;
            case sql::AnswerRow::Type::kText:
            case sql::AnswerRow::Type::kBlob:
                measured_text = shown_bytes(row, 1);
                measured = measured_text;
                return;
        }
    }
};

// Events that are not there though none was lost; empty: there are none.
std::string not_there_in_words(const store::Session& session) {
    const auto has_left_out = [](const store::Lane* lane) { return lane->missing_between(0, store::kNever).is_left_out; };
    if (std::ranges::any_of(session.lanes(), has_left_out)) return "events were left out, and nobody knows how many";
    const std::uint64_t not_kept = session.not_kept();
    if (not_kept == 0) return "";
    return fmt::format("{} of before {} not kept", how_many(not_kept, "event"), not_kept == 1 ? "was" : "were");
}

// Why an answer may not be the truth; empty: it is.
std::string doubt_of(const store::Session& session, const sql::Engine& engine) {
    const auto& read = engine.tables_read();
    if (read.contains("gaps") || read.contains("captures")) return "";
    if (session.damage_count() > 0) return "the capture is damaged; a question that reads `captures` judges that itself";
    std::string missing = losses_in_words(session);
    if (missing.empty()) missing = not_there_in_words(session);
    return missing.empty() ? "" : missing + "; a question that reads `gaps` judges them itself";
}

SqlVerdict verdict_of(const std::string& question, const FirstRow& first, const std::string& doubt) {
    SqlVerdict verdict;
    verdict.reported.limit = question;
    verdict.reported.measured = first.measured_text;
    verdict.measured = first.measured;
    if (!first.verdict) {
        verdict.reported.verdict = Verdict::kCannotTell;
        verdict.reported.why = "the question has no answer";
    } else if (!doubt.empty()) {
        verdict.reported.verdict = Verdict::kCannotTell;
        verdict.reported.why =
            std::string("of what is there it ") + (*first.verdict ? "holds" : "does not hold") + ", but " + doubt;
    } else {
        verdict.reported.verdict = *first.verdict ? Verdict::kPass : Verdict::kFail;
    }
    return verdict;
}

}  // namespace

std::string losses_in_words(const store::Session& session, const std::string& of) {
    const bool are_counted = session.uncounted_losses() == 0;
    const std::uint64_t lost = session.lost();
    if (lost == 0) return are_counted ? "" : fmt::format("events{} were lost, and nobody knows how many", of);
    return fmt::format("{} events{} were lost{}", lost, of, are_counted ? "" : ", and more that nobody counted");
}

Result<std::vector<SqlVerdict>> judge_questions(const store::Session& session, const std::string& capture,
                                                const std::vector<std::string>& questions) {
    sql::EngineOptions options;
    options.go_on = [] { return interrupted() == 0; };
    auto engine = sql::Engine::open({{capture, &session}}, options);
    if (!engine.ok()) return engine.error();
    std::vector<SqlVerdict> verdicts;
    for (const std::string& question : questions) {
        FirstRow first;
        if (const auto asked = (*engine)->ask(question, first); !asked.ok()) return asked.error();
        verdicts.push_back(verdict_of(question, first, doubt_of(session, **engine)));
    }
    return verdicts;
}

}  // namespace sla::cli
