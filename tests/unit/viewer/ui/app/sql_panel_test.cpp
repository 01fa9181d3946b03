// The tab for questions in SQL, typed and clicked.
#include "tests/unit/viewer/ui/panels_fixture.h"

#include <string>
#include <thread>

namespace sla::ui {
namespace {

class SqlTab : public Panels {
protected:
    SqlQuestion& question() { return *app().document().question; }
    void ask(const std::string& text) {
        act("sql");
        app().document().panels.sql = text;
        frames(2);
        click_item("ask question");
        while (question().is_busy()) {  // ends with the answer
            frames(1);
            std::this_thread::yield();
        }
        frames(2);
    }
};

TEST_F(SqlTab, AQuestionIsAnsweredAndARowOfItIsGoneTo) {
    open_bench();
    ask("SELECT tick, channel, value FROM events WHERE channel = 'irq.0' AND value = 1 LIMIT 7");
    const SqlAnswer& answer = question().answer();
    ASSERT_EQ(answer.problem, "");
    ASSERT_EQ(answer.rows(), 7u);
    keep("sql");
    const Rect first = item("sql 3 0");
    click(first.x + 40, first.y + first.height / 2);
    ASSERT_TRUE(app().document().marks.selection);
    EXPECT_EQ(app().document().marks.selection->lane, &lane("irq.0"));
    EXPECT_EQ(app().document().marks.selection->tick, answer.tick(0));
}

TEST_F(SqlTab, MoreColumnsThanATableHoldsAreCounted) {
    open_bench();
    std::string text = "SELECT 0";
    for (int i = 1; i < 70; ++i) text += "," + std::to_string(i);
    ask(text);
    EXPECT_EQ(question().answer().columns.size(), 70u);
    EXPECT_GT(item("sql 64 0").width, 0);
}

TEST_F(SqlTab, AWrongQuestionIsReportedWithItsPlace) {
    open_bench();
    ask("SELECT * FORM events");
    EXPECT_NE(question().answer().problem.find('^'), std::string::npos);
    keep("sql_wrong");
}

TEST_F(SqlTab, AQuestionIsSavedAndForgottenByTheButton) {
    open_bench();
    ask("SELECT 1");
    click_item("save question");
    EXPECT_EQ(app().settings().questions, std::vector<std::string>{"SELECT 1"});
    click_item("save question");
    EXPECT_TRUE(app().settings().questions.empty());
}

class KeptInTab : public SqlTab {
protected:
    KeptAnswers& answers() { return *app().document().kept_answers; }
    void keep_as(const char* button, const std::string& name, const std::string& text) {
        app().document().panels.sql = text;
        frames(2);
        click_item("kept questions");
        click_item("kept name");
        type(name.c_str());
        frames(2);
        click_item(button);
        do {  // ends with the answer
            frames(1);
            std::this_thread::yield();
        } while (answers().is_busy());
        key(kKeyEscape);
        frames(3);
    }
};

TEST_F(KeptInTab, AQuestionBecomesALaneAndAColumn) {
    open_bench();
    act("sql");
    keep_as("As a lane", "queue", "SELECT tick, value FROM events WHERE channel = 'pipe.queue'");
    ASSERT_EQ(answers().questions().size(), 1u);
    EXPECT_FALSE(answers().has_failed(0)) << answers().problem(0);
    ASSERT_EQ(app().document().tree.derived().size(), 1u);
    EXPECT_EQ(app().document().tree.derived()[0]->size(), lane("pipe.queue").size());
}

}  // namespace
}  // namespace sla::ui
