// One expression language: what a filter takes, the search box, a trigger, a limit and `sla find` take too, and find the same.
#include "proto/common/trigger/parser.h"
#include "tests/support/capture_builder.h"
#include "tests/unit/viewer/cli/run_sla.h"
#include "viewer/analysis/event_walk.h"
#include "viewer/analysis/filter/hit_search.h"
#include "viewer/analysis/limits/verdict.h"
#include "viewer/workspace/search/search.h"

#include <sstream>

namespace sla::cli {
namespace {

using Ticks = std::vector<std::uint64_t>;

struct Expression {
    const char* text;
    Ticks ticks;
};

// net.rx: ticks at 1000, 2000 ... with the values 0 to 9; net.tx: the same 300 later, ten times as much; pipe: spans; odd name: one.
const std::vector<Expression> kExpressions = {
    {"net.rx > 7", {9000, 10000}},
    {"net.rx >= 8", {9000, 10000}},
    {"net.rx == 3", {4000}},
    {"net.rx != 3 ", {1000, 2000, 3000, 5000, 6000, 7000, 8000, 9000, 10000}},
    {"net.rx<1", {1000}},
    {"net.rx in 3..4", {4000, 5000}},
    {"net.rx in 3 .. 4", {4000, 5000}},
    {"net.rx in -2 .. 0.5", {1000}},
    {"net.rx > 0x8", {10000}},
    {"net.* > 8", {2300, 3300, 4300, 5300, 6300, 7300, 8300, 9300, 10000, 10300}},
    {"net.[rt]x == 0", {1000, 1300}},
    {"'net.rx' == 9", {10000}},
    {"\"odd name\" == 4", {20500}},
    {"'odd name' in 1..9", {20500}},
    {"net.tx", {1300, 2300, 3300, 4300, 5300, 6300, 7300, 8300, 9300, 10300}},
    {"pipe begins", {15000, 17000}},
    {"pipe ends", {16000, 18000}},
    {"channel ~ 'net.t*'", {1300, 2300, 3300, 4300, 5300, 6300, 7300, 8300, 9300, 10300}},
    {"channel == pipe", {15000, 16000, 17000, 18000}},
    {"channel ~ 'net.*' and value > 8", {2300, 3300, 4300, 5300, 6300, 7300, 8300, 9300, 10000, 10300}},
    {"channel == net.rx and value in 3..4", {4000, 5000}},
    {"channel == pipe and kind == begin", {15000, 17000}},
    {"channel ~ 'pi*' and kind == end", {16000, 18000}},
    {"net.rx > 8 or net.tx > 80", {10000, 10300}},
    {"(net.rx == 1 or net.tx == 10)", {2000, 2300}},
};

class OneLanguage : public WithDirectory {
protected:
    OneLanguage() {
        support::CaptureBuilder capture{0};
        const auto rx = capture.channel("net.rx");
        const auto tx = capture.channel("net.tx");
        const auto pipe = capture.channel("pipe");
        const auto odd = capture.channel("odd name");
        for (std::uint64_t i = 0; i < 10; ++i) {
            capture.tick(rx, 1000 + i * 1000, static_cast<std::int64_t>(i));
            capture.tick(tx, 1300 + i * 1000, static_cast<std::int64_t>(i * 10));
        }
        capture.span(pipe, 15000, 16000);
        capture.span(pipe, 17000, 18000);
        capture.tick(odd, 20500, 4);
        capture.fill(session_);
        capture.write(file("c.sla"));
    }
    // The second column, the tick, of a table as csv.
    static Ticks ticks_in(const std::string& csv) {
        Ticks ticks;
        std::istringstream lines(csv);
        std::string line;
        std::getline(lines, line);
        while (std::getline(lines, line)) ticks.push_back(std::stoull(line.substr(line.find(',') + 1)));
        return ticks;
    }
    Ticks searched(const std::string& text, workspace::SearchOver over) {
        workspace::Search search(session_, over);
        search.set(text);
        for (int i = 0; i < 1000 && (i == 0 || search.busy()); ++i) search.step();
        EXPECT_FALSE(search.busy());
        EXPECT_EQ(search.problem(), "") << text;
        Ticks ticks;
        for (const workspace::Hit& hit : search.hits()) ticks.push_back(hit.tick);
        return ticks;
    }
    store::Session session_;
};

TEST_F(OneLanguage, AFilterTakesIt) {
    for (const Expression& one : kExpressions) {
        const Outcome outcome = run_sla({"table", file("c.sla"), "--format", "csv", "--filter", one.text});
        EXPECT_EQ(outcome.code, kDone) << outcome.errors;
        EXPECT_EQ(ticks_in(outcome.out), one.ticks) << one.text;
        EXPECT_EQ(searched(one.text, workspace::SearchOver::kEvents), one.ticks) << one.text << ", above the window's table";
    }
}

TEST_F(OneLanguage, TheSearchBoxTakesIt) {
    for (const Expression& one : kExpressions)
        EXPECT_EQ(searched(one.text, workspace::SearchOver::kEverything), one.ticks) << one.text;
}

TEST_F(OneLanguage, ATriggerTakesIt) {
    for (const Expression& one : kExpressions) {
        const auto parsed = trigger::parse_expression(one.text);
        ASSERT_TRUE(parsed.ok()) << parsed.error().message;
        analysis::HitSearch search(session_, trigger::Trigger(*parsed));
        while (search.step()) {
        }
        Ticks ticks;
        for (const analysis::FoundHit& hit : search.hits()) ticks.push_back(hit.tick);
        EXPECT_EQ(ticks, one.ticks) << one.text;
    }
}

TEST_F(OneLanguage, ALimitTakesIt) {
    for (const Expression& one : kExpressions) {
        const std::string text = "count " + std::string(one.text) + " == " + std::to_string(one.ticks.size());
        const auto limit = analysis::parse_limit(text);
        ASSERT_TRUE(limit.ok()) << limit.error().message;
        const auto all = *analysis::select(session_, {});
        double counted = 0;  // of a pattern each channel has a finding of its own
        const auto findings = analysis::check_limit(session_, *limit, all);
        for (const analysis::Finding& finding : findings) counted += finding.measured;
        EXPECT_EQ(counted, static_cast<double>(one.ticks.size())) << text;
        if (findings.size() == 1) {
            EXPECT_EQ(findings[0].verdict, analysis::Verdict::kPass) << text;
        }
    }
}

TEST_F(OneLanguage, FindTakesIt) {
    for (const Expression& one : kExpressions) {
        const Outcome outcome = run_sla({"find", file("c.sla"), one.text, "--format", "csv"});
        EXPECT_EQ(outcome.code, kDone) << outcome.errors;
        EXPECT_EQ(ticks_in(outcome.out), one.ticks) << one.text;
    }
}

// What only single events show, a trigger of the agent does not look at; all that look at a capture do.
TEST_F(OneLanguage, WhatSingleEventsShowIsFoundWhereverACaptureIsLookedAt) {
    for (const Expression& one : std::vector<Expression>{{"value > 85", {10300}},
                                                         {"value > 85 and channel ~ 'net.*'", {10300}},
                                                         {"not channel ~ net.* and kind == tick", {20500}},
                                                         {"tick == 4000", {4000}},
                                                         {"kind == begin and source == program", {15000, 17000}}}) {
        const Outcome table = run_sla({"table", file("c.sla"), "--format", "csv", "--filter", one.text});
        EXPECT_EQ(ticks_in(table.out), one.ticks) << one.text << table.errors;
        const Outcome found = run_sla({"find", file("c.sla"), one.text, "--format", "csv"});
        EXPECT_EQ(ticks_in(found.out), one.ticks) << one.text << found.errors;
        EXPECT_EQ(searched(one.text, workspace::SearchOver::kEverything), one.ticks) << one.text;
        const std::string limit = "count " + std::string(one.text) + " == " + std::to_string(one.ticks.size());
        EXPECT_EQ(run_sla({"check", file("c.sla"), "--limit", limit}).code, kDone) << limit;
    }
}

// The number of a loss row is how many are lost, and no value of an event.
TEST_F(OneLanguage, ALossMayHideWhatIsLookedForAndIsItselfFoundByItsKind) {
    support::CaptureBuilder capture{0};
    const auto rx = capture.channel("net.rx");
    const auto tx = capture.channel("net.tx");
    for (std::uint64_t tick = 1000; tick <= 3000; tick += 1000) capture.tick(tx, tick);
    capture.value(rx, 1000, 1);
    capture.gap(rx, 2500, 3);
    capture.value(rx, 3000, 9);
    capture.write(file("lossy.sla"));
    store::Session session;
    capture.fill(session);
    using Found = std::vector<std::pair<std::uint64_t, bool>>;  // tick, whether it is sure
    const std::vector<std::pair<std::string, Found>> expected = {
        {"value >= 2", {{2500, false}, {3000, true}}},  {"value >= 5 and channel == net.rx", {{2500, false}, {3000, true}}},
        {"net.rx >= 5", {{2500, false}, {3000, true}}}, {"kind == value and net.rx < 5", {{1000, true}, {2500, false}}},
        {"channel == net.tx and kind == value", {}},    {"kind == gap", {{2500, true}}},
        {"value >= 2 and kind != gap", {{3000, true}}},
    };
    for (const auto& [text, found] : expected) {
        Found by_find;
        std::istringstream rows(run_sla({"find", file("lossy.sla"), text, "--format", "csv"}).out);
        std::string row;
        for (std::getline(rows, row); std::getline(rows, row);)
            by_find.emplace_back(std::stoull(row.substr(row.find(',') + 1)), row.find(",cannot tell,") == std::string::npos);
        EXPECT_EQ(by_find, found) << text;
        workspace::Search search(session);
        search.set(text);
        while (search.step()) {
        }
        Found searched;
        for (const workspace::Hit& hit : search.hits()) searched.emplace_back(hit.tick, hit.certain);
        EXPECT_EQ(searched, found) << text;
    }
    workspace::Search rows(session, workspace::SearchOver::kEvents);
    rows.set("value >= 2");
    while (rows.step()) {
    }
    EXPECT_EQ(rows.hits().size(), 2u) << "a table shows the row";
}

TEST_F(OneLanguage, ASlipInANameIsReportedByEachWithTheNearestOne) {
    const std::vector<std::vector<std::string>> commands = {
        {"table", file("c.sla"), "--filter", "net.rz > 5"},
        {"find", file("c.sla"), "net.rz > 5"},
        {"check", file("c.sla"), "--limit", "count net.rz > 5 > 1"},
    };
    for (const auto& words : commands) {
        const Outcome outcome = run_sla(words);
        EXPECT_NE((outcome.out + outcome.errors).find("'net.rz' (did you mean 'net.rx'?)"), std::string::npos)
            << words[0] << ": " << outcome.out << outcome.errors;
        EXPECT_NE(outcome.code, kDone);
    }
    workspace::Search search(session_, workspace::SearchOver::kEvents);
    search.set("net.rz > 5");
    EXPECT_NE(search.problem().find("did you mean 'net.rx'?"), std::string::npos) << search.problem();
}

TEST_F(OneLanguage, WordsOfATextStayAText) {
    for (const char* text : {"net", "file", "lost and found", "opened file", "net.rx"}) {
        workspace::Search search(session_, workspace::SearchOver::kEvents);
        search.set(text);
        EXPECT_EQ(search.mode(), workspace::SearchMode::kText) << text << search.problem();
    }
}

TEST_F(OneLanguage, WhatAFilterCannotAnswerSaysWhoCan) {
    const Outcome outcome = run_sla({"table", file("c.sla"), "--filter", "net.rx rises"});
    EXPECT_EQ(outcome.code, kWrongUse);
    EXPECT_NE(outcome.errors.find("is about two events"), std::string::npos) << outcome.errors;
}

}  // namespace
}  // namespace sla::cli
