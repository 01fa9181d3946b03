// Answers that become lanes and columns.
#include "tests/unit/viewer/sql/asked.h"
#include "viewer/sql/column_answer.h"
#include "viewer/sql/lane_answer.h"

#include <gmock/gmock.h>

namespace sla::sql {
namespace {

using testing::HasSubstr;

class Lanes : public Asking {
protected:
    // "tick kind value text thread;" of each row, or "ERROR: ...".
    std::string lane_of(const std::string& question) {
        open();
        answer_ = LaneAnswer();
        if (const auto asked = engine().ask(question, answer_); !asked.ok()) return "ERROR: " + asked.error().message;
        lane_ = std::make_unique<store::Lane>(store::Channel{ChannelId{7}, {}, "answer", "", false});
        if (const auto filled = answer_.fill(*lane_); !filled.ok()) return "ERROR: " + filled.error().message;
        std::string text;
        for (std::uint64_t i = 0; i < lane_->size(); ++i) {
            const store::Event event = (*lane_)[i];
            text += std::to_string(event.tick) + " " + wire::kind_name(event.kind());
            if (wire::has_value(event.code)) text += " " + std::to_string(event.number()).substr(0, 4);
            text += (lane_->text(i).empty() ? "" : " ") + lane_->text(i) + ";";
        }
        return text;
    }
    LaneAnswer answer_;
    std::unique_ptr<store::Lane> lane_;
};

TEST_F(Lanes, KindsOfRowsAreSaidByTheNamesOfColumns) {
    EXPECT_EQ(lane_of("SELECT 5 AS tick"), "5 tick;");
    EXPECT_EQ(lane_of("SELECT 5 AS tick, -2 AS value UNION ALL SELECT 6, 1.5"), "5 value -2.0;6 value 1.50;");
    EXPECT_EQ(lane_of("SELECT 5 AS tick, 3 AS level UNION ALL SELECT 6, 0.0"), "5 level 1.00;6 level 0.00;");
    EXPECT_EQ(lane_of("SELECT 5 AS tick, 'on' AS text, 1 AS other"), "5 text on;");
    EXPECT_EQ(lane_of("SELECT 5 AS begin, 9 AS \"end\", 4 AS value"), "5 begin 4.00;9 end;");
    EXPECT_THAT(lane_of("SELECT 1 AS value"), HasSubstr("ERROR: a lane needs a column `tick`"));
    EXPECT_THAT(lane_of("SELECT nonsense"), HasSubstr("ERROR: "));
}

TEST_F(Lanes, RowsMayComeInAnyOrderAndWhatIsNoRowIsCounted) {
    EXPECT_EQ(
        lane_of("WITH r(tick, value) AS (VALUES (9, 1), (3, 2), (NULL, 3), (-4, 4), (5.5, 5), (3, NULL), (3, 'x'), (3, 6)) "
                "SELECT * FROM r"),
        "3 value 2.00;3 value 6.00;9 value 1.00;");
    EXPECT_EQ(answer_.words(), "5 left out: without a tick or a value");
}

TEST_F(Lanes, SpansThatOverlapKeepTheirOwnEnds) {
    EXPECT_EQ(lane_of("WITH r(begin_tick, end_tick) AS (VALUES (10, 20), (15, 30), (20, 25), (40, 40), (50, NULL), (9, 3)) "
                      "SELECT * FROM r"),
              "10 begin;15 begin;20 end;20 begin;25 end;30 end;40 begin;40 end;50 begin;");
    EXPECT_EQ(answer_.words(), "1 left out: without a tick or a value");
    ASSERT_EQ(lane_->spans().size(), 5u);
    const std::uint64_t ends[] = {20, 30, 25, 40, store::kNever};
    for (std::uint64_t i = 0; i < 5; ++i) EXPECT_EQ(lane_->spans()[i].end_tick, ends[i]) << i;
    EXPECT_EQ(lane_->spans().rows(), 2u);
    EXPECT_EQ(lane_->spans().unmatched_ends(), 0u);
}

TEST_F(Lanes, TooManySpansAtATimeAreRefused) {
    EXPECT_THAT(lane_of("WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 1002) "
                        "SELECT x AS begin, 9999 AS \"end\" FROM n"),
                HasSubstr("more than 1000 spans of the answer overlap"));
}

TEST_F(Lanes, LongAnswersAreCutAndSaySo) {
    EXPECT_THAT(lane_of("WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT x AS tick FROM n"),
                HasSubstr("1 tick;"));
    EXPECT_EQ(answer_.rows(), LaneAnswer::kMaxRows);
    EXPECT_EQ(answer_.words(), "the first 1000000 rows");
}

class Columns : public Asking {
protected:
    Columns() {
        rx_ = capture_.channel("net.rx");
        tx_ = capture_.channel("net.tx");
        capture_.value(rx_, 1100, 5);
        capture_.value(rx_, 1200, 7);
        capture_.value(tx_, 1200, 9);
        capture_.value(rx_, 1200, 8);
    }
    std::string column_of(const std::string& text) {
        open();
        column_ = ColumnAnswer();
        if (const auto asked = engine().ask(column_question(text), column_); !asked.ok())
            return "ERROR: " + asked.error().message;
        column_.finish();
        return cell("net.rx", rx_, 0, 1100) + "|" + cell("net.rx", rx_, 1, 1200) + "|" + cell("net.rx", rx_, 2, 1200) + "|" +
               cell("net.tx", tx_, 0, 1200);
    }
    std::string cell(const char* channel, std::uint32_t id, std::uint64_t row, std::uint64_t tick) {
        const auto value = column_.find({id, channel, row, tick});
        if (!value) return "-";
        switch (value->type) {
            case ColumnAnswer::Type::kInteger: return std::to_string(value->integer);
            case ColumnAnswer::Type::kReal: return std::to_string(value->real).substr(0, 4);
            case ColumnAnswer::Type::kText: break;
        }
        return std::string(value->text);
    }
    std::uint32_t rx_ = 0;
    std::uint32_t tx_ = 0;
    ColumnAnswer column_;
};

TEST_F(Columns, AnExpressionIsMadeForEachRowOnceEvenAtOneTick) {
    EXPECT_EQ(column_of("value * 2"), "10|14|16|18");
    EXPECT_EQ(column_of("value / 2.0 -- half"), "2.50|3.50|4.00|4.50");
    EXPECT_EQ(column_of("channel || ':' || kind"), "net.rx:value|net.rx:value|net.rx:value|net.tx:value");
    EXPECT_EQ(column_of("tick - lag(tick) OVER (PARTITION BY channel_id ORDER BY row)"), "-|100|0|-");
    EXPECT_EQ(column_of("CASE WHEN value > 7 THEN value END"), "-|-|8|9");
}

TEST_F(Columns, AQuestionSaysItsRowsByTickOrChannel) {
    EXPECT_EQ(column_of("SELECT tick, max(value) AS value FROM events GROUP BY tick"), "5|9|9|9");
    EXPECT_EQ(column_of(" select tick, channel, min(value) AS value FROM events GROUP BY tick, channel"), "5|7|7|9");
    EXPECT_EQ(column_of("WITH e AS (SELECT * FROM events WHERE row = 1) SELECT channel_id, row, value FROM e"), "-|7|-|-");
    EXPECT_EQ(column_of("VALUES (1)").substr(0, 30), "ERROR: a column needs `value`,");
    EXPECT_EQ(column_of("SELECT value FROM events").substr(0, 30), "ERROR: a column needs `value`,");
    EXPECT_EQ(column_of("valeu * 2").substr(0, 6), "ERROR:");
}

TEST_F(Columns, RowsAreNumberedWithinTheirChannelAndLossesCount) {
    capture_.gap(rx_, 1150, 3);
    EXPECT_EQ(ask("SELECT channel_id, row, kind, value FROM events"),
              "1|0|value|5\n1|1|gap|3\n1|2|value|7\n1|3|value|8\n2|0|value|9\n");
}

}  // namespace
}  // namespace sla::sql
