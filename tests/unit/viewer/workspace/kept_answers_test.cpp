// Kept questions: their answers as lanes and columns, asked beside the frames, kept, undone, replaced.
#include "viewer/workspace/sql/kept_answers.h"

#include "tests/support/sample_capture.h"
#include "tests/support/temporary_path.h"
#include "viewer/workspace/document.h"

#include <gmock/gmock.h>

#include <thread>

namespace sla::workspace {
namespace {

using std::chrono::milliseconds;
using testing::HasSubstr;

// A file with three rows on "a" (values 1, 2, 3) and one on "b" at the tick of the last.
class Kept : public testing::Test {
protected:
    Kept() {
        support::CaptureBuilder capture(1000);
        const auto a = capture.channel("a");
        const auto b = capture.channel("b");
        for (int i = 1; i <= 3; ++i) capture.value(a, 1000 + 100 * static_cast<std::uint64_t>(i), i);
        capture.value(b, 1300, 30);
        capture.write(file_.path);
        document_ = std::make_unique<Document>(open_source(file_.path));
        run();
    }
    // Until everything is answered.
    void run() {
        do {  // ends: the file is read, and each question has its end
            document_->take_data(milliseconds(5), 0.01);
            std::this_thread::yield();
        } while (document_->is_working());
        document_->observe(1, false);
    }
    void keep(const std::vector<KeptQuestion>& questions) {
        document_->set_questions(questions);
        run();
    }
    [[nodiscard]] KeptAnswers& answers() const { return *document_->kept_answers; }
    [[nodiscard]] std::string cell(std::size_t column, const char* channel, std::uint64_t row) const {
        const store::Lane& lane = *document_->source->session().lane_named(channel);
        return answers().cell(column, lane, row, lane.tick(row));
    }
    [[nodiscard]] std::vector<std::string> rows_of_tree() const {
        std::vector<std::string> names;
        for (const timeline::TreeRow& row : document_->tree.rows()) names.push_back(row.name);
        return names;
    }

    static inline const KeptQuestion kDouble{"double", "value * 2", QuestionForm::kColumn};
    static inline const KeptQuestion kLine{"sum", "SELECT tick, sum(value) OVER (ORDER BY tick) AS value FROM events",
                                           QuestionForm::kLane};
    support::TemporaryPath file_{"kept_answers.sla"};
    std::unique_ptr<Document> document_;
};

TEST_F(Kept, AnAnswerIsALaneBesideTheOthers) {
    keep({kLine});
    EXPECT_EQ(answers().words(0).substr(0, 6), "4 rows");
    EXPECT_EQ(rows_of_tree(), (std::vector<std::string>{"a", "b", "questions", "sum"}));
    const store::Lane* lane = document_->tree.lane_of("?:sum");
    ASSERT_NE(lane, nullptr);
    EXPECT_TRUE(document_->tree.is_derived(*lane));
    ASSERT_EQ(lane->size(), 4u);
    EXPECT_EQ((*lane)[0].number(), 1);
    EXPECT_EQ((*lane)[3].number(), 36);
    EXPECT_EQ(lane->tick(1), 1200u);
    EXPECT_EQ(document_->source->session().lanes().size(), 2u) << "the capture has what it had";
}

TEST_F(Kept, AnAnswerIsAColumnOfTheTable) {
    keep(
        {kDouble, {"wide", "SELECT tick, group_concat(channel) AS value FROM events GROUP BY tick", QuestionForm::kColumn}});
    EXPECT_EQ(cell(0, "a", 1), "4");
    EXPECT_EQ(cell(0, "b", 0), "60");
    EXPECT_EQ(cell(1, "a", 2), "a,b");
    EXPECT_EQ(cell(1, "b", 0), "a,b");
    EXPECT_EQ(cell(2, "b", 0), "");
    EXPECT_EQ(answers().column(2), nullptr);
}

TEST_F(Kept, WhatIsWrongIsSaidAndLeavesTheOthersAlone) {
    keep({{"bad", "SELECT tick FORM events", QuestionForm::kLane},
          {"odd", "SELECT 1 AS value", QuestionForm::kLane},
          kDouble});
    EXPECT_TRUE(answers().has_failed(0));
    EXPECT_THAT(answers().problem(0), HasSubstr("^"));
    EXPECT_THAT(answers().words(1), HasSubstr("a lane needs a column `tick`"));
    EXPECT_FALSE(answers().has_failed(2));
    EXPECT_TRUE(document_->tree.derived().empty());
    EXPECT_EQ(cell(0, "a", 0), "2");
}

TEST_F(Kept, KeepingAndForgettingAreUndone) {
    document_->observe(1, false);
    keep({kLine});
    EXPECT_EQ(document_->history.undo_words(), "keep the lane sum");
    keep({});
    EXPECT_EQ(document_->history.undo_words(), "forget the lane sum");
    EXPECT_TRUE(document_->tree.derived().empty());
    document_->set_state(*document_->history.undo());
    run();
    ASSERT_EQ(document_->tree.derived().size(), 1u);
    EXPECT_EQ(document_->tree.derived()[0]->size(), 4u);
}

TEST_F(Kept, WhatIsSelectedStaysWhenAnAnswerIsReplaced) {
    keep({kLine});
    const store::Lane* before = document_->tree.derived()[0];
    document_->marks.focus = before;
    document_->marks.selection = Selection{before, 2, before->tick(2)};
    answers().ask_again(0);
    run();
    const store::Lane* after = document_->tree.derived()[0];
    ASSERT_NE(after, before);
    EXPECT_EQ(document_->marks.focus, after);
    ASSERT_TRUE(document_->marks.selection);
    EXPECT_EQ(document_->marks.selection->lane, after);
    keep({});
    EXPECT_EQ(document_->marks.focus, nullptr);
    EXPECT_FALSE(document_->marks.selection);
}

TEST_F(Kept, QuestionsThatStayAreNotAskedAgain) {
    keep({kLine});
    const store::Lane* before = document_->tree.derived()[0];
    keep({kDouble, kLine});
    EXPECT_EQ(document_->tree.derived()[0], before);
    EXPECT_EQ(cell(0, "a", 0), "2");
}

TEST_F(Kept, OneThatIsUnderWayWhenAnotherIsKeptIsAskedAllTheSame) {
    document_->set_questions({kLine});
    document_->take_data(milliseconds(1), 0.01);
    ASSERT_TRUE(answers().is_busy());
    keep({kLine, kDouble});
    EXPECT_EQ(document_->tree.derived().size(), 1u);
    EXPECT_EQ(cell(0, "a", 0), "2");
}

TEST(KeptQuestions, AreOneOfANameAndSoManyAsThereIsSpaceFor) {
    std::vector<KeptQuestion> all;
    EXPECT_TRUE(keep_question(all, {"a", "1", QuestionForm::kLane}));
    EXPECT_TRUE(keep_question(all, {"a", "2", QuestionForm::kLane}));
    ASSERT_EQ(all.size(), 1u);
    EXPECT_EQ(all[0].text, "2");
    EXPECT_FALSE(keep_question(all, {"", "1", QuestionForm::kLane}));
    EXPECT_FALSE(keep_question(all, {std::string(kLongestKeptName + 1, 'x'), "1", QuestionForm::kLane}));
    for (std::size_t i = 0; i < kMaxQuestionColumns; ++i)
        EXPECT_TRUE(keep_question(all, {"c" + std::to_string(i), "1", QuestionForm::kColumn}));
    EXPECT_FALSE(keep_question(all, {"more", "1", QuestionForm::kColumn}));
    EXPECT_TRUE(keep_question(all, {"c0", "2", QuestionForm::kColumn})) << "the same column, changed";
    while (all.size() < kMaxKeptQuestions) ASSERT_TRUE(keep_question(all, {std::to_string(all.size()), "1"}));
    EXPECT_FALSE(keep_question(all, {"more", "1"}));
}

TEST(KeptQuestions, AreTypedAsANameAndAQuestion) {
    const auto good = parse_kept_question("slow=SELECT tick FROM events WHERE value = 3", QuestionForm::kLane);
    ASSERT_TRUE(good.ok());
    EXPECT_EQ(*good, (KeptQuestion{"slow", "SELECT tick FROM events WHERE value = 3", QuestionForm::kLane}));
    for (const char* text : {"", "slow", "=x", "slow="})
        EXPECT_THAT(parse_kept_question(text, QuestionForm::kColumn).error().message,
                    HasSubstr("--column wants NAME=QUESTION"));
}

}  // namespace
}  // namespace sla::workspace
