#include "tests/support/part_of_capture.h"
#include "tests/unit/viewer/sql/asked.h"

#include <algorithm>
#include <utility>

namespace sla::sql {
namespace {

class SqlTables : public Asking {
protected:
    SqlTables() {
        const auto worker = capture_.thread("worker", 77);
        const auto rx = capture_.channel("net.rx");
        const auto work = capture_.channel("work");
        const auto load = capture_.channel("load");
        const auto pc = capture_.source("pc", support::BuilderSource::kPc, 9);
        const auto line = capture_.channel("irq.0", pc);
        capture_.tick(rx, 1100, 5);
        capture_.tick(rx, 1300, 7, worker);
        capture_.gap(rx, 1400, 3, wire::LossCause::kOverrun, 1450);
        capture_.tick(rx, 1600, 9);
        capture_.span(work, 1110, 1160);
        capture_.span(work, 1310, 1410, worker);
        capture_.begin(work, 1610);
        capture_.number(load, 1200, 0.5);
        capture_.text(load, 1250, "full");
        capture_.level(line, 1105, true);
        capture_.level(line, 1205, false);
    }
};

TEST_F(SqlTables, EventsComeInOrderOfTimeAsTheTableHasThem) {
    EXPECT_EQ(ask("SELECT time_ns, channel, kind, value, text, thread, delta_ns FROM events WHERE tick <= 1300"),
              "100|net.rx|tick|5||main/4242|\n"
              "105|irq.0|level|1||main/4242|\n"
              "110|work|begin|||main/4242|\n"
              "160|work|end|||main/4242|50\n"
              "200|load|value|0.5||main/4242|\n"
              "205|irq.0|level|0||main/4242|100\n"
              "250|load|text||full|main/4242|50\n"
              "300|net.rx|tick|7||worker/77|200\n");
}

TEST(SqlOfTexts, HasThoseThatAreEmptyAsTheyAre) {
    support::CaptureBuilder capture(0);
    const auto log = capture.channel("log");
    capture.text(log, 1'000, "");
    capture.text(log, 2'000, "hi");
    capture.value(log, 3'000, 1);
    store::Session session;
    capture.fill(session);
    const auto engine = Engine::open({{"c.sla", &session}}, {}).value();
    EXPECT_EQ(answer_of(*engine, "SELECT tick, text IS NULL FROM events"), "1000|0\n2000|0\n3000|1\n");
    EXPECT_EQ(answer_of(*engine, "SELECT tick FROM events WHERE text <> 'hi'"), "1000\n");
}

TEST(SqlOfAPart, TellsWhatOnlySaysWhatHeldAtItsBegin) {
    support::CaptureBuilder capture(0);
    const auto queue = capture.channel("queue");
    for (const std::uint64_t tick : {1'000, 5'000, 6'000}) capture.value(queue, tick, 1);
    store::Session session;
    support::fill_part(capture, 4'500, session);
    const auto engine = Engine::open({{"c.sla", &session}}, {}).value();
    EXPECT_EQ(answer_of(*engine, "SELECT tick, delta_ns, error_ns IS NULL FROM events"), "1000||1\n5000||1\n6000|1000|0\n");
    EXPECT_EQ(answer_of(*engine, "SELECT max(delta_ns) FROM events"), "1000\n");
    EXPECT_EQ(answer_of(*engine, "SELECT tick, held FROM events"), "1000|1\n5000|0\n6000|0\n");
    EXPECT_EQ(answer_of(*engine, "SELECT count(*) FROM events WHERE held = 0"), "2\n");
}

TEST(SqlOfAPart, HasPairsFromItsBeginOnAsStatisticsHave) {
    support::CaptureBuilder capture(0);
    const auto a = capture.channel("A");
    const auto b = capture.channel("B");
    for (const std::uint64_t tick : {1'000, 5'000}) capture.tick(a, tick);
    for (const std::uint64_t tick : {4'800, 5'500}) capture.tick(b, tick);
    store::Session session;
    support::fill_part(capture, 4'500, session);
    const auto engine = Engine::open({{"c.sla", &session}}, {}).value();
    EXPECT_EQ(answer_of(*engine, "SELECT begin_tick, end_tick FROM pairs('A', 'B')"), "5000|5500\n");
}

TEST_F(SqlTables, ALossIsARowWithItsNumberAndCause) {
    EXPECT_EQ(ask("SELECT tick, value, text FROM events WHERE kind = 'gap'"), "1400|3|overrun\n");
    EXPECT_EQ(ask("SELECT channel, lost, cause, time_ns, until_ns FROM gaps"), "net.rx|3|overrun|400|450\n");
    EXPECT_EQ(ask("SELECT count(*) FROM gaps WHERE tick > 1400"), "0\n");
}

TEST_F(SqlTables, SpansHaveTheirWidthOrNoEnd) {
    EXPECT_EQ(ask("SELECT begin_ns, end_ns, width_ns, state, thread, depth FROM spans"),
              "110|160|50|closed|main/4242|0\n310|410|100|closed|worker/77|0\n610|||open|main/4242|0\n");
    EXPECT_EQ(ask("SELECT id FROM spans WHERE thread GLOB 'worker/*'"), "1\n");
    EXPECT_EQ(ask("SELECT id FROM spans WHERE begin_ns BETWEEN 200 AND 400"), "1\n");
}

TEST_F(SqlTables, PairsLeadFromEachStartToTheNext) {
    EXPECT_EQ(ask("SELECT begin_ns, width_ns, state, a_channel, b_channel FROM pairs('net.rx', 'work')"),
              "100|10|whole|net.rx|work\n300|10|whole|net.rx|work\n600|10|whole|net.rx|work\n");
    EXPECT_EQ(ask("SELECT count(*) FROM pairs('net.*', '*')"), "11\n");
    EXPECT_EQ(ask("SELECT begin_ns FROM pairs('net.rx', 'work') WHERE begin_ns > 250 AND begin_ns < 600"), "300\n");
    EXPECT_EQ(ask("SELECT begin_ns, width_ns, state FROM pairs('net.rx', 'net.rx')"), "100|200|whole\n300|300|lossy\n");
    EXPECT_EQ(ask("SELECT c.channel, count(p.width_ns) FROM channels c, pairs(c.channel, 'work') p GROUP BY 1 ORDER BY 1"),
              "irq.0|1\nload|1\nnet.rx|3\nwork|2\n");
    EXPECT_EQ(ask("SELECT * FROM pairs"), "ERROR: SQL: pairs wants two channels: FROM pairs('A', 'B')");
    EXPECT_EQ(ask("SELECT * FROM pairs('net.rx')"), "ERROR: SQL: pairs wants two channels: FROM pairs('A', 'B')");
}

TEST_F(SqlTables, TheListsSayWhatTheCaptureSays) {
    EXPECT_EQ(ask("SELECT channel, source, kinds, events, lost, gaps, spans, first_ns, last_ns FROM channels"),
              "net.rx|program|tick|3|3|1|0|100|600\nwork|program|begin,end|5|0|0|3|110|610\n"
              "load|program|value,text|2|0|0|0|200|250\nirq.0|pc|level|2|0|0|0|105|205\n");
    EXPECT_EQ(ask("SELECT source, kind, pid FROM sources"), "program|program|4242\npc|pc|9\n");
    EXPECT_EQ(ask("SELECT thread, name, tid, source FROM threads"),
              "main/4242|main|4242|program\nworker/77|worker|77|program\n");
    EXPECT_EQ(ask("SELECT round(ticks_per_second) FROM clocks LIMIT 1"), "1000000000\n");
    EXPECT_EQ(ask("SELECT DISTINCT wall, wall_error_ns, leap, tai_offset_s, ptp_offset_ns, utc_error_ns FROM clocks"),
              "not asked|||||\n");
    EXPECT_EQ(ask("SELECT count(*) FROM shots"), "0\n");
    EXPECT_EQ(ask("SELECT capture, events, lost, damages, ended FROM captures"), "c.sla|12|3|0|1\n");
}

TEST_F(SqlTables, StampsOfAnotherClockThanTheProcessorsAreOfNoInstruction) {
    EXPECT_EQ(ask("SELECT DISTINCT stamping FROM channels"), "rdtsc\n");
    store::Health health = session().health();
    health.clock.monotonic_raw = true;
    session().set_health(health);
    EXPECT_EQ(ask("SELECT DISTINCT stamping FROM channels"), "\n");
}

TEST_F(SqlTables, WhatIsAskedOfNamesKindsAndTimesLeavesTheSameRowsAsAskingEachRow) {
    for (const char* condition :
         {"channel = 'net.rx'", "channel GLOB '*r*'", "channel LIKE 'W%'", "channel IN ('work', 'load')", "source = 'pc'",
          "thread = 'worker/77'", "kind = 'begin'", "kind = 'no such kind'", "kind IN ('gap', 'text')", "tick = 1300",
          "tick > 1250 AND tick <= 1310", "time_ns < 205", "time_ns <= 205", "time_ps = 250000",
          "time_ns BETWEEN 105 AND 110", "channel = 'work' AND kind = 'end' AND thread = 'worker/77'",
          "NOT (channel = 'work')", "channel != 'work'", "channel = 'work' OR tick = 1100"}) {
        // A sign in front of a column's name hides it from the plan.
        std::string hidden = condition;
        for (const std::string column : {"channel", "source", "thread", "kind", "tick", "time_ns", "time_ps"}) {
            for (std::size_t at = hidden.find(column); at != std::string::npos;
                 at = hidden.find(column, at + column.size() + 3)) {
                const bool is_word =
                    (at == 0 || hidden[at - 1] == ' ' || hidden[at - 1] == '(') && hidden[at + column.size()] == ' ';
                if (is_word) hidden.insert(at, "+");
            }
        }
        EXPECT_EQ(ask(std::string("SELECT tick, channel FROM events WHERE ") + condition),
                  ask("SELECT tick, channel FROM events WHERE " + hidden))
            << hidden;
        EXPECT_NE(hidden, condition);
    }
}

// Each side of an OR may be a walk of its own: a row that both find counts once, two rows never as one.
TEST_F(SqlTables, EitherOfTwoConditionsFindsTheSameRowsAsAskingEachRow) {
    const auto many = capture_.channel("many");  // so that walking over all is not the cheapest
    for (std::uint64_t i = 0; i < 3000; ++i) {
        capture_.tick(many, 2000 + 10 * i);
        capture_.span(many, 2002 + 10 * i, 2004 + 10 * i);
    }
    const std::vector<std::pair<std::string, std::string>> questions = {
        {"SELECT channel, tick FROM events WHERE @channel = 'work' OR @channel GLOB 'net*' ORDER BY 1, 2", "channel"},
        {"SELECT channel, kind FROM events WHERE @channel = 'work' OR @kind = 'level' ORDER BY 1, 2", "kind"},
        {"SELECT tick FROM events WHERE @tick < 1200 OR @tick BETWEEN 1150 AND 1300 OR @time_ns > 30900 ORDER BY 1",
         "times"},
        {"SELECT count(*) FROM events WHERE @channel = 'work' OR @channel GLOB 'wor*' OR @source = 'pc'", "counted rows"},
        {"SELECT channel, id FROM spans WHERE @thread = 'worker/77' OR @begin_ns < 200 ORDER BY 1, 2", "spans"},
        {"SELECT count(*) FROM spans WHERE @channel = 'work' OR @channel GLOB '*r*'", "spans of channels"}};
    for (const auto& [question, what] : questions) {
        std::string plain = question;
        std::string hidden = question;
        std::erase(plain, '@');
        std::replace(hidden.begin(), hidden.end(), '@', '+');
        EXPECT_EQ(ask(plain), ask(hidden)) << what;
        EXPECT_NE(ask("EXPLAIN QUERY PLAN " + plain).find("MULTI-INDEX OR"), std::string::npos) << what;
    }
}

TEST_F(SqlTables, PairsOfOtherChannelsOrOfOneTickAreOtherRows) {
    const auto twice = capture_.channel("twice");
    for (const std::uint64_t tick : {1700, 1700, 1700, 1720}) capture_.tick(twice, tick);
    EXPECT_EQ(ask("SELECT a, b, begin_ns FROM pairs WHERE (a = 'net.rx' AND b = 'work') OR (a = 'work' AND b = 'net.rx') "
                  "OR (a = 'net.rx' AND b = 'load') ORDER BY 1, 2, 3"),
              "net.rx|load|100\nnet.rx|load|300\nnet.rx|load|600\n"
              "net.rx|work|100\nnet.rx|work|300\nnet.rx|work|600\n"
              "work|net.rx|110\nwork|net.rx|310\nwork|net.rx|610\n");
    EXPECT_EQ(ask("SELECT begin_ns FROM pairs('twice', 'work') WHERE begin_ns = 700 OR begin_ns > 690"),
              "700\n700\n700\n720\n")
        << "SQLite asks for the sides of an OR without the two names";
    EXPECT_EQ(ask("SELECT count(DISTINCT rowid) FROM pairs('*', '*')"), ask("SELECT count(*) FROM pairs('*', '*')"));
}

TEST_F(SqlTables, OfANameThatTwoProgramsHaveAPairEndsWithItsOwn) {
    const auto copy = capture_.source("copy", support::BuilderSource::kProgram, 99);
    const auto work = capture_.channel("work", copy);
    const auto rx = capture_.channel("net.rx", copy);
    capture_.tick(rx, 1100);
    capture_.span(work, 1105, 1120);
    EXPECT_EQ(ask("SELECT begin_ns, width_ns FROM pairs('net.rx', 'work') ORDER BY 1, 2"),
              "100|5\n100|10\n300|10\n600|10\n");
    EXPECT_EQ(ask("SELECT count(*) FROM pairs('net.rx', 'load') WHERE begin_ns = 100"), "2\n")
        << "whose end one of them has alone";
}

TEST_F(SqlTables, PairsOfAChannelThatIsNotThereAreAMistake) {
    EXPECT_NE(ask("SELECT * FROM pairs('net.rx', 'werk')").find("no channel is called 'werk' (did you mean 'work'?)"),
              std::string::npos);
    EXPECT_NE(ask("SELECT * FROM pairs('b.*', 'work')").find("no channel is called 'b.*'"), std::string::npos);
}

TEST_F(SqlTables, WhatAPairIsGivenTwiceHasToBeTheSame) {
    EXPECT_EQ(ask("SELECT count(*) FROM pairs('net.rx', 'work') WHERE a = 'load'"), "0\n");
    EXPECT_EQ(ask("SELECT count(*) FROM pairs('net.rx', 'work') WHERE a = 'net.rx' AND b GLOB 'w*'"), "3\n");
    EXPECT_EQ(ask("SELECT count(*) FROM pairs('net.rx', 'work') WHERE b LIKE 'l%'"), "0\n");
}

// SQLite walks over the right side once more, for the rows that nothing was joined with.
TEST_F(SqlTables, OuterJoinsHaveTheRowsOfBothSides) {
    const auto later = capture_.channel("later");
    capture_.tick(later, 1690);
    for (const std::uint64_t tick : {1700, 1720}) capture_.span(later, tick, tick + 10);
    const std::string is_joined = " ON @s.channel = c.channel AND @s.begin_ns > c.first_ns";
    for (const std::string join : {"RIGHT", "FULL"}) {
        std::string plain =
            "SELECT count(*), count(s.id), count(c.id) FROM channels c " + join + " JOIN spans s" + is_joined;
        std::string hidden = plain;
        std::erase(plain, '@');
        std::replace(hidden.begin(), hidden.end(), '@', '+');
        EXPECT_EQ(ask(plain), ask(hidden)) << join;
    }
}

TEST_F(SqlTables, ARowHasTheSameNumberWhateverIsAsked) {
    for (const std::string table : {"events", "spans", "gaps", "channels", "sources"}) {
        EXPECT_EQ(ask("SELECT count(DISTINCT rowid) FROM " + table), ask("SELECT count(*) FROM " + table)) << table;
    }
    EXPECT_EQ(ask("SELECT count(*) FROM events a JOIN events b ON b.rowid = a.rowid AND b.tick = a.tick AND b.channel = "
                  "a.channel AND b.row = a.row"),
              ask("SELECT count(*) FROM events"));
}

TEST_F(SqlTables, JoinsAskTheInnerTableForEachRowOfTheOuterOne) {
    EXPECT_EQ(
        ask("SELECT s.id, count(e.tick) FROM spans s LEFT JOIN events e ON e.tick > s.begin_tick AND e.tick < s.end_tick "
            "AND e.channel = 'load' GROUP BY s.id"),
        "0|0\n1|0\n2|0\n");
    EXPECT_EQ(ask("SELECT e.channel FROM spans s, events e WHERE s.id = 1 AND e.tick BETWEEN s.begin_tick AND s.end_tick"),
              "work\nnet.rx\nwork\n");
}

TEST_F(SqlTables, OrderOfTimeIsGivenNotSorted) {
    const std::string plan = ask("EXPLAIN QUERY PLAN SELECT tick FROM events ORDER BY time_ns LIMIT 3");
    EXPECT_EQ(plan.find("B-TREE"), std::string::npos) << plan;
    EXPECT_EQ(ask("SELECT tick FROM events ORDER BY tick DESC LIMIT 2"), "1610\n1600\n");
    EXPECT_EQ(ask("SELECT tick FROM events WHERE channel IN ('work', 'net.rx') ORDER BY tick LIMIT 3"),
              "1100\n1110\n1160\n");
}

TEST_F(SqlTables, NumbersBeyondSqlitesIntegersComeAsTheNearestReal) {
    const auto big = capture_.channel("big");
    capture_.event(big, 1700, SLA_CODE_VALUE_UNSIGNED, ~std::uint64_t{0});
    capture_.number(big, 1701, std::numeric_limits<double>::quiet_NaN());
    EXPECT_EQ(ask("SELECT value, typeof(value) FROM events WHERE channel = 'big'"), "1.84467440737e+19|real\n|null\n");
}

TEST_F(SqlTables, ALiveStreamIsAskedUpToItsWatermark) {
    capture_.leave_open(1250);
    EXPECT_EQ(ask("SELECT max(tick) FROM events"), "1250\n");
    EXPECT_EQ(ask("SELECT ended FROM captures"), "0\n");
}

TEST(SqlCaptures, RowsOfShortListsAreToldApartToo) {
    support::CaptureBuilder capture{1000};
    capture.tick(capture.channel("a"), 1500);
    capture.tick(capture.channel("b"), 1600);
    store::Session session;
    capture.fill(session);
    std::vector<Capture> captures;
    for (char c = 'a'; c <= 'z'; ++c) captures.push_back({std::string(1, c), &session});
    auto engine = Engine::open(captures).value();
    const std::string question =
        "SELECT count(*), count(DISTINCT capture) FROM channels WHERE capture = 'c' OR capture GLOB '[a-d]'";
    EXPECT_EQ(answer_of(*engine, question), "8|4\n");
    EXPECT_NE(answer_of(*engine, "EXPLAIN QUERY PLAN " + question).find("MULTI-INDEX OR"), std::string::npos);
}

TEST(SqlCaptures, SeveralStandSideBySideAndAreToldApart) {
    support::CaptureBuilder one{1000};
    one.tick(one.channel("a"), 1500);
    support::CaptureBuilder two{9000};
    two.tick(two.channel("a"), 9100);
    two.tick(two.channel("b"), 9200);
    store::Session first;
    store::Session second;
    one.fill(first);
    two.fill(second);
    auto engine = Engine::open({{"one", &first}, {"two", &second}}).value();
    EXPECT_EQ(answer_of(*engine, "SELECT capture, channel, time_ns FROM events ORDER BY time_ns"),
              "two|a|100\ntwo|b|200\none|a|500\n");
    EXPECT_EQ(answer_of(*engine, "SELECT capture, count(*) FROM events WHERE channel = 'a' AND time_ns > 200 GROUP BY 1"),
              "one|1\n");
    EXPECT_EQ(answer_of(*engine, "SELECT count(*) FROM events WHERE capture = 'two'"), "2\n");
    EXPECT_EQ(answer_of(*engine, "SELECT count(*) FROM events"), "3\n");
    EXPECT_EQ(answer_of(*engine, "SELECT count(*) FROM events WHERE channel = 'a' OR capture = 'two'"), "3\n");
    EXPECT_EQ(answer_of(*engine, "SELECT count(*) FROM channels WHERE capture = 'one' OR capture GLOB 'tw*'"), "3\n");
}

}  // namespace
}  // namespace sla::sql
