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

Pairs pairs_of(const LaneTexts& lane) {
    Pairs pairs;
    for (const auto& each : lane.texts) pairs.emplace_back(each.text, each.count);
    return pairs;
}

const AppendText kOwnText = [](const store::Lane& lane, std::uint64_t index, std::string& out) {
    lane.append_text(index, out);
};

TEST(TextCounts, AreOrderedByCountAndThenByText) {
    support::CaptureBuilder capture(0);
    const auto said = capture.channel("said");
    std::uint64_t tick = 1000;
    for (const char* text : {"b", "a", "c", "a", "long enough to be no small string", "c"})
        capture.text(said, tick += 10, text);
    store::Session session;
    capture.fill(session);
    const Selection all = *select(session, {});
    EXPECT_EQ(pairs_of(count_texts(session, all, 2, kOwnText)[0]), (Pairs{{"a", 2}, {"c", 2}}));
    const LaneTexts texts = count_texts(session, all, 0, kOwnText)[0];
    EXPECT_EQ(pairs_of(texts), (Pairs{{"a", 2}, {"c", 2}, {"b", 1}, {"long enough to be no small string", 1}}));
    EXPECT_EQ(texts.total, 6u);
    const LaneTexts empty = count_texts(session, all, 0, [](const auto&, std::uint64_t, std::string&) {})[0];
    EXPECT_EQ(pairs_of(empty), (Pairs{{"", 6}}));
}

TEST(TextCounts, OfManyDifferentTextsInSomeLanesAreThoseOfMaps) {
    constexpr std::uint32_t kLanes = 3;
    std::mt19937_64 random(8);
    support::CaptureBuilder capture(0);
    std::vector<std::uint32_t> channels;
    for (std::uint32_t lane = 0; lane < kLanes; ++lane) channels.push_back(capture.channel("lane" + std::to_string(lane)));
    std::array<std::map<std::string, std::uint64_t>, kLanes> expected;
    for (std::uint64_t i = 0; i < 100'000; ++i) {
        const std::string text = "x" + std::string(random() % 40, 'x') + std::to_string(random() % (1 + random() % 60'000));
        const std::size_t lane = random() % kLanes;
        capture.text(channels[lane], 1000 + i, text);
        ++expected[lane][text];
    }
    store::Session session;
    capture.fill(session);
    const Selection selection = *select(session, {});
    for (const std::uint64_t rows_at_once : {1u, 70'000u, 1'000'000u}) {
        for (const std::size_t most : {0u, 1000u}) {
            const auto texts = count_texts(session, selection, most, kOwnText, {}, rows_at_once);
            ASSERT_EQ(texts.size(), kLanes);
            for (std::size_t lane = 0; lane < kLanes; ++lane) {
                Pairs sorted(expected[lane].begin(), expected[lane].end());
                std::stable_sort(sorted.begin(), sorted.end(),
                                 [](const auto& a, const auto& b) { return a.second > b.second; });
                if (most > 0) sorted.resize(most);
                EXPECT_EQ(pairs_of(texts[lane]), sorted);
            }
        }
    }
}

TEST(TextCounts, AreOfTheRangeAndWithoutLosses) {
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
    const auto all = count_texts(session, selection, 0, kOwnText);
    EXPECT_EQ(pairs_of(all[0]), (Pairs{{"other", 66}, {"three", 34}}));
    EXPECT_EQ(pairs_of(all[1]), (Pairs{{"other", 100}}));
    selection.from = 1010;
    selection.until = 1040;
    const auto some = count_texts(session, selection, 0, kOwnText);
    EXPECT_EQ(pairs_of(some[0]), (Pairs{{"other", 2}, {"three", 1}}));
    EXPECT_EQ(some[1].total, 3u);
    int asked = 0;
    count_texts(
        session, selection, 0, kOwnText, [&asked](double) { return ++asked < 1; }, 1);
    EXPECT_EQ(asked, 1);
}

}  // namespace
}  // namespace sla::analysis
