// Questions beside the frames: answered over files and over what an agent sent, bounded, stopped, wrong.
#include "viewer/workspace/sql/question.h"

#include "tests/support/sample_capture.h"
#include "tests/support/temporary_path.h"
#include "viewer/workspace/settings.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <thread>

namespace sla::workspace {
namespace {

using std::chrono::milliseconds;
using testing::ElementsAre;
using testing::HasSubstr;

// As of an agent: what it sent is in memory, and nowhere else.
class InMemory final : public DataSource {
public:
    InMemory() {
        support::CaptureBuilder capture(1'000'000, 2.7e9, 70);
        support::add_bench_scene(capture);
        capture.fill(session_);
    }
    store::Session& session() override { return session_; }
    [[nodiscard]] SourceStatus status() const override { return {}; }
    void poll(milliseconds /*budget*/) override {}
    [[nodiscard]] std::string target() const override { return "unix:agent.sock"; }

private:
    store::Session session_;
};

const SqlAnswer& answered(SqlQuestion& question) {
    while (question.is_busy()) {  // ends: a job works on it
        question.poll();
        std::this_thread::yield();
    }
    return question.answer();
}

std::string texts_of(const SqlAnswer& answer) {
    std::string out;
    for (const SqlCell& cell : answer.cells) out += cell.text + "|";
    return out;
}

constexpr const char* kBusiest = "SELECT channel, events FROM channels ORDER BY events DESC LIMIT 1";

TEST(SqlQuestion, IsAnsweredOverWhatAnAgentSent) {
    InMemory source;
    SqlQuestion question;
    question.ask(source, kBusiest);
    EXPECT_TRUE(question.is_busy());
    const SqlAnswer& answer = answered(question);
    EXPECT_EQ(answer.problem, "");
    EXPECT_THAT(answer.columns, ElementsAre("channel", "events"));
    EXPECT_EQ(texts_of(answer), "pipe.compress|1968|");
    EXPECT_TRUE(answer.cell(0, 1).is_number);
    EXPECT_THAT(question.words(), HasSubstr("1 row in "));
}

TEST(SqlQuestion, IsAnsweredOverAFile) {
    const support::TemporaryPath file("sql_question.sla");
    support::CaptureBuilder capture(1'000'000, 2.7e9, 70);
    support::add_bench_scene(capture);
    capture.write(file.path);
    const auto source = open_source(file.path);
    SqlQuestion question;
    question.ask(*source, kBusiest);
    EXPECT_EQ(texts_of(answered(question)), "pipe.compress|1968|");
}

TEST(SqlQuestion, RowsWithATickArePlaces) {
    InMemory source;
    SqlQuestion question;
    question.ask(source, "SELECT value, tick FROM events WHERE channel = 'irq.0' LIMIT 2");
    const SqlAnswer& answer = answered(question);
    ASSERT_EQ(answer.rows(), 2u);
    EXPECT_EQ(answer.tick(1), source.session().lane_named("irq.0")->tick(1));
    question.ask(source, "SELECT begin_tick FROM spans LIMIT 1");
    EXPECT_TRUE(answered(question).tick(0).has_value());
    question.ask(source, "SELECT count(*) FROM events");
    EXPECT_FALSE(answered(question).tick(0).has_value());
}

TEST(SqlQuestion, WhatIsWrongWithItIsSaidWithItsPlace) {
    InMemory source;
    SqlQuestion question;
    question.ask(source, "SELECT * FORM events");
    EXPECT_THAT(answered(question).problem, HasSubstr("^"));
    question.ask(source, "ATTACH 'x' AS y");
    EXPECT_THAT(answered(question).problem, HasSubstr("only reads"));
    EXPECT_EQ(question.answer().rows(), 0u);
}

TEST(SqlQuestion, AFileThatIsGoneIsSaidAndNotAnEmptyAnswer) {
    class Gone final : public DataSource {
    public:
        store::Session& session() override { return session_; }
        [[nodiscard]] SourceStatus status() const override { return {SourceState::kLoading, "gone.sla", {}, 0, 0}; }
        void poll(milliseconds /*budget*/) override {}
        [[nodiscard]] std::string target() const override { return "/nowhere/gone.sla"; }

    private:
        store::Session session_;
    };
    Gone source;
    SqlQuestion question;
    question.ask(source, kBusiest);
    EXPECT_THAT(answered(question).problem, HasSubstr("/nowhere/gone.sla"));
}

TEST(SqlQuestion, LongAnswersAreCutAndSaySo) {
    InMemory source;
    SqlQuestion question;
    question.ask(source, "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n");
    const SqlAnswer& answer = answered(question);
    EXPECT_TRUE(answer.is_cut);
    EXPECT_EQ(answer.rows(), SqlAnswer::kMaxRows);
    EXPECT_THAT(question.words(), HasSubstr("the first "));
}

TEST(SqlQuestion, IsStoppedInTheMiddleAndAnotherAsked) {
    InMemory source;
    SqlQuestion question;
    question.ask(source, "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n");
    for (int i = 0; i < 50; ++i) question.poll();
    question.cancel();
    EXPECT_FALSE(question.is_busy());
    question.ask(source, kBusiest);
    EXPECT_EQ(texts_of(answered(question)), "pipe.compress|1968|");
}

TEST(SqlQuestion, IsAnsweredThoughItsSourceGoes) {
    SqlQuestion question;
    {
        InMemory source;
        question.ask(source, kBusiest);
    }
    EXPECT_EQ(texts_of(answered(question)), "pipe.compress|1968|");
}

TEST(SqlQuestion, ThatIsKeptComesBackWithTheSettingsAndIsForgottenAgain) {
    const support::TemporaryPath file("sql_question_settings.json");
    Settings settings;
    settings.toggle_question("SELECT 1");
    settings.toggle_question("SELECT '\"'\nFROM events");
    settings.toggle_question(std::string(Settings::kLongestQuestion + 1, 'x'));
    settings.toggle_question("");
    ASSERT_TRUE(save_settings(settings, file.path).ok());
    const auto back = load_settings(file.path);
    ASSERT_TRUE(back.ok());
    EXPECT_THAT(back->questions, ElementsAre("SELECT '\"'\nFROM events", "SELECT 1"));
    EXPECT_TRUE(back->has_question("SELECT 1"));
    settings.toggle_question("SELECT 1");
    EXPECT_FALSE(settings.has_question("SELECT 1"));
    const auto odd = parse_settings(R"({"questions": [1, "SELECT 2", null]})");
    ASSERT_TRUE(odd.ok());
    EXPECT_THAT(odd->questions, ElementsAre("SELECT 2"));
}

}  // namespace
}  // namespace sla::workspace
