// Statistics of one stretch of time after the other have the numbers of the same ranges of the whole.
#include "viewer/analysis/intervals/statistics_follower.h"

#include "tests/unit/viewer/analysis/growing_capture.h"
#include "viewer/analysis/value_follower.h"

#include <fmt/format.h>

#include <random>

namespace sla::analysis {
namespace {

// A loss that comes behind the stretch makes a span that is open then a lossy one of the whole: both are told apart there only.
std::string text_of(const StatisticsRow& row) {
    const Statistics& n = row.numbers;
    const std::uint64_t lost = row.pair.empty() ? n.lost : 0;
    const std::uint64_t without = row.pair.empty() ? n.unfinished : n.unfinished + n.lost;
    return fmt::format("{} {}: {} {} {}; {} {} {} {} {} {}; {} {} {}", row.channel, row.pair, n.count, lost, without,
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

TEST_F(StatisticsFollowerTest, HasTheNumbersOfEachStretch) {
    for (const bool reduces : {false, true}) {
        const std::vector<std::string> pairs = {"*:*"};
        StatisticsFollower follower({{"*"}, pairs, reduces, reduces});
        StatisticsOptions options;
        options.subtract_overhead = options.cull = reduces;
        std::uint64_t stretches = 0;
        std::uint64_t counted = 0;
        follow(follower, 7, [&](const store::Session& session, std::uint64_t from, std::uint64_t until) {
            const Selection range = between(whole_, from, until);
            std::vector<StatisticsRow> expected = channel_statistics(whole_, range, options);
            auto of_pairs = *pair_statistics(whole_, pairs[0], range, options);
            expected.insert(expected.end(), of_pairs.begin(), of_pairs.end());
            std::vector<std::string> wanted = texts_of(expected);
            const std::vector<StatisticsRow> rows = follower.take_rows(session, from, until);
            std::vector<std::string> found = texts_of(rows);
            std::sort(wanted.begin(), wanted.end());
            std::sort(found.begin(), found.end());
            for (const StatisticsRow& row : rows) counted += row.numbers.count;
            ++stretches;
            if (HasFailure()) return;
            EXPECT_EQ(found, wanted) << from << " to " << until;
        });
        EXPECT_GT(stretches, 3u);
        EXPECT_GT(counted, 10'000u);
    }
}

// What begins in one stretch ends in none of the next ones, also on a channel that was not there then.
TEST_F(StatisticsFollowerTest, APairThatWaitsAtTheEndOfAStretchIsUnfinishedThere) {
    support::CaptureBuilder capture(0);
    const auto a = capture.channel("a");
    const auto b = capture.channel("b");
    capture.tick(a, 900);
    capture.tick(b, 1'500);
    capture.tick(a, 1'600);
    capture.tick(b, 1'700);
    for (const bool is_late : {false, true}) {
        StatisticsFollower follower({{}, {"a:b"}, false, false});
        GrowingCapture growing;
        std::vector<StatisticsRow> before;
        const auto frames = capture.frames(17);
        growing.take(is_late ? with_late_channels(frames) : frames, [&](const FinalRows& rows) {
            constexpr std::uint64_t kEnd = 1'000;  // of the first stretch
            if (rows.from < kEnd) follower.go_on({rows.session, rows.from, std::min(rows.until, kEnd)});
            if (rows.from < kEnd && rows.until >= kEnd) before = follower.take_rows(rows.session, 0, kEnd);
            if (rows.until > kEnd) follower.go_on({rows.session, std::max(rows.from, kEnd), rows.until});
        });
        EXPECT_EQ(before.size(), is_late ? 0u : 1u);
        const auto rows = follower.take_rows(growing.session(), 1'000, 1'701);
        ASSERT_EQ(rows.size(), 1u);
        EXPECT_EQ(rows[0].numbers.count, 1u);
        EXPECT_EQ(rows[0].numbers.max_ps, 100'000);
    }
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
    std::vector<std::string> found = texts_of(follower.take_rows(growing.session(), 0, whole_.last_tick() + 1));
    std::vector<std::string> wanted = texts_of(*whole);
    std::sort(found.begin(), found.end());
    std::sort(wanted.begin(), wanted.end());
    EXPECT_EQ(found, wanted);
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
