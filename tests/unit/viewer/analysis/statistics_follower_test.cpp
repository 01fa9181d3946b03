// Statistics of one stretch of time after the other have the intervals of the whole, each where it ends.
#include "viewer/analysis/intervals/statistics_follower.h"

#include "tests/unit/viewer/analysis/growing_capture.h"
#include "viewer/analysis/intervals/level_walk.h"
#include "viewer/analysis/value_follower.h"

#include <fmt/format.h>

#include <array>
#include <map>
#include <random>

namespace sla::analysis {
namespace {

std::string text_of(const StatisticsRow& row) {
    const Statistics& n = row.numbers;
    return fmt::format("{} {}: {} {} {}; {} {} {} {} {} {}; {} {} {}", row.channel, row.pair, n.count, n.lost, n.unfinished,
                       n.min_ps, n.mode_ps, n.p50_ps, n.mean_ps, n.p99_ps, n.max_ps, n.stddev_ps, n.overhead_ps, n.culled);
}

std::string text_of(const ValueStatisticsRow& row) {
    const ValueStatistics& n = row.numbers;
    return fmt::format("{}: {} {} {}; {} {} {} {}", row.channel, n.count, n.lost, n.not_numbers, n.min.bits, n.p50.bits,
                       n.mean.value_or(0), n.max.bits);
}

template <typename Row>
std::vector<std::string> texts_of(const std::vector<Row>& rows) {
    std::vector<std::string> texts;
    for (const Row& row : rows) texts.push_back(text_of(row));
    return texts;
}

Selection between(const store::Session& session, std::uint64_t from, std::uint64_t until) {
    Selection range;
    range.lanes.assign(session.lanes().begin(), session.lanes().end());
    range.from = from;
    range.until = until;
    return range;
}

// The intervals of the whole that end in a stretch; what has no end belongs to the last one.
class EndingIn {
public:
    EndingIn(const store::Session& session, std::uint64_t from, std::uint64_t until, bool is_last, bool subtracts)
        : session_(session), from_(from), until_(until), is_last_(is_last), subtracts_(subtracts) {}

    [[nodiscard]] LaneIntervals of_lane(const store::Lane& lane) const {
        const std::uint64_t overhead = overhead_ticks(session_, lane);
        LaneIntervals found{&lane, nothing(overhead), nothing(overhead), {}};
        found.of_channel.lost_events = found.of_spans.lost_events = lost_in(lane, between(session_, from_, until_));
        each_channel_interval(lane, {}, [&](const Interval& interval) { add(interval, found.of_channel); });
        for (std::uint64_t id = 0; id < lane.spans().size(); ++id) add_span(lane, id, found.of_spans);
        if (!lane.has_levels()) return found;
        found.of_levels.assign(kLevelTimes, nothing(overhead));
        LevelWalk(lane, Selection()).go_on(lane.size(), [&](LevelTime which, const Interval& interval) {
            add(interval, found.of_levels[static_cast<std::size_t>(which)]);
        });
        return found;
    }
    [[nodiscard]] Intervals of_pair(const store::Lane& a, const store::Lane& b) const {
        Intervals found = nothing(overhead_ticks(session_, a, b));
        std::uint64_t last = store::kNever;  // where the one begins that no end comes behind
        each_pair_interval(a, b, {}, [&](const Interval& interval) { last = interval.begin_tick; });
        each_pair_interval(a, b, {}, [&](const Interval& interval) {
            const bool is_open = &a != &b && interval.state != IntervalState::kWhole && interval.begin_tick == last &&
                                 interval.end_tick >= std::max(a.last_tick(), b.last_tick());
            if (is_open ? is_last_ : holds(interval.end_tick)) found.add(interval);
        });
        return found;
    }

private:
    [[nodiscard]] bool holds(std::uint64_t tick) const { return tick >= from_ && tick < until_; }
    [[nodiscard]] Intervals nothing(std::uint64_t overhead) const {
        Intervals none;
        none.overhead = {overhead, subtracts_};
        return none;
    }
    void add(const Interval& interval, Intervals& to) const {
        if (holds(interval.end_tick)) to.add(interval);
    }
    void add_span(const store::Lane& lane, std::uint64_t id, Intervals& to) const {
        const bool is_open = lane.spans()[id].state == store::SpanState::kOpen;
        if (is_open ? !is_last_ : !holds(lane.spans()[id].end_tick)) return;
        const Selection whole;
        SpanWalk walk(lane, whole);
        walk.go_on(id, [](const Interval&) {});
        walk.go_on(id + 1, Collect{to});
    }

    const store::Session& session_;
    std::uint64_t from_;
    std::uint64_t until_;
    bool is_last_;
    bool subtracts_;
};

// As the followers' rows are.
std::vector<StatisticsRow> rows_ending_in(const EndingIn& stretch, const store::Session& session, bool culls) {
    std::vector<LaneIntervals> lanes;
    for (const store::Lane* lane : session.lanes()) lanes.push_back(stretch.of_lane(*lane));
    std::vector<StatisticsRow> rows = statistics_of(lanes, session, culls);
    for (const store::Lane* a : session.lanes()) {
        for (const store::Lane* b : session.lanes()) {
            Intervals found = stretch.of_pair(*a, *b);
            const std::string& name = a->channel().name;
            rows.push_back({name, name + ":" + b->channel().name, statistics_of(found, session, culls), a, b});
        }
    }
    return rows;
}

class StatisticsFollowerTest : public testing::Test {
protected:
    StatisticsFollowerTest() {
        support::add_mixed(capture_, 8, 5000, 3);
        capture_.fill(whole_);
    }
    // Walks in steps as rows become final, parted at ends of stretches of random length; each end is told.
    template <typename Follower, typename AtEnd>
    void follow(Follower& follower, std::uint64_t seed, AtEnd at_end) {
        std::mt19937_64 random(seed);
        std::uint64_t from = 0;
        std::uint64_t end = 2'000;
        GrowingCapture growing;
        growing.take(capture_.frames(300), [&](const FinalRows& rows) {
            const std::uint64_t until = std::min(rows.until, growing.session().last_tick() + 1);
            for (; end <= until; end += 1 + random() % 2'000'000) {
                follower.go_on({rows.session, std::max(rows.from, from), end});
                at_end(growing.session(), from, end);
                from = end;
            }
            follower.go_on({rows.session, std::max(rows.from, from), until});
        });
        at_end(growing.session(), from, whole_.last_tick() + 1);
    }

    support::CaptureBuilder capture_;
    store::Session whole_;
};

TEST_F(StatisticsFollowerTest, AnIntervalCountsInTheStretchInWhichItEnds) {
    for (const bool reduces : {false, true}) {
        StatisticsFollower follower({{"*"}, {"*:*"}, reduces, reduces});
        std::uint64_t stretches = 0;
        std::uint64_t counted = 0;
        follow(follower, 7, [&](const store::Session& session, std::uint64_t from, std::uint64_t until) {
            const bool is_last = until > whole_.last_tick();
            const std::vector<StatisticsRow> rows = is_last ? follower.take_last_rows(session) : follower.take_rows(session);
            for (const StatisticsRow& row : rows) counted += row.numbers.count;
            ++stretches;
            if (HasFailure()) return;
            const EndingIn stretch(whole_, from, until, is_last, reduces);
            std::vector<std::string> wanted = texts_of(rows_ending_in(stretch, whole_, reduces));
            std::vector<std::string> found = texts_of(rows);
            std::sort(wanted.begin(), wanted.end());
            std::sort(found.begin(), found.end());
            EXPECT_EQ(found, wanted) << from << " to " << until;
        });
        EXPECT_GT(stretches, 3u);
        EXPECT_GT(counted, 10'000u);
    }
}

// Whatever is longer than a stretch, too.
TEST_F(StatisticsFollowerTest, AllStretchesTogetherCountWhatTheWholeDoes) {
    using Counts = std::map<std::string, std::array<std::uint64_t, 3>>;
    const auto add = [](const std::vector<StatisticsRow>& rows, Counts& to) {
        for (const StatisticsRow& row : rows) {
            auto& [count, lost, unfinished] = to[row.channel + " " + row.pair];
            count += row.numbers.count;
            lost += row.numbers.lost;
            unfinished += row.numbers.unfinished;
        }
    };
    for (const bool are_late : {false, true}) {
        StatisticsFollower follower({{"*"}, {"*:*"}, false, false});
        Counts found;
        std::uint64_t from = 0;
        GrowingCapture growing;
        const auto frames = capture_.frames(300);
        growing.take(are_late ? with_late_channels(frames) : frames, [&](const FinalRows& rows) {
            const std::uint64_t until = std::min(rows.until, growing.session().last_tick() + 1);
            constexpr std::uint64_t kLength = 1'000;
            for (; from + kLength < until; from += kLength) {
                follower.go_on({rows.session, std::max(rows.from, from), from + kLength});
                add(follower.take_rows(rows.session), found);
            }
            follower.go_on({rows.session, std::max(rows.from, from), rows.until});
        });
        add(follower.take_last_rows(growing.session()), found);
        Counts wanted;
        add(channel_statistics(whole_, between(whole_, 0, store::kNever)), wanted);
        add(*pair_statistics(whole_, "*:*", {}), wanted);
        EXPECT_EQ(found, wanted) << are_late;
    }
}

// Also on a channel that was not there when it began.
TEST_F(StatisticsFollowerTest, APairCountsInTheStretchInWhichItEnds) {
    support::CaptureBuilder capture(0);
    const auto a = capture.channel("a");
    const auto b = capture.channel("b");
    capture.tick(a, 800);
    capture.tick(a, 900);
    capture.tick(b, 1'500);
    capture.tick(a, 1'600);
    capture.tick(b, 1'700);
    capture.tick(a, 1'800);
    for (const bool is_late : {false, true}) {
        StatisticsFollower follower({{}, {"a:b"}, false, false});
        GrowingCapture growing;
        std::vector<StatisticsRow> before;
        const auto frames = capture.frames(17);
        growing.take(is_late ? with_late_channels(frames) : frames, [&](const FinalRows& rows) {
            constexpr std::uint64_t kEnd = 1'000;  // of the first stretch
            if (rows.from < kEnd) follower.go_on({rows.session, rows.from, std::min(rows.until, kEnd)});
            if (rows.from < kEnd && rows.until >= kEnd) before = follower.take_rows(rows.session);
            if (rows.until > kEnd) follower.go_on({rows.session, std::max(rows.from, kEnd), rows.until});
        });
        EXPECT_EQ(before.size(), is_late ? 0u : 1u);
        if (!is_late) {
            EXPECT_EQ(before[0].numbers.count, 0u);
            EXPECT_EQ(before[0].numbers.unfinished, 1u) << "another follows it";
        }
        const auto rows = follower.take_last_rows(growing.session());
        ASSERT_EQ(rows.size(), 1u);
        EXPECT_EQ(rows[0].numbers.count, 2u);
        EXPECT_EQ(rows[0].numbers.max_ps, 600'000) << "it began in the stretch before";
        EXPECT_EQ(rows[0].numbers.unfinished, is_late ? 2u : 1u);
    }
}

// Nothing ends it any more; then the program is passed over.
TEST_F(StatisticsFollowerTest, WhatAProgramLeavesOpenIsUnfinishedOnceWhenItHasEnded) {
    support::CaptureBuilder capture(0);
    const auto work = capture.channel("work");
    const auto answer = capture.channel("answer");
    capture.tick(answer, 300);
    capture.begin(work, 500);
    store::Session session;
    capture.fill(session);
    StatisticsFollower follower({{"work"}, {"work:answer"}, false, false});
    const auto unfinished_until = [&](std::uint64_t from, std::uint64_t until) {
        follower.go_on({session, from, until});
        std::vector<std::uint64_t> found;
        for (const StatisticsRow& row : follower.take_rows(session)) {
            if (!row.pair.empty()) found.push_back(row.numbers.unfinished);
        }
        return found;
    };
    EXPECT_EQ(unfinished_until(0, 1'000), (std::vector<std::uint64_t>{0, 0})) << "it may end yet";
    store::Source source = *session.source_of(*session.lane_named("work"));
    source.ended = true;
    session.add_source(source);
    EXPECT_EQ(unfinished_until(1'000, 2'000), (std::vector<std::uint64_t>{1, 1}));
    EXPECT_EQ(unfinished_until(2'000, 3'000), std::vector<std::uint64_t>());
    EXPECT_TRUE(follower.take_last_rows(session).empty());
}

// Two copies of a program, and a server: of a name that both copies have a start's own one is meant, whole or piece by piece,
// whichever channel comes first.
TEST_F(StatisticsFollowerTest, AStartIsPairedWithinItsOwnProgram) {
    support::CaptureBuilder capture(0);
    std::vector<std::uint32_t> channels;
    for (const std::uint32_t pid : {70U, 71U}) {
        const std::uint32_t worker = capture.source("worker", support::BuilderSource::kProgram, pid);
        channels.push_back(capture.channel("ask", worker));
        channels.push_back(capture.channel("get", worker));
    }
    const auto served = capture.channel("served", capture.source("server", support::BuilderSource::kProgram, 72));
    for (std::uint64_t i = 1; i <= 50; ++i) {
        capture.tick(channels[0], i * 10'000);
        capture.tick(channels[2], i * 10'000 + 2000);
        capture.tick(served, i * 10'000 + 2500);
        capture.tick(channels[1], i * 10'000 + 3000);
        capture.tick(channels[3], i * 10'000 + 6000);
    }
    store::Session session;
    capture.fill(session);
    const auto whole = pair_statistics(session, "ask:[!a]*", {});
    ASSERT_TRUE(whole.ok());
    ASSERT_EQ(whole->size(), 4u);
    EXPECT_EQ((*whole)[0].numbers.max_ps, 3'000'000);
    EXPECT_EQ((*whole)[2].end->channel().source, (*whole)[2].lane->channel().source);
    EXPECT_EQ((*whole)[2].numbers.max_ps, 4'000'000) << "not the first one's answer, which comes earlier";
    StatisticsFollower follower({{}, {"ask:[!a]*"}, false, false});
    GrowingCapture growing;
    growing.take(with_late_channels(capture.frames(20)), [&](const FinalRows& rows) { follower.go_on(rows); });
    std::vector<std::string> found = texts_of(follower.take_last_rows(growing.session()));
    std::vector<std::string> wanted = texts_of(*whole);
    std::sort(found.begin(), found.end());
    std::sort(wanted.begin(), wanted.end());
    EXPECT_EQ(found, wanted);
}

// Of a stretch that lies behind all that is known only sources with a time of their own have rows.
TEST_F(StatisticsFollowerTest, OfATimeThatIsNotKnownNothingIsToldOfTheMachinesLanes) {
    support::CaptureBuilder capture(0);
    const auto guest = capture.source("guest", support::BuilderSource::kPc);
    const auto irq = capture.channel("irq", guest);
    const auto beat = capture.channel("beat");
    for (std::uint64_t i = 1; i <= 20; ++i) capture.value(irq, i * 1'000, 1);
    for (std::uint64_t i = 1; i <= 12; ++i) capture.value(beat, i * 1'000, 1);
    store::Session session;
    capture.fill(session);
    store::Source own = *session.source(SourceId{guest});
    own.clock_domain = 1;
    session.add_source(own);
    StatisticsFollower times({{}, {"beat:beat", "irq:irq"}, false, false});
    StatisticsFollower channels({});
    ValueFollower values({});
    const auto rows = [&](std::uint64_t from, std::uint64_t until) {
        const FinalRows stretch{session, from, until, {}, {}, 10'000};
        times.go_on(stretch);
        channels.go_on(stretch);
        values.go_on(stretch);
        std::vector<std::string> found;
        for (const auto& all : {times.take_rows(session), channels.take_rows(session)}) {
            for (const StatisticsRow& row : all) found.push_back(row.pair + " " + std::to_string(row.numbers.count));
        }
        for (const ValueStatisticsRow& row : values.take_rows())
            found.push_back(row.channel + " " + std::to_string(row.numbers.count));
        return found;
    };
    const std::vector<std::string> known = rows(0, 10'001);
    EXPECT_EQ(known.size(), 6U);
    EXPECT_EQ(known.back(), "beat 10");
    const std::vector<std::string> ahead = rows(10'001, 20'001);
    ASSERT_EQ(ahead.size(), 3U);
    EXPECT_EQ(ahead.front(), "irq:irq 10");
    EXPECT_EQ(ahead.back(), "irq 10");
}

TEST_F(StatisticsFollowerTest, HasTheValuesOfEachStretch) {
    ValueFollower follower({});
    std::uint64_t counted = 0;
    follow(follower, 9, [&](const store::Session& session, std::uint64_t from, std::uint64_t until) {
        const auto expected = value_statistics(whole_, between(whole_, from, until));
        auto rows = follower.take_rows();
        for (const ValueStatisticsRow& row : rows) counted += row.numbers.count;
        if (rows.size() < session.lanes().size() && rows.size() != expected.size()) return;  // others come later
        EXPECT_EQ(texts_of(rows), texts_of(expected)) << from << " to " << until;
    });
    EXPECT_GT(counted, 5'000u);
}

}  // namespace
}  // namespace sla::analysis
