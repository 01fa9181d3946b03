// A fleet is opened anew where that helps, and ever more rarely where it does not.
#include "viewer/workspace/source/reopening_pace.h"

#include <gtest/gtest.h>

namespace sla::workspace {
namespace {

using std::chrono::seconds;
using Seconds = std::vector<int>;

constexpr ReopeningPace::Need kMoreIsThere{.more_is_there = true};

// The seconds, of those, at which it is due; each time the same captures are found.
Seconds due(ReopeningPace& pace, int from, int until, const ReopeningPace::Need& need) {
    Seconds out;
    for (int at = from; at < until; ++at) {
        const ReopeningPace::Clock::time_point now{seconds(at)};
        if (!pace.is_due(now, need)) continue;
        out.push_back(at);
        pace.stands(now, {"web-1/a"});
    }
    return out;
}

ReopeningPace standing() {
    ReopeningPace pace;
    pace.stands({}, {"web-1/a"});
    return pace;
}

TEST(ReopeningPace, IsEverSlowerWhileOpeningFindsNothingNew) {
    ReopeningPace pace = standing();
    EXPECT_EQ(due(pace, 0, 2000, kMoreIsThere), (Seconds{10, 30, 70, 150, 310, 630, 1270, 1910}));
}

TEST(ReopeningPace, BeginsAgainWhenThereIsAnotherCapture) {
    ReopeningPace pace = standing();
    EXPECT_EQ(due(pace, 0, 100, kMoreIsThere), (Seconds{10, 30, 70}));
    pace.stands(ReopeningPace::Clock::time_point(seconds(100)), {"web-1/a", "web-2/b"});
    EXPECT_FALSE(pace.is_due(ReopeningPace::Clock::time_point(seconds(109)), kMoreIsThere));
    EXPECT_TRUE(pace.is_due(ReopeningPace::Clock::time_point(seconds(110)), kMoreIsThere));
}

TEST(ReopeningPace, BeginsAgainAfterACalm) {
    ReopeningPace pace = standing();
    EXPECT_EQ(due(pace, 0, 100, kMoreIsThere), (Seconds{10, 30, 70}));
    EXPECT_EQ(due(pace, 100, 500, {}), Seconds());
    EXPECT_EQ(due(pace, 500, 540, kMoreIsThere), (Seconds{500, 510, 530}));
}

TEST(ReopeningPace, KeepsItsPaceWhereRowsInMemoryAreMany) {
    ReopeningPace pace = standing();
    EXPECT_EQ(due(pace, 0, 45, {.rows_are_many = true}), (Seconds{10, 20, 30, 40}));
}

TEST(ReopeningPace, CountsWhatCouldNotBeOpenedToo) {
    ReopeningPace pace = standing();
    Seconds tried;
    for (int at = 0; at < 100; ++at) {
        if (pace.is_due(ReopeningPace::Clock::time_point(seconds(at)), kMoreIsThere)) tried.push_back(at);
    }
    EXPECT_EQ(tried, (Seconds{10, 30, 70}));
}

}  // namespace
}  // namespace sla::workspace
