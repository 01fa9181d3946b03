#include "viewer/analysis/text_counts.h"

#include "tests/support/capture_builder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <random>

namespace sla::analysis {
namespace {

using Pairs = std::vector<std::pair<std::string, std::uint64_t>>;

void count(TextCounts& counts, std::string_view text, std::size_t lane = 0) {
    counts.next() += text;
    counts.add(lane);
}
Pairs pairs_of(TextCounts& counts, std::size_t most, std::size_t lane = 0) {
    Pairs pairs;
    counts.finish();
    for (const auto& each : counts.most_frequent(lane, most)) pairs.emplace_back(each.text, each.count);
    return pairs;
}

TEST(TextCounts, AreOrderedByCountAndThenByText) {
    TextCounts counts(1);
    for (const char* text : {"b", "a", "", "c", "a", "long enough to be no small string", "c", ""}) count(counts, text);
    EXPECT_EQ(pairs_of(counts, 2), (Pairs{{"", 2}, {"a", 2}}));
    EXPECT_EQ(pairs_of(counts, 0), (Pairs{{"", 2}, {"a", 2}, {"c", 2}, {"b", 1}, {"long enough to be no small string", 1}}));
    EXPECT_EQ(counts.total(0), 8u);
    count(counts, "b");
    EXPECT_EQ(pairs_of(counts, 99)[2], std::pair(std::string("b"), std::uint64_t{2}));
}

TEST(TextCounts, OfNothingAreNone) {
    TextCounts counts(1);
    EXPECT_TRUE(pairs_of(counts, 0).empty());
    EXPECT_EQ(counts.total(0), 0u);
}

TEST(TextCounts, OfManyDifferentTextsInSomeLanesAreThoseOfMaps) {
    constexpr std::size_t kLanes = 3;
    std::mt19937_64 random(8);
    TextCounts counts(kLanes);
    std::array<std::map<std::string, std::uint64_t>, kLanes> expected;
    for (int i = 0; i < 200'000; ++i) {
        const std::string text = std::string(random() % 40, 'x') + std::to_string(random() % (1 + random() % 60'000));
        const std::size_t lane = random() % kLanes;
        count(counts, text, lane);
        ++expected[lane][text];
    }
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
        Pairs sorted(expected[lane].begin(), expected[lane].end());
        std::stable_sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
        EXPECT_EQ(pairs_of(counts, 0, lane), sorted);
        sorted.resize(1000);
        EXPECT_EQ(pairs_of(counts, 1000, lane), sorted);
    }
}

TEST(TextCounts, OfLanesAreOfTheRangeAndWithoutLosses) {
    support::CaptureBuilder capture(0);
    const auto said = capture.channel("said");
    const auto other = capture.channel("other");
    for (std::uint64_t i = 0; i < 100; ++i) {
        capture.text(said, 1000 + i * 10, i % 3 == 0 ? "three" : "other");
        capture.text(other, 1005 + i * 10, "other");
    }
    capture.gap(said, 2500, 3);
    store::Session session;
    capture.fill(session);
    Selection selection = *select(session, {});
    const AppendText append = [](const store::Lane& lane, std::uint64_t index, std::string& out) {
        lane.append_text(index, out);
    };
    TextCounts all = count_texts(session, selection, append);
    EXPECT_EQ(pairs_of(all, 0, 0), (Pairs{{"other", 66}, {"three", 34}}));
    EXPECT_EQ(pairs_of(all, 0, 1), (Pairs{{"other", 100}}));
    selection.from = 1010;
    selection.until = 1040;
    TextCounts some = count_texts(session, selection, append);
    EXPECT_EQ(pairs_of(some, 0, 0), (Pairs{{"other", 2}, {"three", 1}}));
    EXPECT_EQ(some.total(1), 3u);
}

}  // namespace
}  // namespace sla::analysis
