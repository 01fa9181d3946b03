// What is called whole is true: captures of which some events are lost against the same captures with all their events. And
// statistics, limits and searches say the same of them.
#include "tests/unit/viewer/analysis/random_losses.h"
#include "viewer/analysis/intervals/statistics.h"
#include "viewer/analysis/limits/verdict.h"

#include <fmt/format.h>

#include <numeric>

namespace sla::analysis {
namespace {

using LossTruth = RandomLosses;

TEST_F(LossTruth, WhatIsCalledWholeIsWhatHappened) {
    std::uint64_t whole = 0;
    std::uint64_t lossy = 0;
    for (int round = 0; round < 20'000; ++round) {
        make(kSorts[random_() % 3], kSorts[random_() % 3], 1 + round % 3);
        const Found of_pairs = pairs();
        EXPECT_TRUE(is_within(of_pairs.whole, true_pairs(a_, b_)));
        check_ranges(of_pairs);
        Found of_gaps;
        each_channel_interval(lane("a"), {}, std::ref(of_gaps));
        if (are_ends_known(a_)) {
            EXPECT_TRUE(is_within(of_gaps.whole, true_gaps(a_)));
        }
        Found of_spans;
        each_span(lane("a"), {}, std::ref(of_spans));
        EXPECT_TRUE(is_within(of_spans.whole, true_spans(a_)));
        Found of_pulses;
        each_high(lane("a"), {}, std::ref(of_pulses));
        EXPECT_TRUE(is_within(of_pulses.whole, true_pulses(a_)));
        whole += of_pairs.whole.size() + of_pulses.whole.size() + of_gaps.whole.size() + of_spans.whole.size();
        lossy += of_pairs.lossy + of_gaps.lossy + of_spans.lossy;
        ASSERT_FALSE(HasFailure()) << round;
    }
    EXPECT_GT(whole, 500'000u);
    EXPECT_GT(lossy, 50'000u);
}

TEST_F(LossTruth, StatisticsLimitsAndSearchesAgreeOnPairs) {
    std::map<Verdict, int> verdicts;
    for (int round = 0; round < 3'000; ++round) {
        make(kSorts[random_() % 3], kSorts[random_() % 3], 1 + round % 3);
        const Found all = pairs();
        const Statistics numbers = pair_statistics(*session_, "a:b", {})->front().numbers;
        EXPECT_EQ(numbers.count, all.whole.size());
        EXPECT_EQ(numbers.lost, all.lossy);
        EXPECT_EQ(numbers.unfinished, all.unfinished);
        std::set<std::uint64_t> ends;
        for (const auto& [begin, end] : all.whole) ends.insert(end);
        std::set<std::uint64_t> certain;
        for (const FoundHit& hit : found("delta a -> b >= 0ns")) {
            if (hit.certain) certain.insert(hit.tick);
        }
        // A search takes a loss of nobody knows whom, until nobody knows when, for longer.
        const bool is_anyones = is_anyones_loss(a_) || is_anyones_loss(b_);
        EXPECT_TRUE(is_anyones || ends == certain);
        const std::uint64_t bound = 1 + random_() % 30;
        const Verdict verdict = check_limit(*session_, *parse_limit(fmt::format("a -> b >= {}ns", bound)), {})[0].verdict;
        const auto against = found(fmt::format("delta a -> b < {}ns", bound));
        const bool any = std::any_of(against.begin(), against.end(), [](const FoundHit& hit) { return hit.certain; });
        EXPECT_TRUE(verdict != Verdict::kPass || is_anyones || against.empty());
        EXPECT_TRUE(verdict != Verdict::kFail || is_anyones || any);
        ++verdicts[verdict];
        ASSERT_FALSE(HasFailure()) << round;
    }
    for (const Verdict verdict : {Verdict::kPass, Verdict::kFail, Verdict::kCannotTell}) EXPECT_GT(verdicts[verdict], 50);
}

TEST_F(LossTruth, ALimitThatIsKeptIsKeptByThePairsThatAreNotThere) {
    int kept = 0;
    for (int round = 0; round < 6'000; ++round) {
        make(kSorts[random_() % 3], kSorts[random_() % 3], 1 + round % 3);
        const Spots all = true_pairs(a_, b_);
        const std::uint64_t bound = 1 + random_() % 1'500;
        for (const char* share : {"", " max"}) {
            const auto limit = *parse_limit(fmt::format("a -> b{} < {}ns", share, bound));
            if (check_limit(*session_, limit, {})[0].verdict != Verdict::kPass) continue;
            ++kept;
            for (const auto& [begin, end] : all) ASSERT_LT(end - begin, bound) << round << share;
        }
    }
    EXPECT_GT(kept, 500);
}

// A span whose end is lost, too, or that has none, lasts to the end of what is known.
TEST_F(LossTruth, ALimitThatIsKeptIsKeptByTheSpansThatAreNotThere) {
    int kept = 0;
    for (int round = 0; round < 6'000; ++round) {
        make(Sort::kSpans, Sort::kTicks, 1 + round % 3);
        const std::uint64_t end = std::max(session_->watermark(), session_->last_tick());
        std::uint64_t longest = 0;
        for (const auto& [from, to] : true_spans(a_)) longest = std::max(longest, to - from);
        for (const auto& [thread, begins] : open_spans(a_)) {
            if (!begins.empty()) longest = std::max(longest, end - std::min(end, begins.front()));
        }
        const std::uint64_t bound = 1 + random_() % 3'000;
        for (const char* share : {"", " max"}) {
            const auto limit = *parse_limit(fmt::format("width a{} < {}ns", share, bound));
            if (check_limit(*session_, limit, {})[0].verdict != Verdict::kPass) continue;
            ++kept;
            ASSERT_LT(longest, bound + 4) << round << share << ": what is open breaks it only beyond the error";
        }
    }
    EXPECT_GT(kept, 500);
}

// The loss row stands in a pair that is over; the loss itself goes on.
TEST(StretchedLoss, SpoilsEveryPairThatBeginsBeforeItsEnd) {
    support::CaptureBuilder capture(0);
    const auto a = capture.channel("A");
    const auto b = capture.channel("B");
    for (const std::uint64_t tick : {1000, 1110, 1150, 1300}) capture.tick(a, tick);
    for (const std::uint64_t tick : {1050, 1210, 1310}) capture.tick(b, tick);
    capture.gap(b, 1100, 3, wire::LossCause::kOverrun, 1205);
    store::Session session;
    capture.fill(session);
    const Statistics numbers = pair_statistics(session, "A:B", {})->front().numbers;
    EXPECT_EQ(numbers.count, 2u);
    EXPECT_EQ(numbers.lost, 2u);
    EXPECT_EQ(numbers.unfinished, 0u);
    for (const char* limit : {"A -> B < 70ns", "A -> B >= 5ns"})
        EXPECT_EQ(check_limit(session, *parse_limit(limit), {})[0].verdict, Verdict::kCannotTell) << limit;
}

// Figures of all silences but the one at the end, which a loss may have broken and which is not over.
double figure_of(const std::string& share, std::vector<double> all) {
    std::sort(all.begin(), all.end());
    const auto rank = [&](std::size_t per_mille) {
        return all[std::max<std::size_t>((all.size() * per_mille + 999) / 1000, 1) - 1];
    };
    if (share == "min") return all.front();
    if (share == "mean") return std::accumulate(all.begin(), all.end(), 0.0) / static_cast<double>(all.size());
    return rank(share == "p50" ? 500 : 900);
}

TEST_F(LossTruth, FiguresOfSilencesAreThoseOfAllEvents) {
    std::map<Verdict, int> verdicts;
    for (int round = 0; round < 6'000; ++round) {
        make(kSorts[random_() % 3], Sort::kTicks, 1 + round % 3);
        if (!are_ends_known(a_)) continue;
        std::vector<double> widths;
        for (const auto& [begin, end] : true_gaps(a_)) widths.push_back(static_cast<double>(end - begin));
        const std::uint64_t bound = 1 + random_() % 100;
        for (const char* share : {"min", "mean", "p50", "p90"}) {
            const auto limit = *parse_limit(fmt::format("gap a {} < {}.5ns", share, bound));
            const Verdict verdict = check_limit(*session_, limit, {})[0].verdict;
            ++verdicts[verdict];
            const bool is_kept = figure_of(share, widths) < static_cast<double>(bound) + 0.5;
            ASSERT_TRUE(verdict == Verdict::kCannotTell || is_kept == (verdict == Verdict::kPass)) << round << share;
        }
    }
    for (const Verdict verdict : {Verdict::kPass, Verdict::kFail, Verdict::kCannotTell}) EXPECT_GT(verdicts[verdict], 50);
}

// Silences from the first event on, also the one at the end, which a loss may have broken.
TEST_F(LossTruth, AVerdictOnSilencesIsThatOfAllEvents) {
    std::map<Verdict, int> verdicts;
    for (int round = 0; round < 6'000; ++round) {
        make(kSorts[random_() % 3], Sort::kTicks, 1 + round % 3);
        const std::uint64_t end = std::max(session_->watermark(), session_->last_tick());
        if (!are_ends_known(a_) || a_.events.front().lost) continue;
        std::uint64_t longest = 0;
        for (const auto& [from, to] : true_gaps(a_)) longest = std::max(longest, to - from);
        if (end > a_.events.back().tick) longest = std::max(longest, end - a_.events.back().tick);
        const std::uint64_t bound = 1 + random_() % 300;
        for (const char* share : {"", " max"}) {
            const auto limit = *parse_limit(fmt::format("gap a{} < {}ns", share, bound));
            const Verdict verdict = check_limit(*session_, limit, {})[0].verdict;
            ++verdicts[verdict];
            ASSERT_TRUE(verdict != Verdict::kPass || longest < bound) << round << share;
            ASSERT_TRUE(verdict != Verdict::kFail || longest >= bound) << round << share;
        }
    }
    for (const Verdict verdict : {Verdict::kPass, Verdict::kFail, Verdict::kCannotTell}) EXPECT_GT(verdicts[verdict], 50);
}

}  // namespace
}  // namespace sla::analysis
