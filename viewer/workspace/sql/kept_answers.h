// KeptAnswers: the answers of a document's kept questions, as lanes and as columns of the event table. Each lane stands in a
// session of its own; who counts or pairs lanes sees it beside the source's (Session::view).
//
//   questions ─► asked one at a time, beside the frames ─► lanes() for the lane tree, column() for the table
//
// Of an agent they are asked again as rows come, so that asking takes a small part of the time. The answer before stays until
// the next one is there. A lane that was replaced is kept until the next one is: what points at it has a frame to let go.
// Owner: the window's thread.
#pragma once

#include "viewer/sql/column_answer.h"
#include "viewer/sql/lane_answer.h"
#include "viewer/store/session.h"
#include "viewer/workspace/sql/asking.h"
#include "viewer/workspace/view/kept_question.h"

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace sla::workspace {

class KeptAnswers {
public:
    // Those that are new, or say something else, are asked; those that are gone have no answer any more.
    void set(const std::vector<KeptQuestion>& questions);
    [[nodiscard]] const std::vector<KeptQuestion>& questions() const { return questions_; }
    // Once a frame.
    void step(DataSource& source);
    void ask_again(std::size_t question);
    [[nodiscard]] bool is_busy() const { return asking_.is_busy(); }
    // Changes with lanes() and the columns.
    [[nodiscard]] std::uint64_t revision() const { return revision_; }

    [[nodiscard]] std::vector<const store::Lane*> lanes() const;
    // The lane that now stands for one of before; null: none does.
    [[nodiscard]] const store::Lane* successor_of(const store::Lane& lane) const;
    // The columns, in order of the questions: null behind the last one.
    [[nodiscard]] const KeptQuestion* column(std::size_t at) const;
    // The value of a row; "" where there is none, and "…" where that is not known.
    [[nodiscard]] std::string cell(std::size_t column, const store::Lane& lane, std::uint64_t row, std::uint64_t tick) const;
    // What became of it: "1,204 rows in 0.03 s", or what is wrong.
    [[nodiscard]] std::string words(std::size_t question) const;
    [[nodiscard]] bool has_answer(std::size_t question) const { return states_[question].answer != nullptr; }
    [[nodiscard]] bool has_failed(std::size_t question) const { return !states_[question].problem.empty(); }
    // All of it, with the place in the question.
    [[nodiscard]] const std::string& problem(std::size_t question) const { return states_[question].problem; }

private:
    using Clock = std::chrono::steady_clock;
    // What a job makes.
    struct Made {
        std::unique_ptr<store::Session> session;  // of a lane
        const store::Lane* lane = nullptr;
        sql::ColumnAnswer column;
        std::size_t rows = 0;
        std::string words;
    };
    // Of one question.
    struct State {
        std::unique_ptr<Made> answer;   // null: none yet
        std::unique_ptr<Made> retired;  // the one before
        std::string problem;
        bool is_due = true;
        double seconds = 0;
        Clock::time_point asked_at;
        std::uint64_t revision = 0;  // of the source's session then
    };
    static Result<void> make(const KeptQuestion& question, std::uint32_t number, sql::Engine& engine,
                             const store::Session& session, Made& made);
    void note_growth(DataSource& source);
    void begin(DataSource& source, std::size_t question);
    void end(const Result<void>& outcome);
    [[nodiscard]] std::optional<std::size_t> column_at(std::size_t at) const;

    std::vector<KeptQuestion> questions_;
    std::vector<State> states_;  // of each
    std::uint64_t revision_ = 0;
    std::uint32_t lanes_made_ = 0;
    std::size_t asked_ = 0;                    // which one is under way
    std::shared_ptr<Made> made_;               // the job's while it runs
    std::vector<std::unique_ptr<Made>> gone_;  // of questions that are gone, until the next change
    Asking asking_;
};

}  // namespace sla::workspace
