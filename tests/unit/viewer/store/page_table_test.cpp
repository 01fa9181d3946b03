// What a table of pages says, against the pages themselves added up one by one.
#include "viewer/store/rows/page_table.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace sla::store {
namespace {

constexpr std::size_t kTogether = 4;

// Pages of a lane in order; what they have besides rows is up to `sorts`.
class PageMaker {
public:
    enum Sort : unsigned { kValues = 1, kLevels = 2, kSpans = 4, kLosses = 8 };
    PageMaker(unsigned sorts, unsigned seed) : sorts_(sorts), random_(seed) {}

    Page next() {
        Page page;
        page.first = rows_;
        page.rows = 1 + random_() % 1000;
        page.first_tick = tick_ + random_() % 50;
        const std::uint64_t length = random_() % 5000;
        page.last_tick = tick_ = page.first_tick + length;
        page.longest_pause = length / 2;
        page.kinds = static_cast<std::uint8_t>(1U << random_() % 6);
        page.chunk = chunk_ += 1 + random_() % 3;
        page.first_span = spans_;
        // Some pages of a lane have none of what others have.
        const auto has = [&](Sort sort) { return (sorts_ & sort) != 0 && random_() % 3 != 0; };
        if (has(kValues)) page.values = {-static_cast<double>(random_() % 90), static_cast<double>(random_() % 90), true};
        if (has(kLevels)) {
            page.high_ticks = length / 3;
            page.level_after = random_() % 2 == 0 ? Level::kHigh : Level::kLow;
        }
        page.level_before = level_;
        level_ = page.level_after;
        if (has(kSpans)) {
            page.begins = random_() % page.rows;
            page.busy_ticks = length / 4;
            page.deepest = random_() % 7;
        }
        if (has(kLosses)) {
            page.gaps = 1;
            page.lost = random_() % 100;
        }
        rows_ += page.rows;
        spans_ += page.begins;
        return page;
    }

private:
    unsigned sorts_;
    std::mt19937 random_;
    std::uint64_t rows_ = 0;
    std::uint64_t spans_ = 0;
    std::uint64_t tick_ = 0;
    std::uint32_t chunk_ = 0;
    Level level_ = Level::kUnknown;
};

void expect_same(const Page& a, const Page& b) {
    ASSERT_EQ(a.first, b.first);
    ASSERT_EQ(a.rows, b.rows);
    ASSERT_EQ(a.first_tick, b.first_tick);
    ASSERT_EQ(a.last_tick, b.last_tick);
    ASSERT_EQ(a.gaps, b.gaps);
    ASSERT_EQ(a.lost, b.lost);
    ASSERT_EQ(a.longest_pause, b.longest_pause);
    ASSERT_EQ(a.high_ticks, b.high_ticks);
    ASSERT_EQ(a.busy_ticks, b.busy_ticks);
    ASSERT_EQ(a.begins, b.begins);
    ASSERT_EQ(a.values.any, b.values.any);
    ASSERT_EQ(a.values.min, b.values.min);
    ASSERT_EQ(a.values.max, b.values.max);
    ASSERT_EQ(a.deepest, b.deepest);
    ASSERT_EQ(a.kinds, b.kinds);
    ASSERT_EQ(a.level_before, b.level_before);
    ASSERT_EQ(a.level_after, b.level_after);
    ASSERT_EQ(a.first_span, b.first_span);
}

std::vector<Page> added_up(const std::vector<Page>& below) {
    std::vector<Page> level;
    for (std::size_t i = 0; i < below.size(); ++i) {
        if (i % kTogether == 0) {
            level.push_back(below[i]);
        } else {
            level.back().absorb(below[i]);
        }
    }
    return level;
}

class PageTables : public testing::TestWithParam<unsigned> {};

TEST_P(PageTables, GiveBackThePagesThatWereAdded) {
    PageMaker maker(GetParam(), 1);
    PageTable table;
    std::vector<Page> pages;
    for (int i = 0; i < 500; ++i) {
        pages.push_back(maker.next());
        table.add(pages.back());
    }
    ASSERT_EQ(table.pages().size(), pages.size());
    std::size_t at = 0;
    for (const Page& page : table.pages()) {
        expect_same(page, pages[at]);
        ASSERT_EQ(page.chunk, pages[at].chunk);
        ASSERT_EQ(table.page_of(page.first), at);
        ASSERT_EQ(table.page_of(page.end() - 1), at);
        if (page.begins > 0) {
            ASSERT_EQ(table.page_of_span(page.first_span), at);
            ASSERT_EQ(table.page_of_span(page.first_span + page.begins - 1), at);
        }
        const auto found = table.page_in_chunk(page.chunk);
        ASSERT_TRUE(found);
        ASSERT_EQ(found->first, page.first);
        const bool is_used = at > 0 && pages[at].chunk == pages[at - 1].chunk + 1;
        ASSERT_EQ(table.page_in_chunk(page.chunk - 1).has_value(), is_used);
        ++at;
    }
    EXPECT_FALSE(table.page_in_chunk(pages.back().chunk + 1));
}

// At every length, since the last page of each coarser level is there before it is whole.
TEST_P(PageTables, CoarserPagesAreSumsOfThoseBelow) {
    PageMaker maker(GetParam(), 2);
    PageTable table;
    std::vector<Page> pages;
    for (int i = 0; i < 400; ++i) {
        pages.push_back(maker.next());
        table.add(pages.back());
        std::vector<Page> level = pages;
        for (std::size_t most = pages.size(); most > 1; most = level.size() - 1) {
            while (level.size() > most && level.size() > kTogether) level = added_up(level);
            const PageRange range = table.pages_between(0, kNever, most);
            ASSERT_EQ(range.size(), level.size()) << i << " " << most;
            for (std::size_t k = 0; k < level.size(); ++k) expect_same(range[k], level[k]);
            if (level.size() <= kTogether) break;
        }
    }
}

TEST_P(PageTables, RangesHoldThePagesThatTouchThem) {
    PageMaker maker(GetParam(), 3);
    PageTable table;
    std::vector<Page> pages;
    for (int i = 0; i < 777; ++i) {
        pages.push_back(maker.next());
        table.add(pages.back());
    }
    std::mt19937_64 random(4);
    const std::uint64_t end = table.last_tick() + 100;
    for (int i = 0; i < 2000; ++i) {
        std::uint64_t from = random() % end;
        std::uint64_t until = random() % end;
        if (until < from) std::swap(from, until);
        const std::size_t most = 1 + random() % 60;
        std::vector<Page> level = pages;
        const auto touching = [&] {
            std::vector<Page> touched;
            std::copy_if(level.begin(), level.end(), std::back_inserter(touched),
                         [&](const Page& page) { return page.last_tick >= from && page.first_tick <= until; });
            return touched;
        };
        while (touching().size() > most && level.size() > kTogether) level = added_up(level);
        const std::vector<Page> expected = touching();
        const PageRange range = table.pages_between(from, until, most);
        ASSERT_EQ(range.size(), expected.size());
        std::size_t at = 0;
        for (const Page& page : range) expect_same(page, expected[at++]);
    }
}

TEST_P(PageTables, ValuesOfPagesAreThoseOfEachOfThem) {
    PageMaker maker(GetParam(), 5);
    PageTable table;
    for (int i = 0; i < 600; ++i) table.add(maker.next());
    std::mt19937 random(6);
    for (int i = 0; i < 5000; ++i) {
        const std::size_t begin = random() % 600;
        const std::size_t end = begin + random() % (610 - begin);
        ValueRange sum;
        for (std::size_t page = begin; page < std::min<std::size_t>(end, 600); ++page)
            sum.absorb(table.pages()[page].values);
        const ValueRange found = table.values(begin, end);
        ASSERT_EQ(found.any, sum.any);
        ASSERT_EQ(found.min, sum.min);
        ASSERT_EQ(found.max, sum.max);
    }
}

TEST_P(PageTables, WithTheFirstPagesAsOneTheOthersAreTheSame) {
    for (const std::size_t first_pages : {1, 2, 17, 60}) {
        PageMaker maker(GetParam(), 8);
        PageTable table;
        for (int i = 0; i < 60; ++i) table.add(maker.next());
        PageTable merged = table.merged(first_pages);
        ASSERT_EQ(merged.pages().size(), 60 - first_pages + 1);
        Page sum = table.pages()[0];
        for (std::size_t i = 1; i < first_pages; ++i) sum.absorb(table.pages()[i]);
        expect_same(merged.pages()[0], sum);
        EXPECT_EQ(merged.rows(), table.rows());
        EXPECT_EQ(merged.spans(), table.spans());
        EXPECT_EQ(merged.kinds(), table.kinds());
        for (int i = 0; i < 30; ++i) {  // and they go on alike
            const Page next = maker.next();
            table.add(next);
            merged.add(next);
        }
        for (std::size_t i = first_pages; i < table.pages().size(); ++i) {
            const Page page = merged.pages()[i - first_pages + 1];
            expect_same(page, table.pages()[i]);
            ASSERT_EQ(page.chunk, table.pages()[i].chunk);
            ASSERT_EQ(page.high_before, table.pages()[i].high_before);
        }
    }
}

TEST(PageTable, SpansThatEndedInPagesWhichBecameOneAreNotKept) {
    const auto crossing = [](std::uint64_t id, std::uint64_t begin_index, std::uint64_t end_index, SpanState state) {
        return NumberedSpan{id, {.begin_index = begin_index, .end_index = end_index, .state = state}};
    };
    PageTable table;
    for (const std::uint64_t tick : {100, 200, 300, 400}) {
        Page page;
        page.rows = 10;
        page.first_tick = tick;
        page.last_tick = tick + 50;
        page.begins = 2;
        table.add(page);
    }
    table.add_open(crossing(1, 5, 12, SpanState::kClosed));
    table.add_open(crossing(3, 15, kNever, SpanState::kOpen));
    table.add_open(crossing(5, 25, 35, SpanState::kClosed));
    const PageTable merged = table.merged(3);
    EXPECT_EQ(merged.crossing_span(1), nullptr);
    ASSERT_NE(merged.crossing_span(3), nullptr);
    ASSERT_NE(merged.crossing_span(5), nullptr);
    EXPECT_EQ(merged.crossing().size(), 2u);
}

INSTANTIATE_TEST_SUITE_P(OfAllSorts, PageTables, testing::Range(0U, 16U));

TEST(PageTable, WhatNoRowHasTakesNoMemory) {
    const auto bytes_a_page = [](unsigned sorts) {
        constexpr std::size_t kPages = 10'000;
        PageMaker maker(sorts, 7);
        PageTable table;
        table.reserve(kPages);
        for (std::size_t i = 0; i < kPages; ++i) table.add(maker.next());
        return static_cast<double>(table.memory_bytes()) / kPages;
    };
    EXPECT_LT(bytes_a_page(0), 40 * 1.4);
    EXPECT_LT(bytes_a_page(PageMaker::kValues), (40 + 16) * 1.4);
    EXPECT_LT(bytes_a_page(PageMaker::kValues | PageMaker::kLevels | PageMaker::kSpans | PageMaker::kLosses),
              (40 + 68) * 1.4);
}

}  // namespace
}  // namespace sla::store
