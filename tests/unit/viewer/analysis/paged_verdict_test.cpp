// Verdicts over rows that stay in a file, by its sums, are those over the same rows in memory.
#include "tests/unit/viewer/analysis/random_sums.h"
#include "viewer/analysis/limits/verdict.h"

#include <fmt/format.h>

#include <cmath>

namespace sla::analysis {
namespace {

class PagedVerdicts : public RandomSums {
protected:
    // Bounds of any size, and some just at a width there is, a tick up and down.
    static std::string random_limit(std::mt19937_64& random, const store::Session& session) {
        static constexpr const char* kMeasures[] = {"gap *", "width *", "gap c2", "width c3"};
        static constexpr const char* kShares[] = {"", "", "", " max", " min", " p50", " p90", " p99", " p999", " mean"};
        static constexpr const char* kCompares[] = {"<", "<=", ">", ">=", "=="};
        const store::Lane& lane = *session.lanes()[random() % session.lanes().size()];
        std::uint64_t ticks = std::uint64_t{1} << random() % 40;
        if (random() % 2 == 0 && lane.size() > 1) {
            const std::uint64_t row = 1 + random() % (lane.size() - 1);
            ticks = lane.tick(row) - lane.tick(row - 1) + random() % 3;
        }
        const std::int64_t ps = session.clock().ticks_to_ps(static_cast<std::int64_t>(ticks));
        return fmt::format("{}{} {} {}ns", kMeasures[random() % std::size(kMeasures)],
                           kShares[random() % std::size(kShares)], kCompares[random() % std::size(kCompares)],
                           static_cast<double>(ps) / 1000);
    }
    static void expect_same(const Finding& reported, const Finding& is) {
        EXPECT_EQ(reported.channel, is.channel);
        EXPECT_EQ(reported.verdict, is.verdict) << reported.why << ", " << is.why;
        EXPECT_EQ(reported.measured_any, is.measured_any);
        EXPECT_EQ(reported.measured, is.measured);
        EXPECT_EQ(reported.error, is.error);
        EXPECT_EQ(reported.checked, is.checked);
        EXPECT_EQ(reported.broken, is.broken);
        EXPECT_EQ(reported.unknown, is.unknown);
        EXPECT_EQ(reported.why, is.why);
    }
    // Percentiles and means: with a greater error, which may leave less decided, but never anything wrong.
    static void expect_within(const Finding& reported, const Finding& is) {
        EXPECT_EQ(reported.channel, is.channel);
        EXPECT_TRUE(reported.verdict == is.verdict || reported.verdict == Verdict::kCannotTell);
        EXPECT_EQ(reported.measured_any, is.measured_any);
        EXPECT_LE(std::abs(reported.measured - is.measured), reported.error - is.error + 1);
        EXPECT_EQ(reported.checked, is.checked);
        EXPECT_EQ(reported.unknown, is.unknown);
    }
};

TEST_F(PagedVerdicts, AreThoseOfTheRowsInMemory) {
    std::array<std::uint64_t, 3> verdicts{};
    for (std::uint64_t seed = 1; seed <= 12; ++seed) {
        write(seed, 12 + static_cast<int>(seed), seed % 2 == 0);
        store::Session paged;
        store::Session whole;
        open(paged, whole);
        std::mt19937_64 random(seed);
        for (int round = 0; round < 60; ++round) {
            Selection range;
            if (round % 3 == 0) range.from = random() % whole.last_tick();
            if (round % 3 == 0) range.until = range.from + 1 + random() % whole.last_tick();
            std::vector<Limit> limits;
            for (int i = 0; i < 3; ++i) limits.push_back(*parse_limit(random_limit(random, whole)));
            const auto reported = check_limits(paged, limits, range);
            const auto is = check_limits(whole, limits, range);
            ASSERT_EQ(reported.size(), is.size());
            for (std::size_t i = 0; i < reported.size(); ++i) {
                const Finding& finding = is[i];
                const bool near = finding.limit.find(" p") != std::string::npos || finding.limit.find("mean") < 20;
                near ? expect_within(reported[i], finding) : expect_same(reported[i], finding);
                ++verdicts[static_cast<std::size_t>(finding.verdict)];
                ASSERT_FALSE(HasFailure()) << seed << " " << round << " " << finding.limit << " of " << finding.channel;
            }
        }
    }
    for (const std::uint64_t of_one_kind : verdicts) EXPECT_GT(of_one_kind, 100u);
}

// Of a capture in which nothing is near the bound only the worst is read, and where events were lost, nobody says for how long: in
// half of the pages, once for each limit.
TEST_F(PagedVerdicts, ReadOnlyWhatMatters) {
    write(7, 60);
    store::Session paged;
    store::Session whole;
    open(paged, whole);
    const auto findings = check_limits(paged, {*parse_limit("gap c2 < 1000s"), *parse_limit("gap c2 p99 < 1000s")}, {});
    EXPECT_EQ(findings.front().checked, check_limit(whole, *parse_limit("gap c2 < 1000s"), {}).front().checked);
    const std::uint64_t pages = paged.lanes()[1]->pages()->pages().size();
    EXPECT_GT(pages, 50u);
    EXPECT_LT(paged.page_waits(), 2 * (pages * 2 / 3));
}

TEST_F(PagedVerdicts, CanBeStopped) {
    write(3, 20);
    store::Session paged;
    store::Session whole;
    open(paged, whole);
    int asked = 0;
    check_limits(paged, {*parse_limit("gap * < 1us")}, {}, [&](double share) { return share < 0.3 && ++asked > 0; });
    EXPECT_GT(asked, 0);
}

}  // namespace
}  // namespace sla::analysis
