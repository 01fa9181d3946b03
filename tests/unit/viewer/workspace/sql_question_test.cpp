// Questions beside the frames: answered over files and over what an agent sent, bounded, stopped, wrong.
#include "viewer/workspace/sql/question.h"

#include "tests/support/sample_capture.h"
#include "tests/support/temporary_path.h"
#include "viewer/workspace/settings.h"

#include <gmock/gmock.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <future>
#include <string>
#include <thread>
#include <utility>

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

class Loading final : public DataSource {
public:
    explicit Loading(std::string target) : target_(std::move(target)) {}
    store::Session& session() override { return session_; }
    [[nodiscard]] SourceStatus status() const override { return {SourceState::kLoading, target_, {}, 0, 0}; }
    void poll(milliseconds /*budget*/) override {}
    [[nodiscard]] std::string target() const override { return target_; }

private:
    std::string target_;
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
    Loading source("/nowhere/gone.sla");
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

// What loads its capture waits for an agent that greets and never comes to an end.
TEST(SqlQuestion, IsStoppedWhileItsCaptureIsStillBeingLoaded) {
    const support::TemporaryPath path("sql_question.sock");
    const int server = socket(AF_UNIX, SOCK_STREAM, 0);
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    path.path.string().copy(address.sun_path, sizeof address.sun_path - 1);
    ASSERT_EQ(bind(server, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
    ASSERT_EQ(listen(server, 1), 0);
    Loading source("unix:" + path.path.string());
    SqlQuestion question;
    question.ask(source, kBusiest);
    const int peer = accept(server, nullptr, nullptr);  // the job loads
    ASSERT_GE(peer, 0);
    support::CaptureBuilder capture;
    capture.tick(capture.channel("a"), 2'000);
    capture.leave_open(3'000);
    const std::string greeting = capture.stream();
    ASSERT_EQ(write(peer, greeting.data(), greeting.size()), static_cast<ssize_t>(greeting.size()));
    auto stopped = std::async(std::launch::async, [&question] { question.cancel(); });
    EXPECT_EQ(stopped.wait_for(std::chrono::seconds(30)), std::future_status::ready);
    close(peer);
    close(server);
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
