// Questions that group or sort by names have the same answers whether tables give their rows in that order or SQLite sorts
// them, which a `+` before the column makes it do.
#include "tests/unit/viewer/sql/asked.h"

#include <algorithm>

namespace sla::sql {
namespace {

class SqlGroups : public Asking {
protected:
    SqlGroups() {
        const auto worker = capture_.thread("worker", 77);
        const auto other = capture_.source("other", support::BuilderSource::kProgram, 9);
        const auto zeta = capture_.channel("zeta");
        const auto rx = capture_.channel("rx");
        const auto same = capture_.channel("rx", other);
        capture_.channel("never");
        for (std::uint64_t i = 0; i < 50; ++i) {
            capture_.tick(rx, 1100 + 10 * i, static_cast<std::int64_t>(i));
            if (i % 2 == 0) capture_.tick(rx, 1101 + 10 * i, 7, worker);
            if (i % 3 == 0) capture_.text(rx, 1102 + 10 * i, "word");
            if (i % 5 == 0) capture_.span(zeta, 1103 + 10 * i, 1105 + 10 * i, worker);
            if (i % 7 == 0) capture_.level(same, 1104 + 10 * i, i % 2 == 0);
        }
        capture_.gap(rx, 1700, 3);
        capture_.gap(zeta, 1700, 4);
    }

    // The question with {columns} as they are, and hidden from the plan.
    static std::string with(std::string question, const std::string& columns, bool are_hidden) {
        std::string terms;
        for (std::size_t at = 0; at < columns.size();) {
            const std::size_t end = std::min(columns.find(',', at), columns.size());
            terms += (terms.empty() ? "" : ", ") + std::string(are_hidden ? "+" : "") + columns.substr(at, end - at);
            at = end + 1;
        }
        for (std::size_t at = question.find('@'); at != std::string::npos; at = question.find('@'))
            question.replace(at, 1, terms);
        return question;
    }
    bool sorts(const std::string& question) {
        return ask("EXPLAIN QUERY PLAN " + question).find("B-TREE") != std::string::npos;
    }
    std::vector<std::string> sorted_lines(const std::string& question) {
        Lines lines;
        const auto asked = engine().ask(question, lines);
        EXPECT_TRUE(asked.ok()) << question << ": " << asked.error().message;
        std::sort(lines.lines.begin(), lines.lines.end());
        return lines.lines;
    }
    // GROUP BY alone promises no order.
    void expect_same(const std::string& question, const std::string& columns) {
        const std::string given = with(question, columns, false);
        const std::string sorted = with(question, columns, true);
        EXPECT_FALSE(sorts(given)) << given;
        EXPECT_TRUE(sorts(sorted)) << sorted;
        EXPECT_EQ(sorted_lines(given), sorted_lines(sorted)) << given;
        EXPECT_FALSE(sorted_lines(given).empty()) << given;
    }
};

TEST_F(SqlGroups, AreTheSameAsSortedOnes) {
    for (const std::string names : {"channel", "source", "thread", "kind", "capture", "channel,kind", "kind,channel",
                                    "source,channel", "thread,kind,channel,source,capture", "channel,thread"}) {
        for (const std::string figures : {"count(*)", "count(*), sum(value), min(tick), max(time_ns)", "count(text)"}) {
            for (const std::string condition :
                 {"", " WHERE channel = 'rx'", " WHERE kind IN ('tick', 'gap')", " WHERE tick BETWEEN 1200 AND 1300",
                  " WHERE thread GLOB 'w*'", " WHERE source = 'other' OR value > 20"}) {
                expect_same("SELECT " + names + ", " + figures + " FROM events" + condition + " GROUP BY @", names);
            }
        }
    }
}

TEST_F(SqlGroups, OfChannelsAreCountedWithoutTheirRows) {
    EXPECT_EQ(
        ask("SELECT channel, count(*) FROM events GROUP BY channel"),
        ask("SELECT channel, events + gaps FROM (SELECT channel, sum(events) AS events, sum(gaps) AS gaps FROM channels "
            "GROUP BY channel) WHERE events > 0"));
    EXPECT_EQ(ask("SELECT source, count(channel) FROM events GROUP BY source"),
              ask("SELECT source, sum(events + gaps) FROM channels GROUP BY source"));
    EXPECT_EQ(ask("SELECT count(channel) FROM events"), ask("SELECT count(*) FROM events"));
}

TEST_F(SqlGroups, OfSpansAndLossesAreTheSameAsSortedOnes) {
    for (const std::string names : {"channel", "source", "source,channel", "capture,channel"}) {
        expect_same("SELECT " + names + ", count(*), sum(width_ns) FROM spans GROUP BY @", names);
        expect_same("SELECT " + names + ", sum(lost) FROM gaps GROUP BY @", names);
    }
}

TEST_F(SqlGroups, ComeInTheOrderThatIsAskedFor) {
    for (const std::string order : {"channel", "channel DESC", "source DESC, channel", "kind DESC, thread, channel"}) {
        std::string hidden = "+" + order;
        for (std::size_t at = hidden.find(", "); at != std::string::npos; at = hidden.find(", ", at + 3))
            hidden.insert(at + 2, "+");
        const std::string question = "SELECT channel, source, kind, thread, tick FROM events ORDER BY ";
        EXPECT_EQ(ask(question + order + ", tick"), ask(question + hidden + ", +tick")) << order;
        EXPECT_FALSE(sorts(question + order + ", tick")) << order;
        EXPECT_TRUE(sorts(question + order + ", tick DESC")) << order;
        EXPECT_TRUE(sorts(question + order + ", value")) << order;
    }
    EXPECT_EQ(ask("SELECT channel FROM events GROUP BY channel ORDER BY channel DESC"), "zeta\nrx\n");
    EXPECT_EQ(ask("SELECT channel FROM events ORDER BY channel COLLATE NOCASE DESC LIMIT 1"), "zeta\n");
}

TEST_F(SqlGroups, AreEachThereOnceWhenOnlyTheirNamesAreWanted) {
    EXPECT_EQ(ask("SELECT DISTINCT channel FROM events ORDER BY channel"), "rx\nzeta\n");
    EXPECT_EQ(ask("SELECT DISTINCT source, channel FROM events ORDER BY 1, 2"), "other|rx\nprogram|rx\nprogram|zeta\n");
    EXPECT_EQ(ask("SELECT DISTINCT channel FROM events WHERE tick > 1650 ORDER BY channel"), "rx\nzeta\n");
    EXPECT_EQ(ask("SELECT DISTINCT channel, value FROM events WHERE kind = 'gap' ORDER BY 1"), "rx|3\nzeta|4\n");
    EXPECT_EQ(ask("SELECT count(DISTINCT channel) FROM events"), "2\n");
    EXPECT_EQ(ask("SELECT DISTINCT kind FROM events ORDER BY kind"), "begin\nend\ngap\nlevel\ntext\ntick\n");
    EXPECT_EQ(ask("SELECT DISTINCT c.channel FROM channels c JOIN events e ON e.channel = c.channel ORDER BY 1"),
              "rx\nzeta\n");
}

TEST_F(SqlGroups, OfALiveStreamEndAtItsWatermark) {
    capture_.leave_open(1150);
    EXPECT_EQ(ask("SELECT channel, count(*), max(tick) FROM events GROUP BY channel"),
              ask("SELECT +channel, count(*), max(tick) FROM events GROUP BY +channel"));
    EXPECT_EQ(ask("SELECT channel, count(*) FROM events GROUP BY channel"),
              ask("SELECT +channel, count(value IS NULL) FROM events GROUP BY +channel"));
}

TEST_F(SqlGroups, OfMoreThreadsThanAnyoneHasAreRefusedWithTheWayOut) {
    const auto many = capture_.channel("many");
    for (std::uint32_t i = 0; i < 5000; ++i) capture_.tick(many, 1800 + i, 1, 1000 + i);
    const std::string refused = ask("SELECT thread, count(*) FROM events GROUP BY thread");
    EXPECT_NE(refused.find("+thread"), std::string::npos) << refused.substr(0, 200);
    EXPECT_EQ(ask("SELECT count(*) FROM (SELECT thread FROM events GROUP BY +thread)"), "5002\n");
}

TEST(SqlGroupsOfCaptures, RunOverAllOfThem) {
    support::CaptureBuilder one{1000};
    support::CaptureBuilder two{9000};
    const auto a = one.channel("a");
    const auto b = one.channel("b");
    const auto later_a = two.channel("a");
    for (std::uint64_t i = 0; i < 5; ++i) {
        one.tick(a, 1100 + i);
        one.tick(b, 1100 + i, 3);
        two.tick(later_a, 9100 + i, 4);
    }
    store::Session first;
    store::Session second;
    one.fill(first);
    two.fill(second);
    auto engine = Engine::open({{"one", &first}, {"two", &second}}).value();
    EXPECT_EQ(answer_of(*engine, "SELECT channel, count(*) FROM events GROUP BY channel"), "a|10\nb|5\n");
    EXPECT_EQ(answer_of(*engine, "SELECT capture, count(*), sum(value) FROM events GROUP BY capture"),
              "one|10|15\ntwo|5|20\n");
    EXPECT_EQ(answer_of(*engine, "SELECT DISTINCT channel, capture FROM events ORDER BY channel DESC, capture"),
              "b|one\na|one\na|two\n");
    EXPECT_NE(answer_of(*engine, "EXPLAIN QUERY PLAN SELECT tick FROM events ORDER BY channel, tick").find("B-TREE"),
              std::string::npos);
}

}  // namespace
}  // namespace sla::sql
