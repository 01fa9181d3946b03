// Whatever is asked, nothing is written, memory stays bounded, and it can be stopped.
#include "tests/unit/viewer/sql/asked.h"

#include <malloc.h>
#include <sqlite3.h>

#include <algorithm>
#include <chrono>
#include <filesystem>

namespace sla::sql {
namespace {

class HostileSql : public Asking {
protected:
    HostileSql() {
        const auto rx = capture_.channel("net.rx");
        for (std::uint64_t i = 0; i < 100; ++i) capture_.tick(rx, 1000 + i, static_cast<std::int64_t>(i));
    }
    static constexpr const char* kEndless =
        "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT max(x) FROM n";
};

TEST_F(HostileSql, NothingThatWritesAttachesOrLoadsIsDone) {
    const std::filesystem::path target = std::filesystem::path(::testing::TempDir()) / "sla_sql_must_not_be_there";
    std::filesystem::remove(target);
    const std::string name = target.string();
    for (const std::string& question : {"ATTACH '" + name + "' AS other",
                                        std::string("DETACH main"),
                                        "VACUUM INTO '" + name + "'",
                                        std::string("VACUUM"),
                                        std::string("CREATE TABLE x(a)"),
                                        std::string("CREATE TEMP TABLE x AS SELECT 1"),
                                        std::string("CREATE VIEW v AS SELECT 1"),
                                        std::string("CREATE VIRTUAL TABLE f USING fts5(a)"),
                                        std::string("DROP TABLE events"),
                                        std::string("INSERT INTO events(tick) VALUES (1)"),
                                        std::string("UPDATE events SET tick = 0"),
                                        std::string("DELETE FROM events"),
                                        std::string("BEGIN"),
                                        std::string("SAVEPOINT s"),
                                        std::string("PRAGMA journal_mode = WAL"),
                                        std::string("PRAGMA hard_heap_limit = 0"),
                                        std::string("PRAGMA temp_store_directory = '/'"),
                                        std::string("PRAGMA writable_schema = 1"),
                                        std::string("PRAGMA case_sensitive_like = 1"),
                                        std::string("ANALYZE"),
                                        std::string("REINDEX"),
                                        std::string("SELECT load_extension('x.so')"),
                                        std::string("SELECT fts3_tokenizer('simple')"),
                                        std::string("INSERT INTO sqlite_master VALUES (1,1,1,1,1)")}) {
        EXPECT_EQ(ask(question).substr(0, 6), "ERROR:") << question;
    }
    EXPECT_FALSE(std::filesystem::exists(target));
    EXPECT_EQ(ask("SELECT count(*) FROM events"), "100\n");
}

TEST_F(HostileSql, RefusalsSayWhatWasRefused) {
    EXPECT_EQ(ask("attach 'x' AS y"), "ERROR: a question only reads: it may not use ATTACH");
    EXPECT_EQ(ask("SELECT load_extension('x')"), "ERROR: a question only reads: it may not use load_extension()");
    EXPECT_EQ(ask("VACUUM"), "ERROR: a question only reads: it may not use VACUUM");
    EXPECT_EQ(ask("PRAGMA table_info(gaps)").substr(0, 17), "0|time_ns|REAL|0|");
    EXPECT_EQ(ask("PRAGMA database_list"), "ERROR: a question only reads: it may not use PRAGMA database_list");
    EXPECT_EQ(ask("SELECT * FROM pragma_database_list"),
              "ERROR: a question only reads: this one writes, or looks into a table of SQLite's own");
}

TEST_F(HostileSql, WhatNeedsMoreMemoryThanAllowedEndsInWordsAndTheNextQuestionWorks) {
    EngineOptions options;
    options.memory_bytes = std::uint64_t{16} << 20;
    open(options);
    for (const char* greedy :
         {"WITH RECURSIVE n(x) AS (SELECT 1 UNION SELECT x + 1 FROM n) SELECT count(*) FROM n",
          "SELECT percentile(a.value + b.value + c.value + d.value, 50) FROM events a, events b, events c, events d",
          "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n LIMIT 9000000) SELECT x FROM n ORDER BY "
          "random()"}) {
        const std::string said = ask(greedy);
        EXPECT_EQ(said,
                  "ERROR: the question needs more than 16 MiB of memory: ask for a shorter range or fewer rows, or allow "
                  "more (--memory)")
            << greedy;
    }
    EXPECT_EQ(ask("SELECT count(*) FROM events"), "100\n");
    EXPECT_LE(sqlite3_memory_highwater(0), static_cast<sqlite3_int64>(options.memory_bytes));
}

// The rows of a sort are small blocks, of which SQLite itself counts half.
TEST_F(HostileSql, MemoryIsWhatTheMachineGivesForIt) {
    const auto in_use = [] {
        const struct mallinfo2 heap = ::mallinfo2();
        return heap.uordblks + heap.hblkhd;
    };
    std::size_t most = 0;
    EngineOptions options;
    options.memory_bytes = std::uint64_t{64} << 20;
    options.go_on = [&] {
        most = std::max(most, in_use());
        return true;
    };
    open(options);
    const std::size_t before = in_use();
    const std::string said =
        ask("WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT x, count(*) FROM n GROUP BY x");
    EXPECT_EQ(said.substr(0, 43), "ERROR: the question needs more than 64 MiB ");
    EXPECT_LE(most - std::min(before, most), options.memory_bytes);
}

TEST_F(HostileSql, AFieldThatNeedsMoreThanThereIsIsAnErrorNotAnEmptyField) {
    EngineOptions options;
    options.memory_bytes = std::uint64_t{8} << 20;
    open(options);
    EXPECT_EQ(ask("SELECT zeroblob(8000000), zeroblob(8000000)").substr(0, 32), "ERROR: the question needs more t");
}

// SQLite would fill each of these fields for ten seconds, in which it looks at nothing, before it says the same.
TEST_F(HostileSql, AFieldOfBillionsOfLettersIsRefusedBeforeItIsMade) {
    for (int i = 0; i < 50; ++i) {
        for (const char* text : {"printf('%.*c', 2000000000, 'x')", "format('%-*.*c|%d', -5, 2000000000, 'x', 1)",
                                 "printf('%.2000000000c', 'x')", "printf('%d %%%.2000000000lc', 1, 'x')"}) {
            ASSERT_EQ(ask(std::string("SELECT length(") + text + ")"), "ERROR: SQL: string or blob too big") << text;
        }
    }
}

TEST_F(HostileSql, PrintfIsSqlitesOtherwise) {
    EXPECT_EQ(ask("SELECT printf('%05.1f|%-6s|%06d|%,d|%x|%%|%q', 2.25, 'ab', 42, 1234567, 255, 'it''s')"),
              "002.3|ab    |000042|1,234,567|ff|%|it''s\n");
    EXPECT_EQ(ask("SELECT format('%*d|%.*f|%.3c|%s', 6, 42, 2, 1.25, 'x', NULL)"), "    42|1.25|xxx|\n");
    EXPECT_EQ(ask("SELECT printf('%d')"), "0\n");
    EXPECT_EQ(ask("SELECT printf(NULL) IS NULL, printf() IS NULL"), "1|1\n");
    EXPECT_EQ(ask("SELECT length(printf('%.*c', 1000000, 'x'))"), "1000000\n");
    EXPECT_EQ(ask("SELECT printf('%d', value) AS v FROM events WHERE value > 97"), "98\n99\n");
}

TEST_F(HostileSql, AnEndlessQuestionIsStopped) {
    int looks = 0;
    EngineOptions options;
    options.go_on = [&] { return ++looks < 200; };
    open(options);
    EXPECT_EQ(ask(kEndless), "ERROR: stopped; the answer is not whole");
}

TEST_F(HostileSql, AScanThatFindsNothingIsStoppedToo) {
    bool goes_on = true;
    EngineOptions options;
    options.go_on = [&] { return goes_on; };
    open(options);
    goes_on = false;
    EXPECT_EQ(ask("SELECT count(*) FROM spans WHERE channel = 'net.rx'"), "ERROR: stopped; the answer is not whole");
}

TEST_F(HostileSql, WhatIsTooLongTooDeepOrTooWideIsRefused) {
    std::string deep = "1";
    for (int i = 0; i < 5000; ++i) deep = "(" + deep + "+1)";
    EXPECT_EQ(ask("SELECT " + deep).substr(0, 6), "ERROR:");
    EXPECT_EQ(ask("SELECT '" + std::string(2 << 20, 'x') + "'").substr(0, 6), "ERROR:");
    EXPECT_EQ(ask("SELECT zeroblob(1000000000)").substr(0, 6), "ERROR:");
    std::string many = "SELECT 1";
    for (int i = 0; i < 5000; ++i) many += " UNION ALL SELECT 1";
    EXPECT_EQ(ask(many).substr(0, 6), "ERROR:");
}

TEST_F(HostileSql, BoundsThatMakeNoSenseLeaveSqlitesAnswer) {
    const auto count = [&](const std::string& condition) { return ask("SELECT count(*) FROM events WHERE " + condition); };
    EXPECT_EQ(count("tick > -9223372036854775808"), "100\n");
    EXPECT_EQ(count("tick < -1"), "0\n");
    EXPECT_EQ(count("tick < 1e300"), "100\n");
    EXPECT_EQ(count("tick > 1e300"), "0\n");
    EXPECT_EQ(count("tick < 'text'"), "100\n");
    EXPECT_EQ(count("tick > 'text'"), "0\n");
    EXPECT_EQ(count("tick = '1007'"), "1\n");
    EXPECT_EQ(count("tick = NULL"), "0\n");
    EXPECT_EQ(count("tick > x'00'"), "0\n");
    EXPECT_EQ(count("time_ns < 9e999"), "100\n");
    EXPECT_EQ(count("tick > 9e999"), "0\n");
    EXPECT_EQ(count("tick > -9e999"), "100\n");
    EXPECT_EQ(count("time_ns > -9e999"), "100\n");
    EXPECT_EQ(count("time_ps >= -9223372036854775807 AND time_ps <= 9223372036854775807"), "100\n");
    EXPECT_EQ(count("channel = 5"), "0\n");
    EXPECT_EQ(count("channel = x'00'"), "0\n");
    EXPECT_EQ(count("channel GLOB '['"), "0\n");
    EXPECT_EQ(count("channel = 'NET.RX' COLLATE NOCASE"), "100\n");
    EXPECT_EQ(count("channel LIKE 'NET.%'"), "100\n");
    EXPECT_EQ(count("channel GLOB 'NET.*'"), "0\n");
}

}  // namespace
}  // namespace sla::sql
