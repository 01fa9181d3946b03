#include "viewer/store/rows/segment_forest.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

namespace sla::store {
namespace {

struct Text {  // not commutative: shows that the order of leaves is kept
    std::string text;
    void absorb(const Text& other) { text += other.text; }
};

struct Most {
    std::uint64_t most = 0;
    void absorb(const Most& other) { most = std::max(most, other.most); }
};

TEST(SegmentForest, EveryRangeAddsUpInOrder) {
    SegmentForest<Text> forest;
    std::string all;
    for (int i = 0; i < 150; ++i) {
        forest.append({std::string(1, static_cast<char>('!' + i % 90))});
        all += static_cast<char>('!' + i % 90);
        if (i % 37 != 0 && i != 149 && i != 63 && i != 64) continue;
        for (std::size_t begin = 0; begin <= all.size(); ++begin) {
            for (std::size_t end = begin; end <= all.size(); ++end) {
                ASSERT_EQ(forest.query(begin, end).text, all.substr(begin, end - begin))
                    << begin << ".." << end << " of " << all.size();
            }
        }
    }
}

TEST(SegmentForest, AnUpdatedLeafIsSeenByEveryLevel) {
    std::mt19937_64 random(7);
    SegmentForest<Most> forest;
    std::vector<std::uint64_t> plain;
    for (int i = 0; i < 700; ++i) {
        plain.push_back(random() % 1000);
        forest.append({plain.back()});
    }
    for (int round = 0; round < 500; ++round) {
        const std::size_t at = random() % plain.size();
        plain[at] = random() % 1000;
        forest.update(at, {plain[at]});
        const std::size_t begin = random() % plain.size();
        const std::size_t end = begin + 1 + random() % (plain.size() - begin);
        const auto first = plain.begin() + static_cast<std::ptrdiff_t>(begin);
        ASSERT_EQ(forest.query(begin, end).most, *std::max_element(first, plain.begin() + static_cast<std::ptrdiff_t>(end)));
    }
}

TEST(SegmentForest, VisitsExactlyTheLeavesThatAreWanted) {
    std::mt19937_64 random(11);
    SegmentForest<Most> forest;
    std::vector<std::uint64_t> plain;
    for (int i = 0; i < 3000; ++i) {
        plain.push_back(random() % 1000);
        forest.append({plain.back()});
    }
    for (int round = 0; round < 50; ++round) {
        const std::size_t begin = random() % plain.size();
        const std::size_t end = begin + random() % (plain.size() - begin + 10);
        std::vector<std::size_t> expected;
        for (std::size_t i = begin; i < std::min(end, plain.size()); ++i) {
            if (plain[i] >= 990) expected.push_back(i);
        }
        std::vector<std::size_t> seen;
        forest.visit_where(
            begin, end, [](const Most& sum) { return sum.most >= 990; },
            [&](std::size_t i) {
                seen.push_back(i);
                return true;
            });
        ASSERT_EQ(seen, expected);
    }
}

TEST(SegmentForest, AVisitorMayStop) {
    SegmentForest<Most> forest;
    for (int i = 0; i < 100; ++i) forest.append({1});
    int seen = 0;
    forest.visit_where(
        0, 100, [](const Most&) { return true; }, [&](std::size_t) { return ++seen < 10; });
    EXPECT_EQ(seen, 10);
}

TEST(SegmentForest, NothingInItAddsUpToTheNeutralElement) {
    const SegmentForest<Most> forest;
    EXPECT_EQ(forest.query(0, 5).most, 0u);
    forest.visit_where(
        0, 5, [](const Most&) { return true; }, [](std::size_t) { return true; });
}

}  // namespace
}  // namespace sla::store
