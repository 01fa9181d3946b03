// Captures whose rows stay in their file: the same answers, and of the file only what the question needs.
#include "tests/support/damaged_chunk.h"
#include "tests/support/with_directory.h"
#include "tests/unit/viewer/sql/asked.h"
#include "viewer/ingest/file_source.h"

namespace sla::sql {
namespace {

class PagedSql : public support::WithDirectory {
protected:
    static constexpr std::uint64_t kRows = 400'000;

    static constexpr std::uint64_t kEvents = kRows + 2 * (kRows / 10) + kRows / 10'000;

    PagedSql() {
        support::CaptureBuilder capture(0);
        const auto beat = capture.channel("beat");
        const auto work = capture.channel("work");
        const auto rare = capture.channel("rare");
        for (std::uint64_t i = 0; i < kRows; ++i) {
            capture.tick(beat, 1000 + i * 100, static_cast<std::int64_t>(i * 7919 % 1'000'000));
            if (i % 10 == 0) capture.span(work, 1010 + i * 100, 1040 + i * 100 + i % 50);
            if (i % 10'000 == 5000) capture.tick(rare, 1020 + i * 100);
        }
        capture.gap(rare, 2'000'000, 7);
        capture.write(file("c.sla"));
        ingest::FileOptions paged;
        paged.rows_in_memory = 1000;
        EXPECT_TRUE(ingest::load_file(file("c.sla"), paged_, {}, paged).ok());
        EXPECT_NE(paged_.page_source(), nullptr);
        ingest::FileOptions whole;
        whole.memory_bytes = ingest::FileOptions::kNoLimit;
        EXPECT_TRUE(ingest::load_file(file("c.sla"), whole_, {}, whole).ok());
        EXPECT_EQ(whole_.page_source(), nullptr);
        from_file_ = Engine::open({{"c", &paged_}}).value();
        from_memory_ = Engine::open({{"c", &whole_}}).value();
    }

    store::Session paged_;
    store::Session whole_;
    std::unique_ptr<Engine> from_file_;
    std::unique_ptr<Engine> from_memory_;
};

TEST_F(PagedSql, AnswersAreTheSameAsFromMemory) {
    for (const char* question :
         {"SELECT count(*), sum(value), min(tick), max(tick) FROM events",
          "SELECT channel, kind, count(*) FROM events GROUP BY 1, 2 ORDER BY 1, 2",
          "SELECT thread, channel, sum(value), max(tick) FROM events WHERE tick > 30000000 GROUP BY 1, 2",
          "SELECT channel, tick FROM events WHERE tick BETWEEN 3000000 AND 3001000 ORDER BY channel DESC, tick",
          "SELECT tick, value FROM events WHERE channel = 'beat' AND tick BETWEEN 3000000 AND 3001000",
          "SELECT tick, delta_ns FROM events WHERE channel = 'rare'",
          "SELECT count(*), sum(width_ns), max(width_ns) FROM spans", "SELECT * FROM spans WHERE begin_tick > 39995000",
          "SELECT count(*), max(width_ns) FROM pairs('beat', 'work')", "SELECT * FROM channels", "SELECT * FROM gaps",
          "SELECT e.tick FROM events r JOIN events e ON e.tick > r.tick AND e.tick < r.tick + 300 WHERE r.channel = "
          "'rare'"}) {
        const std::string expected = answer_of(*from_memory_, question);
        EXPECT_FALSE(expected.empty() || expected.starts_with("ERROR")) << question << ": " << expected;
        EXPECT_EQ(answer_of(*from_file_, question), expected) << question;
    }
}

TEST_F(PagedSql, CountingEveryRowReadsNone) {
    EXPECT_EQ(answer_of(*from_file_, "SELECT count(*) FROM events"), std::to_string(kEvents + 1) + "\n");
    EXPECT_EQ(answer_of(*from_file_, "SELECT sum(events), sum(spans) FROM channels"), std::to_string(kEvents) + "|40000\n");
    EXPECT_EQ(answer_of(*from_file_, "SELECT channel, count(*) FROM events GROUP BY channel"),
              "beat|" + std::to_string(kRows) + "\nrare|41\nwork|80000\n");
    EXPECT_EQ(answer_of(*from_file_, "SELECT DISTINCT channel FROM events"), "beat\nrare\nwork\n");
    EXPECT_EQ(paged_.page_waits(), 0U);
}

TEST_F(PagedSql, AShortRangeReadsThePagesItTouches) {
    EXPECT_EQ(answer_of(*from_file_, "SELECT count(value) FROM events WHERE tick BETWEEN 1000 AND 2000"), "11\n");
    const std::uint64_t of_range = paged_.page_waits();
    EXPECT_GT(of_range, 0U);
    EXPECT_EQ(answer_of(*from_file_, "SELECT count(value) FROM events"), std::to_string(kRows + 1) + "\n");
    EXPECT_GT(paged_.page_waits(), of_range);
}

// Nothing knows of it before it is looked for, and then nothing is unpacked.
TEST_F(PagedSql, WhatCannotBeReadIsAGapOfItsChannel) {
    EXPECT_EQ(answer_of(*from_file_, "SELECT channel, lost FROM gaps"), "rare|7\n");
    support::damage_chunk(file("c.sla"), 1);
    store::Session session;
    ingest::FileOptions paged;
    paged.rows_in_memory = 1000;
    ASSERT_TRUE(ingest::load_file(file("c.sla"), session, {}, paged).ok());
    const auto engine = Engine::open({{"c", &session}}).value();
    std::string expected;
    std::uint64_t gone = 0;
    for (const store::Lane* lane : session.lanes()) {
        const auto page = lane->pages()->page_in_chunk(1);
        if (!page) continue;
        const std::uint64_t lost = page->rows - page->gaps;
        gone += lost;
        expected += lane->channel().name + "|" + std::to_string(lost) + "|" + std::to_string(page->first_tick) + "|" +
                    std::to_string(page->last_tick) + "\n";
    }
    ASSERT_GT(gone, 10'000u);
    const std::string all = "SELECT channel, lost, tick, until_tick FROM gaps WHERE cause = 'damaged'";
    EXPECT_EQ(answer_of(*engine, all + " AND tick < 1000"), "");
    EXPECT_EQ(session.damage_count(), 0u);
    EXPECT_EQ(answer_of(*engine, all), expected);
    EXPECT_EQ(session.damage_count(), 1u) << "a chunk, not a channel";
    EXPECT_EQ(session.page_waits(), 0u);

    const std::string sum = std::to_string(gone + 7) + "\n";
    EXPECT_EQ(answer_of(*engine, "SELECT sum(lost) FROM gaps"), sum);
    EXPECT_EQ(answer_of(*engine, "SELECT sum(lost) FROM gaps WHERE lost > 0 OR cause = 'damaged'"), sum) << "each once";
    EXPECT_EQ(answer_of(*engine, "SELECT sum(lost) FROM channels"), sum);
    EXPECT_EQ(answer_of(*engine, "SELECT lost FROM captures"), sum);
    EXPECT_EQ(answer_of(*engine, "SELECT events FROM captures"), std::to_string(kEvents - gone) + "\n");
}

// What a damaged chunk had told of losses stands where it was, with its thread and cause: by the index, whichever way it is read.
TEST_F(PagedSql, OfADamagedChunkAnswersAreTheSameAsFromMemory) {
    support::CaptureBuilder capture(0);
    const std::uint32_t second = capture.thread("worker", 43);
    const auto beat = capture.channel("beat");
    const auto rare = capture.channel("rare");
    for (std::uint64_t i = 0; i < kRows; ++i) {
        capture.tick(beat, 1000 + i * 100, static_cast<std::int64_t>(i * 7919 % 1'000'000));
        if (i % 100 == 50) capture.tick(rare, 1020 + i * 100, 1, second);
        if (i % 700 == 150) capture.gap(rare, 1030 + i * 100, 412, wire::LossCause::kTorn, 1060 + i * 100, second);
    }
    capture.write(file("d.sla"));
    support::damage_chunk(file("d.sla"), 1);
    store::Session large;
    store::Session small;
    ingest::FileOptions options;
    options.memory_bytes = ingest::FileOptions::kNoLimit;
    ASSERT_TRUE(ingest::load_file(file("d.sla"), small, {}, options).ok());
    options.rows_in_memory = 1000;
    ASSERT_TRUE(ingest::load_file(file("d.sla"), large, {}, options).ok());
    ASSERT_EQ(small.page_source(), nullptr);
    ASSERT_NE(large.page_source(), nullptr);
    const auto of_small = Engine::open({{"d", &small}}).value();
    const auto of_large = Engine::open({{"d", &large}}).value();
    for (const char* question :
         {"SELECT channel, lost, cause, tick, until_tick FROM gaps ORDER BY channel, tick, cause",
          "SELECT channel, thread, tick, value, text FROM events WHERE kind = 'gap' ORDER BY channel, tick, text",
          "SELECT channel, events, lost, gaps, first_tick, last_tick FROM channels", "SELECT events, lost FROM captures",
          "SELECT channel, kind, count(*), sum(value) FROM events GROUP BY 1, 2 ORDER BY 1, 2"}) {
        const std::string expected = answer_of(*of_small, question);
        EXPECT_FALSE(expected.empty() || expected.starts_with("ERROR")) << question << ": " << expected;
        EXPECT_EQ(answer_of(*of_large, question), expected) << question;
    }
    EXPECT_NE(answer_of(*of_large, "SELECT thread, value, text FROM events WHERE kind = 'gap' GROUP BY 3").find("412|torn"),
              std::string::npos);
}

// A channel without any other loss has rows of that kind all the same: one for all that a chunk had of it.
TEST_F(PagedSql, RowsThatCannotBeReadAreOneGapAmongTheEvents) {
    support::damage_chunk(file("c.sla"), 1);
    const std::uint64_t lost = paged_.lane_named("beat")->pages()->page_in_chunk(1)->rows;
    const std::string expected = "gap|1\ntick|" + std::to_string(kRows - lost) + "\n";
    EXPECT_EQ(answer_of(*from_file_, "SELECT kind, count(*) FROM events WHERE channel = 'beat' GROUP BY kind"), expected);
    EXPECT_EQ(answer_of(*from_file_, "SELECT value FROM events WHERE channel = 'beat' AND kind = 'gap'"),
              std::to_string(lost) + "\n");
    EXPECT_EQ(answer_of(*from_file_, "SELECT DISTINCT text FROM events WHERE channel = 'beat' AND kind = 'gap'"),
              "damaged\n");
    EXPECT_EQ(answer_of(*from_file_,
                        "SELECT e.tick = g.tick, e.value = g.lost FROM events e JOIN gaps g ON e.channel = "
                        "g.channel WHERE e.kind = 'gap' AND g.cause = 'damaged' AND e.channel = 'beat'"),
              "1|1\n");
}

}  // namespace
}  // namespace sla::sql
