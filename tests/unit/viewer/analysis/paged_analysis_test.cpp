// Statistics and filters say the same of rows that are in pages as of rows in memory.
#include "tests/support/capture_builder.h"
#include "viewer/analysis/filter/lane_filter.h"
#include "viewer/analysis/intervals/statistics.h"
#include "viewer/analysis/value_statistics.h"
#include "viewer/ingest/frame_applier.h"

#include <gtest/gtest.h>

#include <memory>
#include <random>

namespace sla::analysis {
namespace {

// Pages that have left their lane; counts who asked for one.
class KeptPages final : public store::PageSource {
public:
    void seal(store::Lane& lane) {
        pages_.push_back(lane.seal(*this, static_cast<std::uint32_t>(pages_.size())));
        lane.forget_page();
    }
    std::shared_ptr<const store::Run> load(ChannelId, const store::PageTable& table, std::size_t page) override {
        ++asked;
        return pages_[table.pages()[page].chunk];
    }
    std::shared_ptr<const store::Run> find(ChannelId id, const store::PageTable& table, std::size_t page) override {
        return load(id, table, page);
    }
    void let_go(std::shared_ptr<const store::Run>) override {}
    [[nodiscard]] std::uint64_t waits() const override { return 0; }

    std::uint64_t asked = 0;

private:
    std::vector<std::shared_ptr<const store::Run>> pages_;
};

class PagedAnalysis : public ::testing::Test {
protected:
    PagedAnalysis() {
        support::CaptureBuilder capture;
        support::add_mixed(capture, 12, 2000, 3);
        capture.fill(whole_);
        ingest::FrameApplier applier(paged_);
        int frames = 0;
        for (const std::string& frame : capture.frames(60)) {
            applier.apply(std::string_view(frame));
            if (++frames % 25 != 0) continue;
            for (store::Lane* lane : paged_.lanes()) {
                if (!lane->tail().empty()) pages_.seal(*lane);
            }
        }
    }
    [[nodiscard]] static Selection all_of(const store::Session& session, std::uint64_t from, std::uint64_t until) {
        Selection selection;
        selection.lanes.assign(session.lanes().begin(), session.lanes().end());
        selection.from = from;
        selection.until = until;
        return selection;
    }

    KeptPages pages_;  // outlives the lanes
    store::Session whole_;
    store::Session paged_;
    std::mt19937_64 random_{5};
};

TEST_F(PagedAnalysis, StatisticsOfAnyRangeAreTheSame) {
    ASSERT_GT(paged_.lanes()[0]->pages()->pages().size(), 5u);
    for (int round = 0; round < 40; ++round) {
        const bool all = round == 0;
        const std::uint64_t from = all ? 0 : random_() % whole_.last_tick();
        const std::uint64_t until = all ? store::kNever : from + random_() % whole_.last_tick();
        const auto a = channel_statistics(paged_, all_of(paged_, from, until));
        const auto b = channel_statistics(whole_, all_of(whole_, from, until));
        ASSERT_EQ(a.size(), b.size());
        for (std::size_t i = 0; i < b.size(); ++i) {
            EXPECT_EQ(a[i].channel, b[i].channel);
            EXPECT_EQ(a[i].pair, b[i].pair);
            EXPECT_EQ(a[i].numbers.count, b[i].numbers.count);
            EXPECT_EQ(a[i].numbers.lost, b[i].numbers.lost);
            EXPECT_EQ(a[i].numbers.unfinished, b[i].numbers.unfinished);
            EXPECT_EQ(a[i].numbers.min_ps, b[i].numbers.min_ps);
            EXPECT_EQ(a[i].numbers.p50_ps, b[i].numbers.p50_ps);
            EXPECT_EQ(a[i].numbers.p999_ps, b[i].numbers.p999_ps);
            EXPECT_EQ(a[i].numbers.max_ps, b[i].numbers.max_ps);
            EXPECT_EQ(a[i].numbers.stddev_ps, b[i].numbers.stddev_ps);
        }
    }
}

TEST_F(PagedAnalysis, StatisticsOfValuesOfAnyRangeAreTheSame) {
    for (int round = 0; round < 20; ++round) {
        const bool all = round == 0;
        const std::uint64_t from = all ? 0 : random_() % whole_.last_tick();
        const std::uint64_t until = all ? store::kNever : from + random_() % whole_.last_tick();
        const ValueRoom room = round % 2 == 0 ? ValueRoom() : ValueRoom{0, 1024, 1};  // in several passes
        const auto a = value_statistics(paged_, all_of(paged_, from, until), {}, room);
        const auto b = value_statistics(whole_, all_of(whole_, from, until));
        ASSERT_EQ(a.size(), b.size());
        ASSERT_GT(b.size(), 3u);
        for (std::size_t i = 0; i < b.size(); ++i) {
            EXPECT_EQ(a[i].channel, b[i].channel);
            EXPECT_EQ(a[i].numbers.count, b[i].numbers.count);
            EXPECT_EQ(a[i].numbers.lost, b[i].numbers.lost);
            EXPECT_EQ(a[i].numbers.min.bits, b[i].numbers.min.bits);
            EXPECT_EQ(a[i].numbers.p99.bits, b[i].numbers.p99.bits);
            EXPECT_EQ(a[i].numbers.max.bits, b[i].numbers.max.bits);
            EXPECT_DOUBLE_EQ(a[i].numbers.mean.value_or(0), b[i].numbers.mean.value_or(0));
        }
    }
}

TEST_F(PagedAnalysis, EveryPageIsAskedForOnceOrTwice) {
    std::uint64_t pages = 0;
    for (const store::Lane* lane : paged_.lanes()) pages += lane->pages() == nullptr ? 0 : lane->pages()->pages().size();
    pages_.asked = 0;
    static_cast<void>(channel_statistics(paged_, all_of(paged_, 0, store::kNever)));
    EXPECT_GE(pages_.asked, pages);
    EXPECT_LE(pages_.asked, 2 * pages);
}

TEST_F(PagedAnalysis, FiltersFindTheSameRows) {
    std::uint64_t found = 0;
    for (const char* text : {"value > 0", "value < -100", "value == 5", "value != 5", "value in 10..20", "value >= 0.5",
                             "kind == gap", "kind != tick", "kind == level and value == 1", "not value < 50", "text ~ '*'",
                             "value > 1e300", "value < 3 or kind == end"}) {
        const auto filter = EventFilter::parse(text);
        ASSERT_TRUE(filter.ok()) << text;
        for (std::size_t i = 0; i < whole_.lanes().size(); ++i) {
            const store::Lane& a = *paged_.lanes()[i];
            const store::Lane& b = *whole_.lanes()[i];
            LaneFilter paged(*filter, paged_, a);
            std::uint64_t next = paged.next(0, a.size());
            for (std::uint64_t row = 0; row < b.size(); ++row) {
                if (!filter->matches(whole_, {&b, row, b.tick(row)})) continue;
                ASSERT_EQ(next, row) << text << " on " << b.channel().name;
                next = paged.next(next + 1, a.size());
                ++found;
            }
            ASSERT_EQ(next, a.size()) << text << " on " << b.channel().name;
        }
    }
    EXPECT_GT(found, 1000u);
}

TEST_F(PagedAnalysis, PagesThatCannotMatchAreNotRead) {
    const auto filter = EventFilter::parse("value > 123456789012");
    ASSERT_TRUE(filter.ok());
    std::uint64_t pages_with_losses = 0;
    pages_.asked = 0;
    for (const store::Lane* lane : paged_.lanes()) {
        LaneFilter ready(*filter, paged_, *lane);
        EXPECT_EQ(ready.next(0, lane->size()), lane->size());
        for (const store::Page& page : lane->pages()->pages()) pages_with_losses += page.gaps > 0 ? 1 : 0;
    }
    EXPECT_LE(pages_.asked, pages_with_losses);
}

}  // namespace
}  // namespace sla::analysis
