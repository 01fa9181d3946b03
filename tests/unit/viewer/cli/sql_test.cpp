#include "tests/support/capture_builder.h"
#include "tests/support/fake_agent.h"
#include "tests/unit/viewer/cli/run_sla.h"

#include <unistd.h>

#include <algorithm>

namespace sla::cli {
namespace {

class SqlCommand : public WithDirectory {
protected:
    SqlCommand() {
        add(capture_);
        capture_.write(file("c.sla"));
        support::CaptureBuilder lossy{0};
        lossy.gap(add(lossy), 5000, 4);
        lossy.write(file("lossy.sla"));
    }
    static std::uint32_t add(support::CaptureBuilder& capture) {
        const auto rx = capture.channel("net.rx");
        for (std::uint64_t i = 1; i <= 3; ++i) capture.tick(rx, i * 1000, static_cast<std::int64_t>(i));
        return rx;
    }
    Outcome prompt(const std::string& typed, const std::vector<std::string>& words = {}) {
        const int kept = dup(STDIN_FILENO);
        int ends[2];
        EXPECT_EQ(pipe(ends), 0);
        EXPECT_EQ(write(ends[1], typed.data(), typed.size()), static_cast<ssize_t>(typed.size()));
        close(ends[1]);
        dup2(ends[0], STDIN_FILENO);
        close(ends[0]);
        std::vector<std::string> all = {"sql", "-i", file("c.sla")};
        all.insert(all.end(), words.begin(), words.end());
        const Outcome outcome = run_sla(all);
        dup2(kept, STDIN_FILENO);
        close(kept);
        return outcome;
    }
    support::CaptureBuilder capture_{0};
};

TEST_F(SqlCommand, AnswersInEveryForm) {
    const auto ask = [&](const std::string& form) {
        return run_sla({"sql", file("c.sla"), "SELECT channel, value, NULL AS none, 0.5 AS half FROM events LIMIT 2",
                        "--format", form})
            .out;
    };
    EXPECT_EQ(ask("csv"), "channel,value,none,half\nnet.rx,1,,0.5\nnet.rx,2,,0.5\n");
    EXPECT_EQ(ask("jsonl"),
              "{\"channel\":\"net.rx\",\"value\":1,\"none\":null,\"half\":0.5}\n"
              "{\"channel\":\"net.rx\",\"value\":2,\"none\":null,\"half\":0.5}\n");
    EXPECT_EQ(ask("text"), "channel  value  none  half\nnet.rx       1         0.5\nnet.rx       2         0.5\n");
}

TEST_F(SqlCommand, ColumnsOfOneNameAreSeveralKeysInJson) {
    const auto ask = [&](const std::string& form) {
        return run_sla({"sql", file("c.sla"), "SELECT 1 AS a, 2 AS a, 3 AS \"a:1\"", "--format", form}).out;
    };
    EXPECT_EQ(ask("jsonl"), "{\"a\":1,\"a:1\":2,\"a:1:1\":3}\n");
    EXPECT_EQ(ask("csv"), "a,a,a:1\n1,2,3\n");
}

TEST_F(SqlCommand, AWholeFloatHasAPointInEveryTableForm) {
    for (const char* form : {"csv", "tsv"}) {
        EXPECT_EQ(run_sla({"sql", file("c.sla"), "SELECT 5.0 AS a, 5 AS b, -0.0 AS c, 0.5 AS d", "--format", form}).out,
                  form == std::string("csv") ? "a,b,c,d\n5.0,5,-0.0,0.5\n" : "a\tb\tc\td\n5.0\t5\t-0.0\t0.5\n");
    }
}

TEST_F(SqlCommand, AnAnswerOfManyRowsStreamsIntoAFile) {
    const Outcome outcome =
        run_sla({"sql", file("c.sla"), "-o", file("n.txt"),
                 "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n LIMIT 300000) SELECT x FROM n"});
    EXPECT_EQ(outcome.code, kDone) << outcome.errors;
    const std::string text = content(file("n.txt"));
    EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 300'001);
    EXPECT_TRUE(text.ends_with("\n300000\n"));
}

TEST_F(SqlCommand, WrongQuestionsAreWrongUseAndLeaveNoFile) {
    const Outcome wrong = run_sla({"sql", file("c.sla"), "SELECT * FORM events", "-o", file("a.csv")});
    EXPECT_EQ(wrong.code, kWrongUse);
    EXPECT_EQ(wrong.errors, "sla: SQL: near \"FORM\": syntax error\n  SELECT * FORM events\n           ^\n");
    EXPECT_FALSE(std::filesystem::exists(file("a.csv")));
    EXPECT_EQ(run_sla({"sql", file("c.sla")}).code, kWrongUse);
    for (const std::string none : {"0", "1KB", "9223372036854775808"})
        EXPECT_EQ(run_sla({"sql", file("c.sla"), "--memory", none, "SELECT 1"}).code, kWrongUse) << none;
    EXPECT_EQ(run_sla({"sql"}).code, kWrongUse);
    EXPECT_EQ(run_sla({"sql", file("not-there.sla"), "SELECT 1"}).code, kOutsideFailed);
    EXPECT_EQ(run_sla({"sql", file("c.sla"), "--memory", "8MiB",
                       "WITH RECURSIVE n(x) AS (SELECT 1 UNION SELECT x + 1 FROM n) SELECT count(*) FROM n"})
                  .code,
              kOutsideFailed);
}

TEST_F(SqlCommand, FieldsTooWideForAColumnNeitherWidenTheOthersNorAreKept) {
    const Outcome outcome =
        run_sla({"sql", file("c.sla"), "SELECT value, hex(zeroblob(1000000)) AS wide FROM events", "--format", "text"});
    EXPECT_EQ(outcome.code, kDone) << outcome.errors;
    EXPECT_EQ(outcome.out.find("value  wide\n    1  000"), 0U) << outcome.out.substr(0, 100);
    EXPECT_EQ(outcome.out.size(), 12 + 3 * (5 + 2 + 2'000'000 + 1));
}

TEST_F(SqlCommand, LossesAreReportedBesideTheAnswer) {
    EXPECT_EQ(run_sla({"sql", file("lossy.sla"), "SELECT 1 AS one"}).errors,
              "sla: 4 events of lossy.sla were lost (the table gaps says where)\n");
    EXPECT_EQ(run_sla({"sql", "-q", file("lossy.sla"), "SELECT 1 AS one"}).errors, "");
    EXPECT_EQ(run_sla({"sql", file("c.sla"), "SELECT 1 AS one"}).errors, "");
}

TEST_F(SqlCommand, WhatIsNoTextForATerminalBecomesOne) {
    EXPECT_EQ(run_sla({"sql", file("c.sla"), "SELECT x'00ff' AS a, CAST(x'41ff' AS TEXT) AS b", "--format", "jsonl"}).out,
              "{\"a\":\"x'00ff'\",\"b\":\"A\xef\xbf\xbd\"}\n");
}

TEST_F(SqlCommand, SeveralCapturesAreToldApartByTheirNames) {
    EXPECT_EQ(run_sla({"sql", file("c.sla"), file("lossy.sla"), "SELECT capture, lost FROM captures"}).out,
              "capture,lost\nc.sla,0\nlossy.sla,4\n");
    EXPECT_EQ(run_sla({"sql", file("c.sla"), file("c.sla"), "SELECT DISTINCT capture FROM events"}).out,
              "capture\n" + file("c.sla") + "\n");
}

TEST_F(SqlCommand, TheSchemaNeedsNoCapture) {
    EXPECT_NE(run_sla({"sql", ".schema"}).out.find("CREATE TABLE events("), std::string::npos);
    EXPECT_EQ(run_sla({"sql", ".tables"}).out.substr(0, 13), "events\nspans\n");
    EXPECT_EQ(run_sla({"sql", ".schema nothing"}).code, kNo);
    EXPECT_EQ(run_sla({"sql", ".tables", "-o", file("names.txt")}).out, "");
    EXPECT_EQ(content(file("names.txt")).substr(0, 13), "events\nspans\n");
    EXPECT_EQ(run_sla({"sql", ".schema", "-o", file("no/such/folder")}).code, kOutsideFailed);
    EXPECT_EQ(run_sla({"sql", ".nothing"}).code, kWrongUse);
}

TEST_F(SqlCommand, ThePromptTakesQuestionsOverSeveralLinesAndGoesOnAfterAnError) {
    const Outcome outcome =
        prompt("SELECT count(*) AS n\nFROM events;\n\nnonsense;\n.format jsonl\nSELECT 2 AS two;\n.quit\nSELECT 3;\n");
    EXPECT_EQ(outcome.out, "n\n3\n{\"two\":2}\n");
    EXPECT_NE(outcome.errors.find("syntax error"), std::string::npos) << outcome.errors;
    EXPECT_EQ(outcome.code, kWrongUse);
    EXPECT_EQ(prompt("SELECT 1 AS one").out, "one\n1\n");
    EXPECT_EQ(prompt("").code, kDone);
    EXPECT_EQ(prompt(".tables\n").out.substr(0, 13), "events\nspans\n");
    EXPECT_EQ(prompt("SELECT 1;", {"-o", file("answers.csv")}).code, kWrongUse);
}

TEST_F(SqlCommand, AnAgentIsAskedAsAFileIs) {
    support::FakeAgent agent({capture_.stream()});
    EXPECT_EQ(run_sla({"sql", agent.address(), "SELECT sum(value) AS s FROM events"}).out, "s\n6\n");
}

TEST_F(SqlCommand, AQuestionIsAVerdictForCheck) {
    const Outcome outcome =
        run_sla({"check", file("c.sla"), "--sql", "SELECT count(*) = 3, count(*) FROM events", "--sql",
                 "SELECT max(value) < 3, max(value) FROM events", "--sql", "SELECT NULL", "--limit", "lost == 0"});
    EXPECT_EQ(outcome.out,
              "pass         lost == 0: 0\n"
              "pass         SELECT count(*) = 3, count(*) FROM events: 3\n"
              "fail         SELECT max(value) < 3, max(value) FROM events: 3\n"
              "cannot tell  SELECT NULL; the question has no answer\n");
    EXPECT_EQ(outcome.code, kNo);
    EXPECT_EQ(run_sla({"check", file("c.sla"), "--sql", "SELECT 1"}).code, kDone);
    EXPECT_EQ(run_sla({"check", file("c.sla"), "--sql", "SELECT 1, 1764000000000000123", "--format", "csv"}).out,
              "limit,channel,verdict,measured,error,unit,at_tick,at_ns,checked,broken,unknown,why,source\n"
              "\"SELECT 1, 1764000000000000123\",,pass,1764000000000000123,,,,,,,,,\n");
    EXPECT_EQ(run_sla({"check", file("c.sla"), "--sql", "SELECT 1, -5"}).out, "pass         SELECT 1, -5: -5\n");
    EXPECT_EQ(run_sla({"check", file("c.sla"), "--sql", "SELECT 1, 2, 3"}).code, kWrongUse);
    EXPECT_EQ(run_sla({"check", file("c.sla"), "--sql", "SELEC"}).code, kWrongUse);
    EXPECT_EQ(run_sla({"check", file("c.sla"), "--sql", "SELECT 1", "--from", "1us"}).code, kWrongUse);
    EXPECT_EQ(run_sla({"check", file("c.sla")}).code, kWrongUse);
}

TEST_F(SqlCommand, WhereEventsWereLostACheckCannotTellUnlessItsQuestionLooksAtLosses) {
    const Outcome blind = run_sla({"check", file("lossy.sla"), "--sql", "SELECT count(*) > 1 FROM events"});
    EXPECT_EQ(blind.code, kNo);
    EXPECT_EQ(blind.out,
              "cannot tell  SELECT count(*) > 1 FROM events; of what is there it holds, but 4 events were lost; a question "
              "that reads `gaps` judges them itself\n");
    EXPECT_EQ(run_sla({"check", file("lossy.sla"), "--sql",
                       "SELECT count(*) + (SELECT sum(lost) FROM gaps) < 10 FROM events WHERE kind != 'gap'"})
                  .code,
              kDone);
}

TEST_F(SqlCommand, LossesThatNobodyCountedAreLossesToo) {
    support::CaptureBuilder uncounted{0};
    uncounted.gap(add(uncounted), 5000, 0, wire::LossCause::kTorn);
    uncounted.write(file("uncounted.sla"));
    const Outcome blind = run_sla({"check", file("uncounted.sla"), "--sql", "SELECT count(*) > 1 FROM events"});
    EXPECT_EQ(blind.code, kNo);
    EXPECT_EQ(
        blind.out,
        "cannot tell  SELECT count(*) > 1 FROM events; of what is there it holds, but events were lost, and nobody knows "
        "how many; a question that reads `gaps` judges them itself\n");
    EXPECT_EQ(run_sla({"sql", file("uncounted.sla"), "SELECT 1 AS one"}).errors,
              "sla: events of uncounted.sla were lost, and nobody knows how many (the table gaps says where)\n");
}

TEST_F(SqlCommand, NorCanACheckTellWhatEventsThatAreNotThereWouldSay) {
    const auto asked = [this](wire::LossCause cause, std::uint64_t lost) {
        support::CaptureBuilder capture{0};
        capture.gap(add(capture), 5000, lost, cause, 6000);
        capture.write(file("part.sla"));
        return run_sla({"check", file("part.sla"), "--sql", "SELECT count(*) > 1 FROM events"});
    };
    const Outcome left_out = asked(wire::LossCause::kLeftOut, 0);
    EXPECT_EQ(left_out.code, kNo);
    EXPECT_NE(left_out.out.find("but events were left out, and nobody knows how many"), std::string::npos) << left_out.out;
    const Outcome not_kept = asked(wire::LossCause::kNotKept, 3);
    EXPECT_EQ(not_kept.code, kNo);
    EXPECT_NE(not_kept.out.find("but 3 events of before were not kept"), std::string::npos) << not_kept.out;
}

// The lines of a csv table, of each the fields behind the table's own.
std::vector<std::string> extra_fields(const std::string& csv) {
    std::vector<std::string> fields;
    for (std::size_t at = 0; at < csv.size();) {
        const std::size_t end = csv.find('\n', at);
        std::string line = csv.substr(at, end - at);
        for (int own = 0; own < 12; ++own) line.erase(0, line.find(',') + 1);
        fields.push_back(line);
        at = end + 1;
    }
    return fields;
}

TEST_F(SqlCommand, QuestionsAreColumnsOfTheTable) {
    const std::vector<std::string> words = {
        "table",    file("c.sla"),
        "--column", "double=value * 2",
        "--column", "word=SELECT tick, 'three, of 3' AS value FROM events WHERE value = 3"};
    const auto in = [&](std::vector<std::string> more) {
        more.insert(more.begin(), words.begin(), words.end());
        return run_sla(more);
    };
    const Outcome csv = in({"--format", "csv"});
    EXPECT_EQ(csv.code, kDone) << csv.errors;
    const std::vector<std::string> expected = {"double,word", "2,", "4,", "6,\"three, of 3\""};
    EXPECT_EQ(extra_fields(csv.out), expected) << csv.out;
    EXPECT_TRUE(in({"--format", "jsonl"}).out.ends_with("\"double\":6,\"word\":\"three, of 3\"}\n"));
    const std::string people = in({"--format", "text"}).out;
    EXPECT_NE(people.find("double          word  text"), std::string::npos) << people;
    EXPECT_NE(people.find("   6   three, of 3"), std::string::npos) << people;
}

TEST_F(SqlCommand, AColumnOfTheTableIsOfTheWholeCapture) {
    // The row before stands outside of what is shown.
    const Outcome outcome = run_sla({"table", file("c.sla"), "--filter", "value == 3", "--column",
                                     "before=lag(value) OVER (PARTITION BY channel_id ORDER BY row)"});
    const std::vector<std::string> expected = {"before", "2"};
    EXPECT_EQ(extra_fields(outcome.out), expected) << outcome.out << outcome.errors;
}

TEST_F(SqlCommand, WrongColumnsOfTheTableAreWrongUseAndLeaveNoFile) {
    const auto errors_of = [&](const std::string& column) {
        const Outcome outcome = run_sla({"table", file("c.sla"), "-o", file("t.csv"), "--column", column});
        EXPECT_EQ(outcome.code, kWrongUse) << column;
        EXPECT_FALSE(std::filesystem::exists(file("t.csv"))) << column;
        return outcome.errors;
    };
    EXPECT_EQ(errors_of("value * 2"), "sla: --column wants NAME=QUESTION, as in 'double=value * 2', not \"value * 2\"\n");
    EXPECT_EQ(errors_of("tick=value"), "sla: --column: the table has a column 'tick' already\n");
    EXPECT_EQ(errors_of("x=vallue"), "sla: --column x: SQL: no such column: vallue\n  vallue\n  ^\n");
    EXPECT_NE(errors_of("x=SELECT 1").find("a column needs `value`"), std::string::npos);
}

}  // namespace
}  // namespace sla::cli
