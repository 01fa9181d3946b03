#include "tests/unit/viewer/sql/asked.h"

namespace sla::sql {
namespace {

class SqlEngine : public Asking {};

TEST_F(SqlEngine, ComputesWithoutAnyCapture) {
    EXPECT_EQ(ask("SELECT 1 + 1, 'a' || 'b', NULL, 1.5"), "2|ab||1.5\n");
}

TEST_F(SqlEngine, AnErrorShowsItsLineAndACaretBelowThePlace) {
    EXPECT_EQ(ask("SELECT *\nFROM events\nWERE tick > 5"),
              "ERROR: SQL: near \"tick\": syntax error\n  WERE tick > 5\n       ^");
    EXPECT_EQ(ask("SELECT ünknown_column FROM events"),
              "ERROR: SQL: no such column: ünknown_column\n  SELECT ünknown_column FROM events\n         ^");
}

TEST_F(SqlEngine, TheCaretOfALongLineStandsInAPieceOfIt) {
    const std::string blanks(500, ' ');
    const std::string said = ask("SELECT" + blanks + "1 FORM events" + blanks);
    EXPECT_LT(said.size(), 350U) << said;
    EXPECT_NE(said.find("\n  " + std::string(60, ' ') + "^"), std::string::npos) << said;
}

TEST_F(SqlEngine, ATableThatIsNotThereIsAnsweredWithThoseThatAre) {
    EXPECT_EQ(ask("SELECT * FROM event"),
              "ERROR: SQL: no such table: event; there are events, spans, pairs, gaps, channels, sources, threads, clocks, "
              "shots, captures");
}

TEST_F(SqlEngine, OneQuestionAtATimeCommentsAndBlanksAside) {
    EXPECT_EQ(ask("SELECT 1; -- and that is all\n ; "), "1\n");
    EXPECT_EQ(ask("SELECT 1; SELECT 2"), "ERROR: one question at a time: something follows behind the first ';'");
    EXPECT_EQ(ask(" -- nothing\n"), "ERROR: there is no question: ask as in 'SELECT count(*) FROM events'");
    EXPECT_EQ(ask("SELECT ?"), "ERROR: the question has a place for a value (?, :name): write the value itself");
    EXPECT_EQ(ask(std::string_view("SELECT 1\0 + 1", 13)), "ERROR: the question holds a byte 0");
}

TEST_F(SqlEngine, TimesAreReadAndWrittenInWords) {
    EXPECT_EQ(ask("SELECT ns('1.5ms'), ns('-2us'), duration(1500000), duration(NULL), ns(NULL)"),
              "1500000|-2000|1.5 ms||\n");
    EXPECT_EQ(ask("SELECT ns('5 apples')").substr(0, 16), "ERROR: SQL: ns()");
    EXPECT_EQ(ask("SELECT duration(1e300)").substr(0, 10), "ERROR: SQL");
    EXPECT_EQ(ask("SELECT duration('x')"), "ERROR: SQL: duration(): a number of nanoseconds belongs here");
}

TEST_F(SqlEngine, PercentilesAreByNearestRankAndSkipWhatIsNoNumber) {
    EXPECT_EQ(
        ask("WITH n(x) AS (VALUES (10),(20),(30),(40),(NULL),('x'))"
            "SELECT percentile(x, 0), percentile(x, 50), percentile(x, 75), percentile(x, 76), percentile(x, 100) FROM n"),
        "10|20|30|40|40\n");
    EXPECT_EQ(ask("WITH n(x) AS (VALUES (NULL)) SELECT percentile(x, 50) FROM n"), "\n");
    for (const char* const percent : {"101", "-1", "'p99'", "NULL"}) {
        EXPECT_EQ(ask(std::string("SELECT percentile(1, ") + percent + ")"),
                  "ERROR: SQL: percentile(): the second word is a number from 0 to 100");
    }
}

TEST_F(SqlEngine, PercentilesOfWholeNumbersAreWholeNumbers) {
    EXPECT_EQ(
        ask("WITH n(x) AS (VALUES (9007199254740993),(9007199254740992),(9007199254740994.0))"
            "SELECT percentile(x, 33), percentile(x, 50), typeof(percentile(x, 50)), typeof(percentile(x, 100)) FROM n"),
        "9007199254740992|9007199254740993|integer|real\n");
    EXPECT_EQ(ask("WITH n(x) AS (VALUES (9223372036854775807),(-9223372036854775808),(1e300),(-1e300))"
                  "SELECT percentile(x, 25) < percentile(x, 50), percentile(x, 50), percentile(x, 75) FROM n"),
              "1|-9223372036854775808|9223372036854775807\n");
}

// Of 1 to 100 the nearest rank of a whole percent is that number, although p / 100 * 100 is a little more in binary for some.
TEST_F(SqlEngine, PercentilesThatFallOnARankAreThatRank) {
    const std::string numbers = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < ";
    for (int percent = 1; percent <= 100; percent++) {
        const std::string word = std::to_string(percent);
        EXPECT_EQ(ask(numbers + "100) SELECT percentile(x, " + word + ") FROM n"), word + "\n");
    }
    EXPECT_EQ(ask(numbers + "3000) SELECT percentile(x, 99.9), percentile(x, 99.91) FROM n"), "2997|2998\n");
    EXPECT_EQ(ask(numbers + "1000) SELECT percentile(x, 99.9), percentile(x, 0.1), percentile(x, 0.11) FROM n"),
              "999|1|2\n");
}

TEST_F(SqlEngine, ListsInJsonAreTables) {
    EXPECT_EQ(ask("SELECT value FROM json_each('[7, 8]')"), "7\n8\n");
    EXPECT_EQ(ask("SELECT count(*) FROM json_tree('{\"a\": [1, 2]}')"), "4\n");
    EXPECT_EQ(ask("SELECT name FROM pragma_table_info('gaps') LIMIT 2"), "time_ns\nuntil_ns\n");
}

TEST_F(SqlEngine, AnAnswerThatIsNoLongerWantedEndsWithoutAnError) {
    open();
    Lines first(3);
    EXPECT_TRUE(engine().ask("WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT x FROM n", first).ok());
    EXPECT_EQ(first.text(), "1\n2\n3\n");
}

TEST_F(SqlEngine, SaysWhichTablesAQuestionReads) {
    EXPECT_EQ(ask("SELECT count(g.lost) FROM gaps g, channels c WHERE c.lost > 0"), "0\n");
    EXPECT_EQ(engine().tables_read(), (std::set<std::string>{"channels", "gaps"}));
    EXPECT_EQ(ask("SELECT 1"), "1\n");
    EXPECT_TRUE(engine().tables_read().empty());
}

TEST_F(SqlEngine, SchemaNamesTablesAndColumns) {
    EXPECT_NE(schema("gaps")->find("CREATE TABLE gaps(time_ns REAL, until_ns REAL,"), std::string::npos) << *schema("gaps");
    EXPECT_NE(schema()->find("CREATE TABLE shots("), std::string::npos);
    EXPECT_EQ(schema("gap").error().code, ErrorCode::kNotFound);
}

TEST_F(SqlEngine, AQuestionIsWholeBehindItsSemicolonButNotBehindOneInAText) {
    EXPECT_TRUE(is_whole_question("SELECT 1;"));
    EXPECT_FALSE(is_whole_question("SELECT ';'"));
    EXPECT_FALSE(is_whole_question("SELECT 1 /* ; "));
}

// "first-last" of the ticks that a question needs of a capture without rows; "all".
std::string needed(Engine& engine, std::string_view question) {
    const auto ticks = engine.ticks_needed(question);
    if (!ticks.ok()) return "ERROR: " + ticks.error().message;
    const TickRange& of = ticks->front();
    if (of.empty()) return "none";
    if (of.first == 0 && of.last == store::kNever) return "all";
    return std::to_string(of.first) + "-" + (of.last == store::kNever ? "" : std::to_string(of.last));
}

TEST_F(Asking, OfWhatAQuestionNeedsIsKnownBeforeThereAreRows) {
    open();
    EXPECT_EQ(needed(engine(), "SELECT count(value) FROM events WHERE tick BETWEEN 2000 AND 3000"), "2000-3000");
    EXPECT_EQ(needed(engine(), "SELECT channel, text FROM events WHERE tick > 2000 AND kind = 'text'"), "2000-");
    EXPECT_EQ(needed(engine(), "SELECT max(value) FROM events WHERE time_ns < 1000"), "0-2002");
    EXPECT_EQ(needed(engine(), "WITH e AS (SELECT tick, value FROM events) SELECT tick FROM e WHERE tick <= 5"), "0-5");
    EXPECT_EQ(needed(engine(), "SELECT tick FROM events WHERE tick = NULL"), "none");
    // Figures of rows before, other tables, several walks: the rows that they look at are not known.
    for (const char* question :
         {"SELECT count(*) FROM events", "SELECT delta_ns FROM events WHERE tick < 5",
          "SELECT tick FROM events WHERE tick < 5 AND error_ns > 3", "SELECT * FROM events WHERE tick < 5",
          "SELECT count(*) FROM spans WHERE begin_tick < 5", "SELECT events FROM channels",
          "SELECT e.tick FROM events e, channels c WHERE e.tick < 5",
          "SELECT tick FROM events WHERE tick < 5 UNION SELECT tick FROM events WHERE tick < 9",
          "SELECT tick FROM events WHERE tick < (SELECT max(lost) FROM gaps)",
          "SELECT tick FROM events e WHERE tick < 5 AND EXISTS (SELECT 1 FROM events f WHERE f.tick > e.tick)",
          "SELECT tick FROM events WHERE tick < 5 OR tick > 10"})
        EXPECT_EQ(needed(engine(), question), "all") << question;
    EXPECT_EQ(needed(engine(), "SELECT nonsense FROM events").substr(0, 5), "ERROR");
    EXPECT_EQ(needed(engine(), "DELETE FROM events").substr(0, 5), "ERROR");
}

TEST_F(Asking, AQuestionBeyondTheRowsThatAreThereIsRefused) {
    capture_.tick(capture_.channel("rx"), 1500);
    open();
    engine().limit_to({TickRange{1400, 1600}});
    EXPECT_EQ(ask("SELECT tick FROM events WHERE tick BETWEEN 1400 AND 1600"), "1500\n");
    EXPECT_EQ(ask("SELECT tick FROM events WHERE tick BETWEEN 1400 AND 1700").substr(0, 5), "ERROR");
    EXPECT_EQ(ask("SELECT tick FROM events").substr(0, 5), "ERROR");
}

}  // namespace
}  // namespace sla::sql
